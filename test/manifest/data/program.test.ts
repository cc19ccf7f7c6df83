/** Programs without type checks: the messages say what data and content take, and a text never becomes a map of letters. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { content, data } from "../../../manifest/data/program.ts";
import { folderWith } from "../files.ts";

test("data without a schema of its rows", () => {
  const untyped = data as (file: string) => unknown;
  expect(() => untyped("a.csv")).toThrow('data("a.csv") needs the zod schema of a row as its second argument');
});

test.each(["base.yaml", ["base.yaml", "more.json"], [null], [["hero.title"]]])("content of %j", (layers) => {
  const untyped = content as (layers: unknown) => unknown;
  expect(() => untyped(layers)).toThrow(
    /^content\(.*\): a source is \{ file: "…" \}, \{ folder: "…" \} or a map of keys and texts$/,
  );
});

test("content of a map is that map", () =>
  expect(content({ "hero.title": "Hello" })).toEqual({ "hero.title": "Hello" }));

test("content of a file that is not sent as it is written", () => {
  const folder = folderWith({ "de.yaml": "hero.title:\nhero.text: 12.50\n" });
  const reading = (): unknown => content({ file: join(folder, "de.yaml") });
  expect(reading).toThrow(/de\.yaml:1:1: error: hero\.title has no value \[empty-value\]/);
  expect(reading).toThrow(/de\.yaml:2:12: error: hero\.text: 12\.50 is read as a number, and would be sent as 12\.5 /);
});
