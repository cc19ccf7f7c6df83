/** What was in a page's draft before a run, and no visitor had seen, is in the draft again when the run is undone. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { JsonMap } from "../../provider/json.ts";
import { call } from "./account.ts";
import { UndoWorld, urnOf, type Declared } from "./world.ts";

let world: UndoWorld;
beforeAll(async () => {
  world = await UndoWorld.open();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.up([]);
});

const site: Declared = { kind: "site", name: "drafts.example", inputs: {} };

function page(content: JsonMap, more: JsonMap = {}): Declared {
  const publish = { siteId: { ref: "site/drafts.example" }, slug: "offer" };
  return {
    kind: "page",
    name: "offer",
    inputs: { templateId: "tpl-hero", content, variables: { brand: "Acme" }, publish, ...more },
  };
}

const pageId = (): string => world.states.find(({ urn }) => urn === urnOf("page", "offer"))?.id ?? "";

const edit = (updates: JsonMap): Promise<unknown> =>
  call(world, "PATCH", "/pages/content", { page_id: pageId(), updates });

async function draftSays(): Promise<Record<string, unknown>> {
  const map = (await call(world, "GET", `/search/page-content-map?page_id=${pageId()}`)) as { fields: string };
  const fields = JSON.parse(map.fields) as { key: string; value: unknown }[];
  return Object.fromEntries(fields.map(({ key, value }) => [key, value]));
}

async function visitors(): Promise<string> {
  return (await fetch(`${world.emulator.url}/_sites/drafts-example/offer`)).text();
}

test("a declared text: what was published is published again, and the draft says what it said", async () => {
  await world.up([site, page({ "hero.title": "One" })]);
  await edit({ "hero.title": "Half a thought" });
  const run = await world.up([site, page({ "hero.title": "Two" })]);
  expect(await visitors()).toContain("Two");
  const { plan, undo } = await world.prepare(run);
  expect(plan.lost).toEqual([]);
  await world.carryOut(undo);
  expect(await visitors()).toContain("One");
  expect(await visitors()).not.toContain("Half a thought");
  expect(await draftSays()).toMatchObject({ "hero.title": "Half a thought" });
  expect((await world.prepare(run)).undo.steps).toEqual([]);
});

test("a text that nobody had declared: it is a draft again, and that its public words are unknown is said first", async () => {
  await world.up([site, page({ "hero.title": "One" })]);
  await edit({ "hero.note": "Half a thought" });
  const run = await world.up([site, page({ "hero.title": "Two", "hero.note": "Ours now" })]);
  expect(await visitors()).toContain("Ours now");
  const { plan, undo } = await world.prepare(run);
  expect(plan.lost).toMatchObject([{ name: "offer", text: expect.stringContaining('content["hero.note"]') as string }]);
  await world.carryOut(undo);
  expect(await visitors()).toContain("One");
  expect(await visitors()).not.toContain("Half a thought");
  expect(await draftSays()).toMatchObject({ "hero.title": "One", "hero.note": "Half a thought" });
});

test("an edit that somebody had published comes back before visitors", async () => {
  await world.up([site, page({ "hero.title": "One" })]);
  await edit({ "hero.title": "By hand" });
  const { siteId } = world.states.find(({ urn }) => urn === urnOf("page", "offer"))?.outputs ?? {};
  await call(world, "POST", "/pages/publish", { page_id: pageId(), site_id: siteId, slug: "offer" });
  const run = await world.up([site, page({ "hero.title": "Two" })]);
  const { undo } = await world.prepare(run);
  await world.carryOut(undo);
  expect(await visitors()).toContain("By hand");
});

test("a page that is not published stays a draft", async () => {
  const { publish: _, ...inputs } = page({ "hero.title": "One" }).inputs;
  const draft = (title: string): Declared => ({
    kind: "page",
    name: "offer",
    inputs: { ...inputs, content: { "hero.title": title } },
  });
  await world.up([site, draft("One")]);
  await edit({ "hero.title": "Half a thought" });
  const run = await world.up([site, draft("Two")]);
  const { undo } = await world.prepare(run);
  await world.carryOut(undo);
  expect(await draftSays()).toMatchObject({ "hero.title": "Half a thought" });
  expect(world.states.find(({ urn }) => urn === urnOf("page", "offer"))?.outputs?.["status"]).toBe("draft");
});
