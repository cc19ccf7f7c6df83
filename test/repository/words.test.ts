/** The words of comments and messages, as docs/style.md asks for them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { repository } from "../docs/markdown.ts";

const files = globSync("{provider,engine,manifest,stack,story,ci,cli,emulator}/**/*.ts", {
  cwd: repository,
  // The texts of imagined shops, and the words of schema/api.yaml.
  exclude: ["emulator/document/templates/**", "provider/api/generated/**"],
});
const BEGINS = /(?:^\s*(?:\/\*\*|\*|\/\/) |[.:;] |["'`])(?:What|Of|Whether) (?!happens|next)/;

test("there is something to look at", () => expect(files.length).toBeGreaterThan(400));

test("no sentence begins with What, Of or Whether", () => {
  const found = files.flatMap((file) =>
    readFileSync(join(repository, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (BEGINS.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});

type Text = Readonly<{ file: string; words: string; threes: ReadonlySet<string> }>;

/** A message that names its cause has so many words. */
const FEWEST = 8;
/** The share of common sequences of three words from which two messages are about one thing. */
const ALIKE = 0.7;

test("two files tell one thing in the same words", () => {
  const texts = files.flatMap(textsIn);
  const found = texts.flatMap((one, index) =>
    texts.slice(index + 1).flatMap((other) => (isNearly(one, other) ? [[one, other].map(placed)] : [])),
  );
  expect(found).toEqual([]);
});

function textsIn(file: string): Text[] {
  const found: Text[] = [];
  const look = (node: ts.Node): void => {
    const text = textOf(node);
    if (text === undefined) return ts.forEachChild(node, look);
    const words = text.toLowerCase().match(/[a-z'-]+/g) ?? [];
    const threes = new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(" ")));
    if (words.length >= FEWEST) found.push({ file, words: words.join(" "), threes });
  };
  look(ts.createSourceFile(file, readFileSync(join(repository, file), "utf8"), ts.ScriptTarget.Latest, true));
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head, ...node.templateSpans.map((span) => span.literal)].map(({ text }) => text).join(" ");
  if (!ts.isBinaryExpression(node)) return undefined;
  const sides = [textOf(node.left), textOf(node.right)];
  return sides.includes(undefined) ? undefined : sides.join("");
}

/** A message may stand within another one. */
function isNearly(one: Text, other: Text): boolean {
  if (one.file === other.file || one.words.includes(other.words) || other.words.includes(one.words)) return false;
  const both = [...one.threes].filter((three) => other.threes.has(three)).length;
  return both / (one.threes.size + other.threes.size - both) >= ALIKE;
}

function placed({ file, words }: Text): string {
  return `${file}: ${words}`;
}
