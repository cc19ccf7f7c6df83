/**
 * The calls of a publication: one look at a page before it is published and one after, and no read of any other page, but for the
 * record of the others of a release. For an up and a release. test/undo/calls.test.ts has those of an undo.
 */
import { afterEach, expect, test, vi } from "vitest";
import { Release } from "./program.ts";
import { readsIn } from "./reads.ts";

vi.mock("node:timers/promises", async () => ({ setTimeout: (await import("../faults/clock.ts")).sleep }));

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

/**
 * The draft and the release are two passes, each with a look before and after. Before the page's first write: later, our text and somebody else's in
 * one node could not be told apart. After its last write: the look shows our part of the draft. Before the release publishes: any edit that came
 * since holds it. After the publication: the tree shows an edit that slipped in.
 */
const RELEASED = { "/pages/{pageId}": 3, "/search/page-content-map": 3, "/pages/builder": 3 };

test("a release", async () => {
  const world = await Release.open();
  open.push(world);
  await world.apply({ offer: "First", thanks: "First" });
  readsIn(world.emulator);
  await world.up({ offer: "Second", thanks: "First" });
  // The other page has to be there, too: all are public together.
  expect(readsIn(world.emulator)).toMatchObject({ offer: {}, thanks: { "/pages/{pageId}": 1 } });
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
