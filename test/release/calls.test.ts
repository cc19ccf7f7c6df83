/**
 * The calls of a publication: one look at a page before it is published and one after, and no read of any other page. For an up, a release and an
 * undo; and no call if nothing is left to do.
 */
import { afterEach, expect, test, vi } from "vitest";
import { type Emulator } from "../../emulator/index.ts";
import { type Declared } from "../faults/stack.ts";
import { UndoWorld, type Declared as Undone } from "../undo/world.ts";
import { Release } from "./program.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("../faults/clock.ts")).sleep }));

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/** Returns the reads of single pages since the last time, by the name of the page. */
function readsIn(emulator: Emulator): Record<string, Record<string, number>> {
  const rows = emulator.records()["pages"] as unknown as { id: string; pageName: string }[];
  const names = new Map(rows.map(({ id, pageName }) => [id, pageName]));
  const reads: Record<string, Record<string, number>> = {};
  for (const { method, path, route } of emulator.requests.splice(0)) {
    const id = /page_id=([^&]+)/.exec(path)?.[1] ?? /^\/pages\/([^/?]+)$/.exec(path)?.[1] ?? "";
    const name = names.get(id);
    if (method !== "GET" || name === undefined) continue;
    const own = (reads[name] ??= {});
    own[route] = (own[route] ?? 0) + 1;
  }
  return reads;
}

/**
 * The draft and the release are two passes, each with a look before and after. Before the page's first write: later, our text and somebody else's in
 * one node could not be told apart. After its last write: the look shows our part of the draft. Before the release publishes: any edit that came
 * since holds it. After the publication: the tree shows an edit that slipped in.
 */
const RELEASED = { "/pages/{pageId}": 3, "/search/page-content-map": 3, "/pages/builder": 3 };

const page = (name: string, title: string): Declared => ({
  kind: "page",
  name,
  inputs: { templateId: "tpl-hero", variables: { brand: "Acme" }, content: { "hero.title": title } },
});

test("a release", async () => {
  const world = await Release.open();
  open.push(world);
  await world.apply({ offer: "First", thanks: "First" });
  readsIn(world.emulator);
  await world.up({ offer: "Second", thanks: "First" });
  expect(Object.keys(readsIn(world.emulator))).toEqual(["offer"]);
  // A text that is long enough tells that content keys show in the tree.
  await world.up({ offer: "The third one", thanks: "The third one" });
  expect(readsIn(world.emulator)).toEqual({
    offer: { ...RELEASED, "/search/page-content-map": 2 },
    thanks: RELEASED,
  });
  // A text that is long enough tells that content keys show in the tree.
  await world.up({ offer: "The third one", thanks: "The third one" });
  expect(readsIn(world.emulator)).toEqual({});
});

test("an undo", async () => {
  const world = await UndoWorld.open();
  open.push(world);
  const program = (title: string): Undone[] => [
    { kind: "site", name: "calls.example", inputs: {} },
    ...["a", "b"].map((name): Undone => {
      const { inputs } = page(name, name === "b" ? title : "The same");
      return {
        kind: "page",
        name,
        inputs: { ...inputs, publish: { siteId: { ref: "site/calls.example" }, slug: name } },
      };
    }),
  ];
  await world.up(program("First"));
  const run = await world.up(program("Second"));
  readsIn(world.emulator);
  const { undo } = await world.prepare(run);
  // These calls tell if somebody has changed the text that the undo puts back.
  expect(readsIn(world.emulator)).toEqual({ b: { "/pages/{pageId}": 1, "/search/page-content-map": 1 } });
  await world.carryOut(undo);
  expect(Object.keys(readsIn(world.emulator))).toEqual(["b"]);
  await world.prepare(run);
  expect(readsIn(world.emulator)).toEqual({});
});
