// @module-tag thorough
/** A run's changes to a page's builder nodes go back, also for visitors. Somebody else's later changes stay. */
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { inTheApp } from "../suite/app.ts";
import { UndoDesk, type Declared } from "./desk.ts";
import { forEachTest } from "../suite/opened.ts";

const world = forEachTest(() => UndoDesk.open());

const offer = (nodes?: JsonMap): Declared => ({
  sites: { main: { name: "nodes.example" } },
  pages: {
    offer: {
      template: "tpl-hero",
      content: { "hero.title": "One" },
      variables: { brand: "Acme" },
      publish: { site: "main", slug: "offer" },
      ...(nodes && { nodes }),
    },
  },
});

async function nodeOf(name: string): Promise<string> {
  const path = `/pages/builder?page_id=${world.idOf("pages", "offer")}`;
  const tree = JSON.stringify(await inTheApp<unknown>(world, "GET", path));
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
    await world.up(offer());
    note = await nodeOf("hero.note");
  });

  test("a property that wasn't there goes, and the undo of that brings it again", async () => {
    const run = await world.up(offer({ [note]: { style: { color: "#112233" } } }));
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
    await world.up(offer({ [note]: { style: { color: "#112233" } } }));
    const run = await world.up(offer({ [note]: { style: { color: "#445566", opacity: "0.5" } } }));
    expect(await styleOf(note)).toBe("color:#445566;opacity:0.5");
    await world.undo(run);
    expect(await styleOf(note)).toBe("color:#112233");
    expect(await world.look(run)).toMatchObject({ changes: [], nothingLeft: true });
    expect(world.stateOf("pages", "offer")?.outputs["nodes"]).toEqual({ [note]: { style: { color: "#112233" } } });
  });
});
