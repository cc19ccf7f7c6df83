// @module-tag thorough
/** Other people's edits in a draft: the plan names them, a run holds or includes them, the report lists them, and they are no drift. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines, whole } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";

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
  ["landform.yaml", (desk, title) => desk.declare(manifest(title))],
  // The same in a program, which takes as many processes again.
  ...(whole ? [["a program", (desk: NearDesk, title: string) => desk.program(program(title))] as const] : []),
];

async function pageId(desk: NearDesk, slug: string): Promise<string> {
  const rows = (await desk.app<unknown>("GET", "/pages")) as { id: string; slug: string }[];
  return rows.find((row) => row.slug === slug)?.id ?? "";
}

async function visitors(desk: NearDesk, slug: string): Promise<string> {
  const response = await fetch(`${new URL(desk.emulator.baseUrl).origin}/_sites/stowaways-example/${slug}`);
  expect(response.status).toBe(200);
  return response.text();
}

const desk = NearDesk.all();

onBothEngines((engine, path) => {
  const mine = ways.map(([way, write]) => ({ way, write, left: way === "a program" && leftToSoak(engine) }));
  for (const { way, write, left } of mine)
    test.skipIf(left)(way, async () => {
      const own = await NearDesk.own(engine, path);

      write(own, "First title");
      await own.up();
      const half = { page_id: await pageId(own, "offer"), updates: { "hero.note": "Half a thought" } };
      await own.app("PATCH", "/pages/content", half);

      const drift = await own.says(0, "drift", "--detailed-exitcode", "--json", "drift.json");
      expect(drift).toContain("no drift");
      expect(drift).toContain('hero.note "Half a thought"');
      expect(own.report("drift.json")).toMatchObject({ drift: [], drafts: [{ name: "offer" }] });

      write(own, "Second title");
      own.writes();
      const preview = await own.says(0, "preview", "--json", "plan.json", "--markdown", "plan.md");
      expect(own.writes()).toEqual([]);
      expect(preview).toMatch(/holds back Page offer.*unpublished edits in its draft.*\n.*hero\.note "Half a thought"/);
      expect(preview).not.toMatch(/Page other back/);
      expect(own.read("plan.md")).toContain("Half a thought");
      expect(own.report("plan.json")).toMatchObject({
        impact: {
          alsoLive: [
            { name: "offer", policy: "hold", edits: [{ at: ["content", "hero.note"], now: "Half a thought" }] },
          ],
        },
      });

      const held = await own.says(1, "up", "--yes", "--json", "up.json");
      expect(held).toContain("Done, but 1 page is not published:");
      expect(own.report("up.json")).toMatchObject({ result: "succeeded", held: [{ name: "offer" }] });
      expect(await visitors(own, "offer")).toContain("First title");
      expect(await visitors(own, "other")).toContain("Second title too");

      expect(await own.up("--foreign-edits", "include")).toContain("somebody's unpublished edits go live");
      expect(await visitors(own, "offer")).toMatch(/Second title[^]*Half a thought/);
      own.writes();
      expect((await own.run(["up", "--yes"])).stdout).toContain("no changes");
      expect(own.writes()).toEqual([]);
    });
});

test("a plan that can't look says so, and is made all the same", async () => {
  desk.declare(manifest("First title"));
  await desk.up();
  desk.declare(manifest("Second title"));
  desk.emulator.faults.add({ path: "/pages/builder", phase: "status", status: 403, times: Infinity });
  const preview = await desk.run(["preview"]);
  desk.emulator.faults.clear();
  expect(preview.code).toBe(0);
  expect(preview.stdout).toMatch(/warning: [^]*because the key may not read the builder/);
  await desk.up();
});

test("the stack's word, and a wrong one", async () => {
  await editInApp(desk, await pageId(desk, "offer"), { "hero.note": "A whole thought" });
  desk.declare(manifest("Third title"));
  const wrong = await desk.run(["up", "--yes"], { env: { LANDFORM_FOREIGN_EDITS: "maybe" } });
  expect(wrong.code).not.toBe(0);
  expect(wrong.stdout + wrong.stderr).toMatch(/LANDFORM_FOREIGN_EDITS.* is neither hold nor include/);
  await desk.says(0, "config", "set", "landform:foreignEdits", "include");
  await desk.up();
  expect(await visitors(desk, "offer")).toMatch(/Third title[^]*A whole thought/);
});
