// @module-tag thorough
/**
 * A run is killed while a page is at an address on the way to another one, and then comes the earlier code. The page goes back to where its visitors
 * look for it, and nobody is told that a person moved it.
 */
import { expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { forEachTest } from "../suite/opened.ts";
import { onBothEngines, realEngine, rounds } from "../suite/parts.ts";

const ALL = `brand: A, support_email: a@b.example, date: today, product: Mug, price: "1"`;
const page = (name: string, slug: string, template = "tpl-hero", all = ALL): string =>
  `  ${name}: { template: ${template}, variables: { ${all} }, publish: { site: main, slug: ${slug} } }`;
const manifest = (...pages: string[]): string =>
  ["landform: 1", "name: way", "sites: { main: { name: way.example } }", "pages:", ...pages, ""].join("\n");

const BEFORE = manifest(page("a", "x"), page("b", "y"), page("c", "z"));
const DELETION = "a deletion whose address another page takes";
const CHANGES: readonly (readonly [string, string])[] = [
  ["a rotation", manifest(page("a", "y"), page("b", "z"), page("c", "x"))],
  [DELETION, manifest(page("a", "x"), page("b", "y"), page("n", "z", "tpl-hero", ALL.replace("A", "N")))],
  ["a replacement", manifest(page("a", "x"), page("b", "y"), page("c", "z", "tpl-sales"))],
];
/** A rotation of three pages publishes five or six times. */
const KILLS = Array.from({ length: rounds({ quick: 2, all: 4, soak: 6 }) }, (_, number) => number);

onBothEngines(
  (kind) => {
    const killed = forEachTest(() => Killed.open(BEFORE, { kind, path: realEngine }));
    const places = (): unknown[] =>
      killed
        .rows("pages")
        .filter(({ status }) => status === "published")
        .map(({ pageName, slug }) => [pageName, slug])
        .sort();

    const cases = CHANGES.flatMap(([title, after]) =>
      KILLS.filter((number) => title !== DELETION || number !== 2).map((number) => [title, number, after] as const),
    );
    test.each(cases)("%s, killed after publication %i", async (_, number, after) => {
      await killed.up();
      const before = places();
      killed.declare(after);
      let made = 0;
      const publishes = (asked: { method: string; path: string }): boolean =>
        asked.method === "POST" && asked.path === "/pages/publish" && ++made > 0;
      await killed.kill(["up"], publishes, { number }).catch((error: unknown) => {
        // The run had fewer of them.
        if (made === 0 || made > number) throw error;
      });
      expect(await killed.declare(BEFORE).applies("--force")).not.toMatch(/somebody|in the app: Page/);
      expect(places()).toEqual(before);
      await killed.run("drift", "--detailed-exitcode");
    });

    test("a new page that took the address before the kill keeps it: it is named, and nothing is sent", async () => {
      await killed.up();
      killed.declare(CHANGES.find(([title]) => title === DELETION)?.[1] ?? "");
      await killed.kill(["up"], ({ path }) => path === "/pages/publish", { number: 2 });
      const left = places();
      expect(await killed.declare(BEFORE).says(4, "up", "--yes")).toMatch(/\/z is taken on this site by "n"/);
      expect(places()).toEqual(left);
    });

    test("a page that could not be put back after a failure goes back with the earlier code; until then nothing is undone", async () => {
      await killed.up();
      const before = places();
      killed.declare(CHANGES.find(([title]) => title === DELETION)?.[1] ?? "");
      const refused = { method: "POST", path: "/pages/publish", phase: "status", status: 403 } as const;
      killed.machine.emulator.faults.add({ ...refused, skip: 2, times: 9 });
      expect(await killed.says(1, "up", "--yes")).toContain("could not be put back");
      killed.machine.emulator.faults.clear();
      expect(await killed.says(3, "undo", "--yes")).toMatch(/only the next run can tell.*\n?.*landform up/);
      expect(await killed.declare(BEFORE).run("preview")).toContain("publish.slug");
      await killed.applies("--force");
      expect(places()).toEqual(before);
      expect(await killed.says(4, "undo", "--yes")).toMatch(/\/z is taken on this site by "c"/);
    });

    test("a page that made way, and whose own change failed, goes back with the earlier code; until then nothing is undone", async () => {
      await killed.declare(manifest(page("a", "x"), page("b", "y"))).applies();
      const before = places();
      killed.declare(
        manifest(
          page("a", "y", "tpl-sales").replace("variables", "content: { nope.key: A }, variables"),
          page("b", "x"),
        ),
      );
      await killed.says(1, "up", "--yes");
      expect(places().join()).toContain("x-moving-");
      expect(await killed.says(3, "undo", "--yes")).toMatch(/only the next run can tell/);
      await killed.declare(manifest(page("a", "x"), page("b", "y"))).applies();
      expect(places()).toEqual(before);
    });

    test("a run of some resources that exchanges addresses leaves nothing to look for", async () => {
      await killed.declare(manifest(page("a", "x"), page("b", "y"))).applies();
      const before = places();
      killed.declare(manifest(page("a", "y"), page("b", "x")));
      await killed.applies("--target", "Page/a", "--target", "Page/b");
      expect(await killed.run("preview")).not.toContain("did not come to its end");
      await killed.run("undo", "--yes");
      expect(places()).toEqual(before);
    });

    test("a page that the code takes over at an address on the way is meant to be there", async () => {
      const kept = (template: string): string =>
        page("c", "z", template).replace(/ }$/, ", options: { retainOnDelete: true } }");
      await killed.declare(manifest(kept("tpl-hero"))).applies();
      await killed.declare(manifest(kept("tpl-sales"))).applies("--force");
      const old = killed.rows("pages").find(({ slug }) => String(slug).startsWith("z-replaced-"));
      const there = `  old: { adoptId: ${String(old?.id)}, publish: { site: main, slug: ${String(old?.slug)} } }`;
      await killed.declare(manifest(kept("tpl-sales"), there)).applies("--refresh");
      await killed.run("preview", "--refresh", "--detailed-exitcode");
    });

    test("nobody is sent on from an address on the way, which nobody was ever told", async () => {
      await killed.up();
      killed.declare(manifest(page("a", "y"), page("b", "z"), page("c", "x")));
      let made = 0;
      await killed.kill(["up"], ({ path }) => path === "/pages/publish" && ++made === 2);
      await killed.declare(manifest(page("a", "x2"), page("b", "y2"), page("c", "z2"))).applies("--force");
      const found = await killed.run("redirects");
      expect(found).toMatch(/\/x,http.*\/x2,/);
      expect(found).not.toMatch(/-(moving|replaced)-/);
    });
  },
  { onPulumi: 3 },
);
