/** Any text in any earlier style: the written text reads as it was meant. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse, Scalar, stringify } from "yaml";
import { scalarLike } from "../../manifest/write/yaml/text.ts";

const STYLES = ["BLOCK_LITERAL", "BLOCK_FOLDED", "PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE", undefined] as const;
const text = fc
  .array(fc.constantFrom(" ", "  ", "\n", "\t", "a", "- b", "# c", "d: e", "'", '"', "é", "🧵", "|", "yes"), {
    maxLength: 7,
  })
  .map((parts) => parts.join(""));

test("each text in each style, at any depth", () => {
  fc.assert(
    fc.property(text, fc.constantFrom(...STYLES), fc.boolean(), (value, style, isDeep) => {
      const old = new Scalar("before");
      if (style !== undefined) old.type = style;
      const scalar = scalarLike(old, value);
      const written = isDeep ? { a: { b: [{ c: scalar }] } } : { c: scalar };
      const meant = isDeep ? { a: { b: [{ c: value }] } } : { c: value };
      expect(parse(stringify(written, { lineWidth: 0 }))).toEqual(meant);
    }),
    { numRuns: 2_000 },
  );
});

test("a style that holds the text stays", () => {
  const old = new Scalar("a");
  old.type = "BLOCK_LITERAL";
  expect(scalarLike(old, "b\nc\n").type).toBe("BLOCK_LITERAL");
  expect(scalarLike(old, " \n").type).toBe("QUOTE_DOUBLE");
  expect(scalarLike(old, " \n\t\n").type).toBe("QUOTE_DOUBLE");
});
