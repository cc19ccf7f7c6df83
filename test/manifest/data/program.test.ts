/** Programs that nobody type checks are told what data and content take, and get no map of letters. */
import { expect, test } from "vitest";
import { content, data } from "../../../manifest/data/program.ts";

test("data without a schema of its rows", () => {
  const untyped = data as (file: string) => unknown;
  expect(() => untyped("cities.csv")).toThrow(
    'data("cities.csv") needs the zod schema of a row as its second argument',
  );
});

test.each(["base.yaml", ["base.yaml", "more.json"], [null], [["hero.title"]]])("content of %j", (layers) => {
  const untyped = content as (layers: unknown) => unknown;
  expect(() => untyped(layers)).toThrow(
    /^content\(.*\): a layer is \{ file: "…" \}, \{ folder: "…" \} or a map of keys and texts$/,
  );
});

test("content of a map is that map", () =>
  expect(content({ "hero.title": "Hello" })).toEqual({ "hero.title": "Hello" }));
