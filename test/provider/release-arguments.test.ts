/** A program without types may give a release anything: the error says what it takes. */
import { expect, test } from "vitest";
import { Release } from "../../index.ts";

test.each([[undefined], [{}], [[]], [{ pages: [] }]])("a release of %j", (args) => {
  expect(() => new Release("spring", args as never)).toThrow(
    'Release "spring": pages is no function that makes the pages: write pages: () => ({ … })',
  );
});
