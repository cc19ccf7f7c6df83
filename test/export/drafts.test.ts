/** An export takes the texts of drafts. It names the texts that visitors don't see yet, before an up publishes them. */
import { beforeEach, expect } from "vitest";
import { cleanOutputOf, outputOf, type Ended } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const desk = forEachTest(() => NearDesk.open("quickstart-yaml"));
beforeEach(() => desk.up());

function exported(...args: string[]): Promise<Ended> {
  const project = desk.rows("projects")[0]?.id ?? "";
  return desk.run(["export", "-o", ".", "--project", project, ...args]);
}

const DRAFT =
  /Warning: The code now has these texts of drafts: pages\.offer\.content\.hero\.title\. .* the next up publishes them/;

thorough("a text of a draft is taken, named, and not promised to be sent nowhere", async () => {
  await desk.edits("Offer", { "hero.title": "SECRET draft" });
  const first = await cleanOutputOf(exported());
  expect(first).toMatch(DRAFT);
  expect(first).not.toContain("changes nothing");
  expect(desk.read("landform.yaml")).toContain("hero.title: SECRET draft");

  // As long as no up has published it.
  const again = await exported("--json");
  expect(again.code).toBe(0);
  const drafts = { texts: ["pages.offer.content.hero.title"], whole: [] };
  expect(JSON.parse(again.stdout)).toMatchObject({ files: [], drafts });

  await desk.says(0, "refresh", "--yes");
  expect(await outputOf(0, exported())).toMatch(DRAFT);

  await desk.up();
  const settled = await exported();
  expect([settled.code, settled.stdout]).toEqual([0, expect.not.stringContaining("draft")]);
});

thorough("what was published in the app is no draft", async () => {
  await desk.edits("Offer", { "hero.title": "Public" });
  await desk.publishes("Offer", "offer");
  const { code, stdout } = await exported();
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("draft")]);
  expect(stdout).toMatch(/Brought up to date: .*pages\.offer\.content\.hero\.title/);
  expect(stdout).not.toContain("changes nothing");
});
