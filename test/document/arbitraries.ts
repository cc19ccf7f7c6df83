import fc from "fast-check";
import { type PageDocument, type PageNode, documentFromTemplate, templates } from "../../emulator/document/index.ts";
import type { NewId } from "../../emulator/document/types.ts";

export function counter(prefix = "n"): NewId {
  let count = 0;
  return () => `${prefix}${++count}`;
}

export function fromTemplate(id: string, newId = counter()): PageDocument {
  const document = documentFromTemplate(id, newId);
  if (!document) throw new Error(`There is no template ${id}.`);
  return document;
}

/** Text as people and programs write it: any Unicode, line breaks, markup, JSON, placeholders, and names of Object's own. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.json(),
  fc.constantFrom(
    "",
    " padded ",
    "two\nlines\r\n\r\nand a paragraph",
    "👩‍👩‍👧‍👦 🇺🇳 é",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{brand}} and {{ other }}",
    "$& $1 $`",
    "javascript:alert(1)",
    "__proto__",
    "x".repeat(20_000),
  ),
);

const types = ["section", "columns", "card", "heading", "text", "button", "image", "form", "input", "question", "box"];

const names = fc.constantFrom("hero.title", "hero", "__proto__", "constructor", "a.b-2", "a.b", "");

type Tree = { type: string; name: string; text: string; children: Tree[] };

const tree = fc.letrec<{ node: Tree; children: Tree[] }>((tie) => ({
  node: fc.record({ type: fc.constantFrom(...types), name: names, text: anyText, children: tie("children") }),
  children: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant<Tree[]>([]),
    fc.array(tie("node"), { minLength: 1, maxLength: 3 }),
  ),
})).node;

/** Trees that nobody drew by hand: any nesting, clashing or missing names. */
const anyTree: fc.Arbitrary<PageDocument> = fc.array(tree, { maxLength: 4 }).map((trees) => {
  const newId = counter();
  const build = ({ type, name, text, children }: Tree): PageNode => ({
    id: newId(),
    type,
    misc: { name, text, url: text, alt: text },
    style: {},
    children: children.map(build),
  });
  return { sections: trees.map(build) };
});

export const anyDocument: fc.Arbitrary<PageDocument> = fc.oneof(
  fc.constantFrom(...templates.map(({ id }) => id)).map((id) => fromTemplate(id)),
  anyTree,
);
