/** A run's changes to a page's builder nodes go back, also for visitors. Somebody else's later changes stay. */
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { inTheApp } from "../suite/app.ts";
import { UndoWorld, urnOf, type Declared } from "./world.ts";
import { forAllTests } from "../suite/opened.ts";

const world = forAllTests(() => UndoWorld.open());

const site: Declared = { kind: "site", name: "nodes.example", inputs: {} };

function page(nodes?: JsonMap, texts: JsonMap = {}): Declared {
  const publish = { siteId: { ref: "site/nodes.example" }, slug: "offer" };
  const inputs = {
    templateId: "tpl-hero",
    content: { "hero.title": "One", ...texts },
    variables: { brand: "Acme" },
    publish,
  };
  return { kind: "page", name: "offer", inputs: { ...inputs, ...(nodes && { nodes }) } };
}

const pageId = (): string => world.states.find(({ urn }) => urn === urnOf("page", "offer"))?.id ?? "";

async function nodeOf(name: string): Promise<string> {
  const tree = JSON.stringify(await inTheApp<unknown>(world, "GET", `/pages/builder?page_id=${pageId()}`));
  return new RegExp(`"id":"([^"]+)","type":"[^"]+","misc":\\{"name":"${name}"`).exec(tree)?.[1] ?? "";
}

async function visitors(): Promise<string> {
  return (await fetch(`${world.emulator.url}/_sites/nodes-example/offer`)).text();
}

/** Returns the style as visitors get it. */
async function styleOf(nodeId: string): Promise<string> {
  const html = await visitors();
  return /style="([^"]*)"/.exec(new RegExp(`data-node="${nodeId}"[^>]*`).exec(html)?.[0] ?? "")?.[1] ?? "";
}

describe.each(["draft", "live"] as const)("the content map shows %s", (shows) => {
  let note: string;
  beforeEach(async () => {
    world.emulator.notShown.contentMapShows = shows;
    await world.up([]);
    await world.up([site, page()]);
    note = await nodeOf("hero.note");
  });

  test("a property that wasn't there goes, and the undo of that brings it again", async () => {
    const run = await world.up([site, page({ [note]: { style: { color: "#112233" } } })]);
    expect(await styleOf(note)).toBe("color:#112233");
    const { plan, undo } = await world.prepare(run);
    expect(plan.lost).toEqual([]);
    const back = await world.carryOut(undo);
    expect(await styleOf(note)).toBe("");
    expect((await world.prepare(run)).undo.steps).toEqual([]);
    await world.carryOut((await world.prepare(back)).undo);
    expect(await styleOf(note)).toBe("color:#112233");
  });

  test("a property beside a declared one goes, and the declared one is as it was", async () => {
    await world.up([site, page({ [note]: { style: { color: "#112233" } } })]);
    const change = [site, page({ [note]: { style: { color: "#445566", opacity: "0.5" } } })];
    const run = await world.up(change);
    expect(await styleOf(note)).toBe("color:#445566;opacity:0.5");
    const { undo } = await world.prepare(run);
    await world.carryOut(undo);
    expect(await styleOf(note)).toBe("color:#112233");
    expect((await world.prepare(run)).undo.steps).toEqual([]);
    const outputs = world.states.find(({ urn }) => urn === urnOf("page", "offer"))?.outputs;
    expect(outputs?.["nodes"]).toEqual({ [note]: { style: { color: "#112233" } } });
  });
});
