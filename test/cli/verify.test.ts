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
      seen: [{ type: "Page", name: "offer", outcome: "seen", keys: [] }],
    });

    desk.emulator.notShown.publicLagMs = 600_000;
    desk.write("landform.yaml", manifest("Second title"));
    const cached = await outputOf(1, run("up", "--yes", "--verify=strict", "--json", "up.json"));
    expect(cached).toMatch(/warning: publish: .*published, still serves the old text of hero\.title after/);
    expect(JSON.parse(desk.read("up.json"))).toMatchObject({
      result: "failed",
      counts: { update: 1, failed: 0 },
      failures: [{ cause: "unseen", message: expect.stringContaining("Page offer was not seen live") as string }],
      seen: [{ outcome: "old", keys: ["hero.title"] }],
    });
    expect(cached).toMatch(/error: Page offer was not seen live, and verify: strict requires that: published, still/);
    expect(cached).toMatch(/Failed: 1 updated/);
    desk.writes();
    expect((await run("up", "--yes", "--verify=strict")).code).toBe(0);
    expect(desk.writes()).toEqual([]);
  });
});
