import { expect, test } from "vitest";
import { leftoverTexts } from "../../stack/report/notes.ts";

const carriedOn = (id: string) => ({ code: "carried-on", kind: "page", id, name: `name of ${id}` }) as const;

test("the objects that a killed run left are told in one sentence, however many there are", () => {
  expect(leftoverTexts([carriedOn("a"), carriedOn("a")])).toEqual([
    'The run goes on with page "name of a" (a), which an earlier run left behind.',
  ]);
  const many = Array.from({ length: 40 }, (_, index) => carriedOn(`p${index}`));
  const [text = "", ...others] = leftoverTexts(many);
  expect(others).toEqual([]);
  expect(text).toMatch(/^The run goes on with 40 objects .*: page "name of p0", .* and 30 more\.$/);
});
