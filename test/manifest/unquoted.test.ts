/** Texts that YAML takes for something else: the message shows how to write them. */
import { expect, test } from "vitest";
import { checked } from "./checked.ts";

function hintsOf(...manifest: Parameters<typeof checked>): string {
  const { diagnostics } = checked(...manifest);
  return diagnostics.map(({ message, hint = "" }) => `${message} | ${hint}`).join("\n");
}

const written = (text: string): string =>
  hintsOf(`pages:\n  offer:\n    content:\n      hero.title: ${text}\n      hero.text: x\n`);

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

test("a CSV file of texts has its columns also without rows", () => {
  const asked = (csv: string, form = "file: t.csv"): string =>
    hintsOf(`pages: { a: { content: { ${form} } } }\n`, { "t.csv": csv });
  expect(asked("hero.title,Hello\n")).toContain('t.csv has no column "key"');
  expect(asked("key,value\n", "file: t.csv, value: fr")).toContain('t.csv has no column "fr"');
  expect(asked("key,value\n")).toBe("");
});
