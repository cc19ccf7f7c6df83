// @module-tag thorough
/** `up --verify`: what visitors get, in every form of the report. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const manifest = (title: string): string => `landform: 1
name: seen
sites: { main: { name: seen.example } }
pages:
  offer:
    name: Offer
    template: tpl-hero
    content: { hero.title: ${title} }
    variables: { brand: Acme }
    publish: { site: main, slug: offer }
`;

test.each([
  [{ LANDFORM_READ_ONLY: "maybe" }, 'LANDFORM_READ_ONLY is "maybe". Set it to true or false.'],
  [{ LANDFORM_VERIFY: "maybe" }, "LANDFORM_VERIFY is not true, false or strict"],
  [{ LANDFORM_VERIFY_WAIT_MS: "soon" }, "LANDFORM_VERIFY_WAIT_MS is not a number"],
  [{ LANDFORM_FOREIGN_EDITS: "keep" }, "LANDFORM_FOREIGN_EDITS is neither hold nor include"],
])("%j is found wrong before anything is looked at", async (env, message) => {
  const desk = await inTest(NearDesk.open());
  desk.write("landform.yaml", manifest("First title"));
  for (const args of [["preview"], ["up", "--yes"]]) {
    expect(await outputOf(4, desk.run(args, { env }))).toContain(message);
  }
  expect(desk.emulator.requests).toEqual([]);
});

test.each([
  ["up", "--yes"],
  ["destroy", "--yes"],
  ["undo", "--yes"],
])("LANDFORM_READ_ONLY ends %s %s before it looks at anything, and leaves a preview alone", async (...args) => {
  const desk = await inTest(NearDesk.open());
  desk.write("landform.yaml", manifest("First title"));
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.emulator.requests.length = 0;
  desk.write("landform.yaml", manifest("Second title"));
  const env = { LANDFORM_READ_ONLY: "true" };
  expect(await outputOf(4, desk.run(args, { env }))).toContain("LANDFORM_READ_ONLY is on");
  expect(desk.emulator.requests).toEqual([]);
  expect((await desk.run(["preview"], { env })).code).toBe(0);
});

test("the first publication of a page without texts is seen: no revision was there before", async () => {
  const desk = await inTest(NearDesk.open());
  desk.write("landform.yaml", manifest("x").replace("    content: { hero.title: x }\n", ""));
  const up = await desk.run(["up", "--yes", "--verify"]);
  expect([up.code, up.stdout]).toEqual([0, expect.stringMatching(/Page offer.*seen after/s)]);
  expect(up.stdout).not.toContain("the revision before");
  expect((await desk.run(["preview"])).stdout).toContain("no changes");
});

onBothEngines((engine, path) => {
  test.skipIf(leftToSoak(engine))("seen, not seen, and strict", async () => {
    const desk = await inTest(NearDesk.open());
    const env = { PATH: path("/nowhere"), LANDFORM_VERIFY_WAIT_MS: "500" };
    const run = (...args: string[]) => desk.run([...args, "--engine", engine], { env });
    desk.write("landform.yaml", manifest("First title"));
    const first = await outputOf(0, run("up", "--yes", "--verify", "--json", "up.json", "--markdown", "up.md"));
    expect(first).toMatch(/Seen live\n +✓ Page offer: seen after \d+\.\d s {2}http:\/\/\S+\/offer/);
    expect(first).not.toContain("warning");
    expect(desk.read("up.md")).toMatch(/✓ Page offer: seen after/);
    expect(JSON.parse(desk.read("up.json"))).toMatchObject({
      warnings: [],
      seen: [{ type: "Page", name: "offer", outcome: "seen", keys: [] }],
    });

    desk.emulator.notShown.publicLagMs = 600_000;
    desk.write("landform.yaml", manifest("Second title"));
    const cached = await outputOf(1, run("up", "--yes", "--verify=strict", "--json", "up.json"));
    expect(cached).toMatch(/warning: publish: .*published, still serves the old text of hero\.title after/);
    expect(JSON.parse(desk.read("up.json"))).toMatchObject({
      result: "failed",
      counts: { update: 1, failed: 0 },
      failures: [{ cause: "unseen", message: expect.stringContaining("Page offer is not seen live") as string }],
      seen: [{ outcome: "old", keys: ["hero.title"] }],
    });
    expect(cached).toMatch(/error: Page offer is not seen live, which verify: strict asks for: published, still/);
    expect(cached).toMatch(/Failed: 1 updated/);
    desk.writes();
    expect((await run("up", "--yes", "--verify=strict")).code).toBe(0);
    expect(desk.writes()).toEqual([]);
  });
});
