import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ContentShape, contentFields, contentShapes, encodeFields } from "../../emulator/document/index.ts";
import { anyDocument } from "./arbitraries.ts";

type Entry = Record<string, string>;
type Pairs = (readonly [string, unknown])[];

const pairs = (entries: unknown, key: string, value: string): Pairs =>
  (entries as Entry[]).map((entry) => [entry[key] ?? "", entry[value]]);

const decoders: Record<ContentShape, (encoded: unknown) => Pairs> = {
  "array-key-value": (encoded) => pairs(encoded, "key", "value"),
  "array-id-text": (encoded) => pairs(encoded, "id", "text"),
  "array-name-content-default": (encoded) => pairs(encoded, "name", "content"),
  "nested-groups": (encoded) =>
    (encoded as { fields: Entry[] }[]).flatMap((group) => pairs(group.fields, "key", "value")),
  "map-scalars": (encoded) => Object.entries(encoded as Entry),
  "map-objects": (encoded) =>
    Object.entries(encoded as Record<string, Entry>).map(([key, entry]) => [key, entry.value]),
  "array-raw-html": (encoded) =>
    (encoded as { key: string; value: { raw: unknown } }[]).map(({ key, value }) => [key, value.raw]),
  "array-rich-text": (encoded) =>
    (encoded as { key: string; value: { doc: [{ paragraph: unknown }] } }[]).map(({ key, value }) => [
      key,
      value.doc[0].paragraph,
    ]),
  "no-values": (encoded) => pairs(encoded, "key", "value"),
};

const sorted = (all: Pairs): Pairs => all.toSorted(([a], [b]) => (a < b ? -1 : 1));

describe("content shapes", () => {
  test.each(contentShapes)("%s carries every key and value through JSON", (shape) => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const fields = contentFields(document);
        const decoded = decoders[shape](JSON.parse(JSON.stringify(encodeFields(fields, shape))));
        const sent: Pairs = fields.map(({ key, value }) => [key, shape === "no-values" ? undefined : value]);
        expect(sorted(decoded)).toEqual(sorted(sent));
      }),
      { numRuns: 50 },
    );
  });

  test("without values means that no entry holds the text in any form", () => {
    const fields = [{ key: "a", value: "secret text", label: "A", type: "text" as const, nodeId: "n1" }];
    expect(JSON.stringify(encodeFields(fields, "no-values"))).not.toContain("secret text");
  });
});
