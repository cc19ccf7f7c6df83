/** An export takes the texts of drafts. It names the texts that visitors don't see yet, before an up publishes them. */
import { beforeEach, expect } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "../cli/harness.ts";
import { thorough } from "../suite/parts.ts";

const desk = forEachTest(() => NearDesk.open("quickstart-yaml"));
const api = forEachTest(() => new LandformApi(desk.emulator));

beforeEach(async () => {
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
});

async function offer() {
  const [page] = (await api.pages.list({ limit: 100 })).filter(({ page_name: name }) => name === "Offer");
  if (page === undefined) throw new Error("there is no page Offer");
  return page;
}

async function exported(...args: string[]) {
  const { project_id: project } = await offer();
  return desk.run(["export", "-o", ".", "--project", project ?? "", ...args]);
}

async function edited(updates: Record<string, string>): Promise<void> {
  const { id } = await offer();
  await api.pages.updateContent({ page_id: id, updates });
}

async function published(): Promise<void> {
  const { id, site_id: site, slug } = await offer();
  await api.pages.publish({ page_id: id, site_id: site ?? "", slug: slug ?? "" });
}

const DRAFT =
  /Warning: The code now has these texts of drafts: pages\.offer\.content\.hero\.title\. .* the next up publishes them/;

thorough("a text of a draft is taken, named, and not promised to be sent nowhere", async () => {
  await edited({ "hero.title": "SECRET draft" });
  const first = await exported();
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toMatch(DRAFT);
  expect(first.stdout).not.toContain("changes nothing");
  expect(desk.read("landform.yaml")).toContain("hero.title: SECRET draft");

  // As long as no up has published it.
  const again = await exported("--json");
  expect(again.code).toBe(0);
  expect(JSON.parse(again.stdout)).toMatchObject({
    files: [],
    drafts: { texts: ["pages.offer.content.hero.title"], whole: [] },
  });

  expect((await desk.run(["refresh", "--yes"])).code).toBe(0);
  expect(await outputOf(0, exported())).toMatch(DRAFT);

  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  const settled = await exported();
  expect([settled.code, settled.stdout]).toEqual([0, expect.not.stringContaining("draft")]);
});

thorough("what was published in the app is no draft", async () => {
  await edited({ "hero.title": "Public" });
  await published();
  const { code, stdout } = await exported();
  expect([code, stdout]).toEqual([0, expect.not.stringContaining("draft")]);
  expect(stdout).toMatch(/Brought up to date: .*pages\.offer\.content\.hero\.title/);
  expect(stdout).not.toContain("changes nothing");
});
