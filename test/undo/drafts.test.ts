// @module-tag thorough
/**
 * A text that was in a page's draft before a run, unseen by visitors, is in the draft again after the undo. A run's changes to builder nodes go back,
 * also for visitors.
 */
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { draftInApp, editInApp, inTheApp, publishInApp } from "../suite/app.ts";
import { type Declared, UndoDesk } from "./desk.ts";
import { forEachTest } from "../suite/opened.ts";

const world = forEachTest(() => UndoDesk.open());

const SITE: Declared = { sites: { main: { name: "drafts.example" } } };

function declared(content: JsonMap, more: JsonMap = {}): Declared {
  const publish = { site: "main", slug: "offer" };
  const offer = { template: "tpl-hero", content, variables: { brand: "Acme" }, publish, ...more };
  return { ...SITE, pages: { offer } };
}

const INCLUDE = { onForeignEdits: "include" };
/** The code of a run that holds a page back. */
const HELD = 1;

const pageId = (): string => world.idOf("pages", "offer");

const edit = (updates: JsonMap): Promise<unknown> => editInApp(world, pageId(), updates);

const draftSays = (): Promise<Record<string, string>> => draftInApp(world, pageId());

const visitors = async (): Promise<string> => (await fetch(`${world.emulator.url}/_sites/drafts-example/offer`)).text();

beforeEach(() => {
  world.emulator.notShown.contentMapShows = "draft";
});

test.each(["draft", "live"] as const)(
  "a declared text, where the content map shows the %s text, goes public as reviewed; undone, what was published is published again, and the draft says what it said",
  async (shows) => {
    world.emulator.notShown.contentMapShows = shows;
    await world.up(declared({ "hero.title": "One" }));
    await edit({ "hero.title": "Half a thought" });
    const run = await world.up(declared({ "hero.title": "Two" }, INCLUDE));
    expect(await visitors()).toContain("Two");
    expect((await world.look(run)).lost).toEqual([]);
    const back = await world.undo(run);
    expect(await visitors()).toContain("One");
    expect(await visitors()).not.toContain("Half a thought");
    expect(await draftSays()).toMatchObject({ "hero.title": "Half a thought" });
    expect(await world.look(run)).toMatchObject({ changes: [], nothingLeft: true });
    if (shows === "draft") return;
    await world.undo(back);
    expect(await visitors()).toContain("Two");
  },
);

test("a text that nobody had declared: what visitors got is known where the map shows it, and comes back with the draft", async () => {
  world.emulator.notShown.contentMapShows = "live";
  await world.up(declared({ "hero.title": "One" }));
  await edit({ "hero.cta.text": "Half a thought", "hero.cta.url": "https://half.example" });
  const ours = { "hero.title": "Two", "hero.cta.text": "Ours now", "hero.cta.url": "https://ours.example" };
  // Another button has the same address, so nobody can tell which of them was edited.
  const run = await world.up(declared(ours, INCLUDE));
  expect(await visitors()).toContain("Ours now");
  const { lost } = await world.look(run);
  expect(lost).toMatchObject([{ text: expect.stringContaining('content["hero.cta.url"]') as string }]);
  await world.undo(run);
  expect(await visitors()).toContain("Choose yours");
  expect(await visitors()).not.toContain("Half a thought");
  expect(await draftSays()).toMatchObject({ "hero.title": "One", "hero.cta.text": "Half a thought" });
});

test("an edit that somebody had published comes back before visitors", async () => {
  await world.up(declared({ "hero.title": "One" }));
  await edit({ "hero.title": "By hand" });
  await publishInApp(world, pageId(), { siteId: world.idOf("sites", "main"), slug: "offer" });
  const run = await world.up(declared({ "hero.title": "Two" }, INCLUDE));
  await world.undo(run);
  expect(await visitors()).toContain("By hand");
});

test("a deleted page: that what was held back goes public with the new one is said first", async () => {
  await world.up(declared({ "hero.title": "One" }));
  await edit({ "hero.note": "Half a thought" });
  await world.up(declared({ "hero.title": "Two" }), HELD);
  expect(await visitors()).toContain("One");
  const run = await world.up(SITE);
  const { lost } = await world.look(run);
  expect(lost.map(({ text }) => text).join("\n")).toMatch(/its last change was held back, and no visitor saw it/);
  await world.undo(run);
  expect(await visitors()).not.toContain("Half a thought");
  expect(await draftSays()).toMatchObject({ "hero.title": "Two", "hero.note": "Half a thought" });
});

test("a page that was held back twice, and undone: what was never public stays so", async () => {
  await world.up(declared({ "hero.title": "21 March" }));
  const { "hero.note": note = "" } = await draftSays();
  await edit({ "hero.note": "Half a thought" });
  await world.up(declared({ "hero.title": "28 March" }), HELD);
  expect(await visitors()).toContain("21 March");
  const run = await world.up(declared({ "hero.title": "28 March" }, { tags: ["again"] }), HELD);
  expect(await visitors()).toContain("21 March");
  await edit({ "hero.note": note });
  await world.undo(run);
  expect(await visitors()).toContain("21 March");
  expect(await visitors()).not.toContain("28 March");
  await world.up(declared({ "hero.title": "28 March" }));
  expect(await visitors()).toContain("28 March");
});

const withNodes = (nodes?: JsonMap): Declared => declared({ "hero.title": "One" }, nodes && { nodes });

async function nodeOf(name: string): Promise<string> {
  const tree = JSON.stringify(await inTheApp<unknown>(world, "GET", `/pages/builder?page_id=${pageId()}`));
  return new RegExp(`"id":"([^"]+)","type":"[^"]+","misc":\\{"name":"${name}"`).exec(tree)?.[1] ?? "";
}

async function styleOf(nodeId: string): Promise<string> {
  const html = await visitors();
  return /style="([^"]*)"/.exec(new RegExp(`data-node="${nodeId}"[^>]*`).exec(html)?.[0] ?? "")?.[1] ?? "";
}

describe.each(["draft", "live"] as const)("builder nodes, where the content map shows %s", (shows) => {
  let note: string;
  beforeEach(async () => {
    world.emulator.notShown.contentMapShows = shows;
    await world.up(withNodes());
    note = await nodeOf("hero.note");
  });

  test("a property that wasn't there goes, and the undo of that brings it again", async () => {
    const run = await world.up(withNodes({ [note]: { style: { color: "#112233" } } }));
    expect(await styleOf(note)).toBe("color:#112233");
    expect((await world.look(run)).lost).toEqual([]);
    const back = await world.undo(run);
    expect(await styleOf(note)).toBe("");
    expect(world.said).not.toContain("was edited while it was being published");
    expect(await world.look(run)).toMatchObject({ changes: [], conflicts: [], nothingLeft: true });
    await world.undo(back);
    expect(await styleOf(note)).toBe("color:#112233");
  });

  test("a property beside a declared one goes, and the declared one is as it was", async () => {
    await world.up(withNodes({ [note]: { style: { color: "#112233" } } }));
    const run = await world.up(withNodes({ [note]: { style: { color: "#445566", opacity: "0.5" } } }));
    expect(await styleOf(note)).toBe("color:#445566;opacity:0.5");
    await world.undo(run);
    expect(await styleOf(note)).toBe("color:#112233");
    expect(await world.look(run)).toMatchObject({ changes: [], nothingLeft: true });
    expect(world.stateOf("pages", "offer")?.outputs["nodes"]).toEqual({ [note]: { style: { color: "#112233" } } });
  });
});
