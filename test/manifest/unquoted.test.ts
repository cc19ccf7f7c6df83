/** Texts that YAML takes for something else: the message shows how to write them. */
import { expect, test } from "vitest";
import { validate } from "../../manifest/index.ts";
import { folderWith } from "./files.ts";

function hintsOf(manifest: string, more: Readonly<Record<string, string>> = {}): string {
  const folder = folderWith({ "landform.yaml": manifest, ...more });
  const { diagnostics } = validate("landform.yaml", { cwd: folder });
  return diagnostics.map(({ message, hint = "" }) => `${message} | ${hint}`).join("\n");
}

const written = (text: string): string =>
  hintsOf(`landform: 1\npages:\n  offer:\n    content:\n      hero.title: ${text}\n      hero.text: x\n`);

test.each([
  ["{{brand}} is great", '"{{brand}} is great"'],
  ["[New] Mugs", '"[New] Mugs"'],
  ["*Best* mugs", '"*Best* mugs"'],
  ["'it's'", '"it\'s"'],
  ["'it's' good", "\"'it's' good\""],
  ['"a "b" c"', "'a \"b\" c'"],
  ['"Best" mugs', "'\"Best\" mugs'"],
  ["- item", '"- item"'],
  ["@home", '"@home"'],
  ["`code`", '"`code`"'],
  ["> 5 mugs", '"> 5 mugs"'],
])("%s", (text, advice) => expect(written(text)).toContain(advice));

test("a text that goes on in the next line, at the column of the keys", () =>
  expect(written("first line\n      and the next line")).toContain(
    "Each further line of a text is indented deeper than its key",
  ));

test("between braces no whole line is put in quotes", () => {
  const told = hintsOf("landform: 1\npages:\n  offer: { content: { hero.title: [New] Mugs } }\n");
  expect(told).toContain("Put a text in quotes that begins with a bracket");
});

test("a tag, and an alias that is none", () => {
  expect(written("!important text")).toContain("Put a text that begins with ! in quotes");
  expect(written("*Best*")).toContain("Put a text that begins with * in quotes.");
});

test("a decimal comma between braces, and a zero in front in JSON", () => {
  expect(hintsOf("landform: 1\nproducts: { mug: { price: 12,50 } }\n")).toContain("Decimals follow a point: 12.50.");
  const json = { "t.json": '{ "hero.title": 010 }' };
  expect(hintsOf("landform: 1\npages: { a: { content: { file: t.json } } }\n", json)).toContain(
    "a JSON number can't begin with 0; put a text in double quotes",
  );
});

test("a CSV file of texts has its columns also without rows", () => {
  const asked = (csv: string, form = "file: t.csv"): string =>
    hintsOf(`landform: 1\npages: { a: { content: { ${form} } } }\n`, { "t.csv": csv });
  expect(asked("hero.title,Hello\n")).toContain('t.csv has no column "key"');
  expect(asked("key,value\n", "file: t.csv, value: fr")).toContain('t.csv has no column "fr"');
  expect(asked("key,value\n")).toBe("");
});

test("what editors leave beside the texts of a folder is none of them", () => {
  const files = { "c/hero.title.md": "Hello", "c/hero.title.md~": "Hell", "c/hero.title.md.orig": "He" };
  expect(hintsOf("landform: 1\npages: { a: { content: { folder: c } } }\n", files)).toBe("");
});
