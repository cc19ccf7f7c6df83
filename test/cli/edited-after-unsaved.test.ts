// @module-tag thorough
/** A large run on Pulumi's engine is killed before it has saved the state, and a person edits what it had published. Nobody writes over that unasked. */
import { describe, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { forEachTest } from "../suite/opened.ts";
import { realEngine } from "../suite/parts.ts";

const MANY = 32;
const manifest = (title: string, price: number): string =>
  [
    "landform: 1",
    "name: unsaved",
    "sites: { main: { name: unsaved.example } }",
    "pages:",
    `  p: { template: tpl-hero, variables: { brand: A }, content: { hero.title: ${title} }, publish: { site: main, slug: p } }`,
    "products:",
    ...Array.from({ length: MANY }, (_, at) => `  m${at}: { price: ${price}, options: { dependsOn: [pages.p] } }`),
    "",
  ].join("\n");

describe.skipIf(realEngine === undefined)("on Pulumi's engine", () => {
  const killed = forEachTest(() => Killed.open(manifest("One", 5), { kind: "pulumi", path: realEngine }));

  test("the next run holds it, and does the rest", { timeout: 240_000 }, async () => {
    await killed.up("--force");
    killed.declare(manifest("Two", 5.5));
    await killed.kill(["up"], ({ method, path }) => method === "PATCH" && path === "/products", { number: 3 });
    const [{ id }] = killed.rows("pages") as [{ id: string }];
    await killed.app("PATCH", "/pages/content", { page_id: id, updates: { "hero.title": "A colleague's" } });
    expect(await killed.says(1, "up", "--yes")).toMatch(/Page p[^]*hero\.title "A colleague's" in the app/);
    const map = await killed.app("GET", `/search/page-content-map?page_id=${id}`);
    expect(JSON.stringify(map)).toContain("A colleague's");
    expect(killed.rows("products").map(({ price }) => price)).toEqual(Array.from({ length: MANY }, () => 5.5));
    await killed.up("--foreign-edits", "include");
    await killed.plansNothing();
  });

  test(
    "what the killed run itself has changed is nobody's edit, also where only a count shows it",
    { timeout: 240_000 },
    async () => {
      const bundles = (...items: string[]): string =>
        manifest("One", 5).replaceAll(
          "price: 5,",
          `price: 5, type: bundle, bundleItems: ${JSON.stringify(items.map((product) => ({ product })))},`,
        );
      await killed.declare(bundles("a")).up("--force");
      killed.declare(bundles("a", "b"));
      await killed.kill(["up"], ({ method, path }) => method === "PATCH" && path === "/products", { number: 3 });
      await killed.up();
      await killed.plansNothing();
    },
  );

  test(
    "an engine that outlives its run, and saves the state: the next run leaves her text alone, as any other would",
    { timeout: 240_000 },
    async () => {
      await killed.up("--force");
      await killed.declare(manifest("Two", 5.5)).up("--force");
      killed.machine.losesEnd();
      const [{ id }] = killed.rows("pages") as [{ id: string }];
      await killed.app("PATCH", "/pages/content", { page_id: id, updates: { "hero.title": "A colleague's" } });
      expect(await killed.up()).not.toContain("writes over");
      const map = await killed.app("GET", `/search/page-content-map?page_id=${id}`);
      expect(JSON.stringify(map)).toContain("A colleague's");
    },
  );
});
