/** Null and missing values in content: their meaning, and their words in the plan. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const desk = forEachTest(() => NearDesk.open());

const manifest = (text: string): string =>
  `landform: 1\nname: nulls\npages:\n  offer: { template: tpl-hero, content: { hero.title: Hello, hero.text: ${text} } }\n`;

interface Told {
  changes: { fields: { path: string; old?: unknown; new?: unknown }[]; reason?: unknown; note?: unknown }[];
}

async function planned(): Promise<Told["changes"]> {
  const { stdout } = await desk.run(["preview", "--json"]);
  return (JSON.parse(stdout) as Told).changes;
}

thorough("null deep in a text is named in the plan, both ways, and in the history", async () => {
  desk.write("landform.yaml", manifest("{ a: 1, list: [{ b: 2 }] }"));
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 0 });
  const paths = ['content["hero.text"].list[0].c', 'content["hero.text"].x'];

  desk.write("landform.yaml", manifest("{ a: 1, x: null, list: [{ b: 2, c: ~ }] }"));
  const [come] = await planned();
  expect(come?.fields).toEqual(paths.map((path) => expect.objectContaining({ path, new: null }) as unknown));
  expect(come?.note).toBeUndefined();
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 0 });
  expect(await planned()).toEqual([]);
  expect((await desk.run(["history"])).stdout).toContain("1 updated: Page offer");

  desk.write("landform.yaml", manifest("{ a: 1, list: [{ b: 2 }] }"));
  const [gone] = await planned();
  expect(gone?.fields).toEqual(paths.map((path) => expect.objectContaining({ path, old: null }) as unknown));
  expect(await desk.run(["up", "--yes"])).toMatchObject({ code: 0 });
  expect(await planned()).toEqual([]);
});

test("a program is told of a text that is null, and nothing is sent", async () => {
  desk.program(
    `new landform.Page("offer", { templateId: "tpl-hero", content: { "hero.title": "Hello", "hero.text": null } });`,
  );
  const told = await outputOf(4, desk.run(["up", "--yes"]));
  expect(told).toContain('Page "offer" (index.ts:2:1)');
  expect(told).toMatch(/content\["hero\.text"\].* has no value: write "" for an empty text, or leave the key out/);
  expect(desk.writes()).toEqual([]);
});
