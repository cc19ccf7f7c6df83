// @module-tag thorough
/** Other people's edits in a draft: the plan names them, a run holds or includes them, the report lists them, and they are no drift. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines, whole } from "../suite/parts.ts";
import { editInApp, inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const manifest = (title: string, more = ""): string => `landform: 1
name: stowaways
sites: { main: { name: stowaways.example } }
pages:
  offer:
    name: Offer
    template: tpl-hero
    content: { hero.title: ${title} }
    variables: { brand: Acme }
    publish: { site: main, slug: offer }
${more}  other:
    name: Other
    template: tpl-hero
    content: { hero.title: ${title} too }
    variables: { brand: Acme }
    publish: { site: main, slug: other }
`;

const program = (title: string): string => `
const main = new landform.Site("stowaways.example");
const page = (name: string, title: string) =>
  new landform.Page(name, {
    templateId: "tpl-hero",
    content: { "hero.title": title },
    variables: { brand: "Acme" },
    publish: { siteId: main.id, slug: name },
  });
page("offer", ${JSON.stringify(title)});
page("other", ${JSON.stringify(`${title} too`)});
`;

const ways: (readonly [string, (desk: NearDesk, title: string) => void])[] = [
  ["landform.yaml", (desk, title) => desk.write("landform.yaml", manifest(title))],
  // The same in a program, which takes as many processes again.
  ...(whole ? [["a program", (desk: NearDesk, title: string) => desk.program(program(title))] as const] : []),
];

async function pageId(desk: NearDesk, slug: string): Promise<string> {
  const rows = (await inTheApp<unknown>(desk, "GET", "/pages")) as { id: string; slug: string }[];
  return rows.find((row) => row.slug === slug)?.id ?? "";
}

async function visitors(desk: NearDesk, slug: string): Promise<string> {
  const response = await fetch(`${new URL(desk.emulator.baseUrl).origin}/_sites/stowaways-example/${slug}`);
  expect(response.status).toBe(200);
  return response.text();
}

const desk = forAllTests(() => NearDesk.open());

onBothEngines((engine, path) => {
  const mine = ways.map(([way, write]) => ({ way, write, left: way === "a program" && leftToSoak(engine) }));
  for (const { way, write, left } of mine)
    test.skipIf(left)(way, async () => {
      const own = await inTest(NearDesk.open());
      const env = { PATH: path("/usr/bin:/bin") };
      const run = (...args: string[]) => own.run([...args, "--engine", engine], { env });
      write(own, "First title");
      expect((await run("up", "--yes")).code).toBe(0);
      const half = { page_id: await pageId(own, "offer"), updates: { "hero.note": "Half a thought" } };
      await inTheApp(own, "PATCH", "/pages/content", half);

      const drift = await run("drift", "--detailed-exitcode", "--json", "drift.json");
      expect(drift.code).toBe(0);
      expect(drift.stdout).toContain("no drift");
      expect(drift.stdout).toContain('hero.note "Half a thought"');
      expect(JSON.parse(own.read("drift.json"))).toMatchObject({ drift: [], drafts: [{ name: "offer" }] });

      write(own, "Second title");
      own.writes();
      const preview = await run("preview", "--json", "plan.json", "--markdown", "plan.md");
      expect(preview.code).toBe(0);
      expect(own.writes()).toEqual([]);
      expect(preview.stdout).toMatch(
        /holds back Page offer.*unpublished edits in its draft.*\n.*hero\.note "Half a thought"/,
      );
      expect(preview.stdout).not.toMatch(/Page other back/);
      expect(own.read("plan.md")).toContain("Half a thought");
      expect(JSON.parse(own.read("plan.json"))).toMatchObject({
        impact: {
          alsoLive: [
            { name: "offer", policy: "hold", edits: [{ at: ["content", "hero.note"], now: "Half a thought" }] },
          ],
        },
      });

      const held = await run("up", "--yes", "--json", "up.json");
      expect(held.code).toBe(1);
      expect(held.stdout).toContain("Done, but 1 page is not published:");
      expect(JSON.parse(own.read("up.json"))).toMatchObject({ result: "succeeded", held: [{ name: "offer" }] });
      expect(await visitors(own, "offer")).toContain("First title");
      expect(await visitors(own, "other")).toContain("Second title too");

      expect(await outputOf(0, run("up", "--yes", "--foreign-edits", "include"))).toContain(
        "somebody's unpublished edits go live",
      );
      expect(await visitors(own, "offer")).toMatch(/Second title[^]*Half a thought/);
      own.writes();
      expect((await run("up", "--yes")).stdout).toContain("no changes");
      expect(own.writes()).toEqual([]);
    });
});

test("a plan that can't look says so, and is made all the same", async () => {
  desk.write("landform.yaml", manifest("First title"));
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.write("landform.yaml", manifest("Second title"));
  desk.emulator.faults.add({ path: "/pages/builder", phase: "status", status: 403, times: Infinity });
  const preview = await desk.run(["preview"]);
  desk.emulator.faults.clear();
  expect(preview.code).toBe(0);
  expect(preview.stdout).toMatch(/warning: [^]*because the key may not read the builder/);
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
});

test("the stack's word, and a wrong one", async () => {
  await editInApp(desk, await pageId(desk, "offer"), { "hero.note": "A whole thought" });
  desk.write("landform.yaml", manifest("Third title"));
  const wrong = await desk.run(["up", "--yes"], { env: { LANDFORM_FOREIGN_EDITS: "maybe" } });
  expect(wrong.code).not.toBe(0);
  expect(wrong.stdout + wrong.stderr).toMatch(/LANDFORM_FOREIGN_EDITS.* is neither hold nor include/);
  expect((await desk.run(["config", "set", "landform:foreignEdits", "include"])).code).toBe(0);
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  expect(await visitors(desk, "offer")).toMatch(/Third title[^]*A whole thought/);
});
