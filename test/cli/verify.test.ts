// @module-tag thorough
/** `up --verify`: what visitors get, in every form of the report. */
import { expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();
const declare = (title: string) => desk.declare(sited([hero("offer", { title })]));

test.each([
  ["up", "--yes"],
  ["destroy", "--yes"],
  ["undo", "--yes"],
])("LANDFORM_READ_ONLY ends %s %s before it looks at anything, and leaves a preview alone", async (...args) => {
  await declare("First title").up();
  desk.emulator.requests.length = 0;
  declare("Second title");
  desk.also.env = { LANDFORM_READ_ONLY: "true" };
  expect(await desk.says(4, ...args)).toContain("LANDFORM_READ_ONLY is on");
  expect(desk.emulator.requests).toEqual([]);
  await desk.plan();
});

onBothEngines((engine, path) => {
  test.skipIf(leftToSoak(engine))("seen, not seen, and strict", async () => {
    desk.on(engine, path);
    desk.also.env["LANDFORM_VERIFY_WAIT_MS"] = "500";
    const first = await declare("First title").up("--verify", "--json", "up.json", "--markdown", "up.md");
    expect(first).toMatch(/Seen live\n +✓ Page offer: seen after \d+\.\d s {2}http:\/\/\S+\/offer/);
    expect(first).not.toContain("warning");
    expect(desk.read("up.md")).toMatch(/✓ Page offer: seen after/);
    expect(desk.report("up.json").seen).toMatchObject([{ type: "Page", name: "offer", outcome: "seen", keys: [] }]);

    desk.emulator.notShown.publicLagMs = 600_000;
    const cached = await declare("Second title").says(1, "up", "--yes", "--verify=strict", "--json", "up.json");
    expect(cached).toMatch(/warning: publish: .*published, still serves the old text of hero\.title after/);
    expect(desk.report("up.json")).toMatchObject({
      result: "failed",
      counts: { update: 1, failed: 0 },
      failures: [{ cause: "unseen", message: expect.stringContaining("Page offer was not seen live") as string }],
      seen: [{ outcome: "old", keys: ["hero.title"] }],
    });
    expect(cached).toMatch(/error: Page offer was not seen live, and verify: strict requires that: published, still/);
    expect(cached).toMatch(/Failed: 1 updated/);
    await desk.sendsNothing(0, "up", "--yes", "--verify=strict");
  });
});
