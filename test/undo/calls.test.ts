/** The reads of pages that an undo makes: only those of what it takes back. */
import { expect, test } from "vitest";
import { readsIn } from "../release/reads.ts";
import { inTest } from "../suite/opened.ts";
import { UndoDesk, type Declared } from "./desk.ts";

test("an undo", async () => {
  const world = await inTest(UndoDesk.open());
  const entry = (name: string, title: string) => ({
    ...{ template: "tpl-hero", variables: { brand: "Acme" }, content: { "hero.title": title } },
    publish: { site: "main", slug: name },
  });
  const program = (title: string): Declared => ({
    sites: { main: { name: "calls.example" } },
    pages: { a: entry("a", "The same"), b: entry("b", title) },
  });
  await world.up(program("First"));
  const run = await world.up(program("Second"));
  readsIn(world.emulator);
  await world.look(run);
  // One read of record and texts tells if somebody has changed the text that the undo puts back. The plan of the run reads both and the draft.
  const reads = { "/pages/{pageId}": 2, "/search/page-content-map": 2, "/pages/builder": 1 };
  expect(readsIn(world.emulator)).toEqual({ b: reads });
  await world.undo(run);
  expect(Object.keys(readsIn(world.emulator))).toEqual(["b"]);
  await world.look(run);
  expect(readsIn(world.emulator)).toEqual({});
});
