/** Texts that are put into data files: a reader finds each one, all other texts stay, and so does the layout. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { setTexts, type Setting } from "../../manifest/write/data.ts";
import { fitsXml } from "../../manifest/data/xliff-write.ts";
import { dataReaders } from "../../manifest/data/files.ts";
import { jsonOf } from "../../manifest/data/value.ts";
import { layerOf } from "../../manifest/data/layers.ts";
import { Diagnostics } from "../../manifest/source/diagnostics.ts";
import { SourceFile } from "../../manifest/source/file.ts";
import { rounds } from "../suite/parts.ts";

const EXTENSIONS = [".yaml", ".json", ".csv", ".tsv", ".xlf"];

function put(extension: string, before: string | undefined, texts: Readonly<Record<string, string>>): string {
  const diagnostics = new Diagnostics();
  const home = { path: `/t${extension}`, name: `t${extension}`, columns: { key: "key", value: "value" } };
  const entries = Object.entries(texts).map(([key, text]) => [key, { text, source: `of ${text}` }] as const);
  const setting: Setting = { home, languages: { source: "en", target: "de" }, texts: new Map(entries) };
  const after = setTexts(before, setting, diagnostics);
  expect(diagnostics.list()).toEqual([]);
  return after ?? "";
}

function readAgain(extension: string, text: string): Record<string, unknown> {
  const diagnostics = new Diagnostics();
  const file = new SourceFile(`/t${extension}`, `t${extension}`, text);
  const data = dataReaders[extension]?.(file, diagnostics);
  const layer = data && layerOf({ file, data }, {}, diagnostics, { from: "/", place: file.whole, path: "" });
  expect(diagnostics.list()).toEqual([]);
  return Object.fromEntries([...(layer ?? [])].map(([key, { value }]) => [key, jsonOf(value)]));
}

const bits = fc.constantFrom(
  "{{a}}",
  "${x}",
  "👩‍👩‍👧‍👦",
  "שלום",
  "<b>",
  "]]>",
  "&",
  '"',
  "'",
  "\n",
  "\r\n",
  "\t",
  "\\",
  "#",
  ": ",
  "- ",
  "null",
  "007",
  "~",
  ",",
  ";",
  " ",
);
const text = fc
  .array(fc.oneof(bits, fc.string({ unit: "grapheme", maxLength: 4 })), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join("").toWellFormed())
  .filter(fitsXml);
const key = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,8}$/);
const texts = fc.dictionary(key, text, { minKeys: 1, maxKeys: 5, noNullPrototype: true });

test.each(EXTENSIONS)("%s: made, changed and added to", (extension) => {
  // An empty target of XLIFF is no translation.
  const isRead = ([, text]: [string, string]): boolean => extension !== ".xlf" || text.trim() !== "";
  const read = (all: Record<string, string>) => Object.fromEntries(Object.entries(all).filter(isRead));
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      const made = put(extension, undefined, first);
      expect(readAgain(extension, made)).toEqual(read(first));
      expect(put(extension, made, first)).toBe(made);
      expect(readAgain(extension, put(extension, made, second))).toEqual(read({ ...first, ...second }));
    }),
    { numRuns: rounds({ quick: 40, all: 200, soak: 2000 }), examples: [[{ a: " \n" }, { a: "" }]] },
  );
});

test.each([
  [
    ".yaml",
    "# ours\na:   'x' # why\n\nb: |\n  two\n  lines\n",
    "# ours\na:   'y' # why\n\nb: |\n  two\n  lines\nc: new\n",
  ],
  [".json", '{\n\t"a" : "x",\n\t"b": "z"\n}\n', '{\n\t"a" : "y",\n\t"b": "z",\n\t"c": "new"\n}\n'],
  [".csv", 'note;key;value\r\nn;a;x\r\n;b;"z"\r\n', 'note;key;value\r\nn;a;y\r\n;b;"z"\r\n;c;new\r\n'],
  [
    ".xlf",
    '<xliff version="1.2"><file original="o">\n<body>\n<trans-unit id="a" approved="no"><source>of y</source><target state="new" xml:lang="de">x</target><note>n</note></trans-unit>\n</body></file></xliff>',
    '<xliff version="1.2"><file original="o">\n<body>\n<trans-unit id="a" approved="no"><source>of y</source><target state="translated" xml:lang="de">y</target><note>n</note></trans-unit>\n      <trans-unit id="c" xml:space="preserve">\n        <source>of new</source>\n        <target state="translated">new</target>\n      </trans-unit>\n</body></file></xliff>',
  ],
])("%s: everything else stays as it is", (extension, before, after) => {
  expect(put(extension, before, { a: "y", c: "new" })).toBe(after);
});
