// @module-tag thorough
/** Other people's edits in a draft: the plan names them, a run holds or includes them, the report lists them, and they are no drift. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines, whole } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const manifest = (title: string): string => sited([hero("offer", { title }), hero("other", { title: `${title} too` })]);

const program = (title: string): string => `
const main = new landform.Site("sited.example");
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

const INCLUDE = ["--foreign-edits", "include"];

onBothEngines((engine, path) => {
  const mine = ways.map(([way, write]) => ({ way, write, left: way === "a program" && leftToSoak(engine) }));
  for (const { way, write, left } of mine)
    test.skipIf(left)(way, async () => {
      const desk = await NearDesk.own(engine, path);
      write(desk, "First title");
      await desk.up();
      await desk.edits("offer", { "hero.note": "Half a thought" });

      const drift = await desk.says(0, "drift", "--detailed-exitcode", "--json", "drift.json");
      expect(drift).toContain("no drift");
      expect(drift).toContain('hero.note "Half a thought"');
      expect(desk.report("drift.json")).toMatchObject({ drift: [], drafts: [{ name: "offer" }] });

      write(desk, "Second title");
      const preview = await desk.sendsNothing(0, "preview", "--json", "plan.json", "--markdown", "plan.md");
      expect(preview).toMatch(/holds back Page offer.*unpublished edits in its draft.*\n.*hero\.note "Half a thought"/);
      expect(preview).not.toMatch(/Page other back/);
      expect(desk.read("plan.md")).toContain("Half a thought");
      const edits = [{ at: ["content", "hero.note"], now: "Half a thought" }];
      const alsoLive = [{ name: "offer", policy: "hold", edits }];
      expect(desk.report("plan.json")).toMatchObject({ impact: { alsoLive } });

      expect(await desk.says(1, "up", "--yes", "--json", "up.json")).toContain("Done, but 1 page is not published:");
      expect(desk.report("up.json")).toMatchObject({ result: "succeeded", held: [{ name: "offer" }] });
      expect(await desk.visited("sited-example/offer")).toContain("First title");
      expect(await desk.visited("sited-example/other")).toContain("Second title too");

      expect(await desk.up(...INCLUDE)).toContain("somebody's unpublished edits go live");
      expect(await desk.visited("sited-example/offer")).toMatch(/Second title[^]*Half a thought/);
      expect(await desk.sendsNothing(0, "up", "--yes")).toContain("no changes");
    });
});

const desk = NearDesk.all();

test("a plan that can't look says so, and is made all the same", async () => {
  await desk.declare(manifest("First title")).up();
  desk.declare(manifest("Second title"));
  desk.emulator.faults.add({ path: "/pages/builder", phase: "status", status: 403, times: Infinity });
  expect(await desk.plan()).toMatch(/warning: [^]*because the key may not read the builder/);
  desk.emulator.faults.clear();
  await desk.up();
});

test("the stack's word, and a wrong one", async () => {
  await desk.declare(manifest("First title")).up();
  await desk.edits("offer", { "hero.note": "A whole thought" });
  desk.declare(manifest("Third title"));
  const wrong = await desk.run(["up", "--yes"], { env: { LANDFORM_FOREIGN_EDITS: "maybe" } });
  expect(wrong.code).not.toBe(0);
  expect(wrong.stdout + wrong.stderr).toMatch(/LANDFORM_FOREIGN_EDITS.* is neither hold nor include/);
  await desk.says(0, "config", "set", "landform:foreignEdits", "include");
  await desk.up();
  expect(await desk.visited("sited-example/offer")).toMatch(/Third title[^]*A whole thought/);
});
