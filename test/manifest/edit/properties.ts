/** Properties of every edit of every document. */
import { deepStrictEqual, ok } from "node:assert";
import fc from "fast-check";
import { Lexer, parse, parseDocument } from "yaml";
import { NodeWriter } from "../../../manifest/write/nodes.ts";
import { TextFiles } from "../../../manifest/write/files.ts";
import { YamlEdit } from "../../../manifest/write/yaml/edit.ts";
import { document, fresh, key, type Plain } from "./styled.ts";
import type { Path } from "../../../manifest/source/reader.ts";

const writer = new NodeWriter(new TextFiles(), ".");

type Edit = readonly [target: number, addition: string | undefined, value: Plain];

const anEdit = fc.tuple(fc.nat(), fc.option(key, { nil: undefined, freq: 3 }), fresh);
const edits = fc.array(anEdit, { minLength: 1, maxLength: 4 });

export function holdsForEdits(runs: number): void {
  fc.assert(
    fc.property(document, edits, (text, changes) => {
      const edit = new YamlEdit(text);
      const meant = parse(text) as Record<string, Plain>;
      const touched: Path[] = [];
      for (const change of changes) apply(edit, meant, touched, change);
      const printed = edit.print();
      deepStrictEqual(parseDocument(printed).errors, []);
      deepStrictEqual(parse(printed), meant);
      if (text.includes("\r\n")) ok(!printed.replaceAll("\r\n", "").includes("\n"));
      keepsTheRest(text, printed, touched);
    }),
    { numRuns: runs },
  );
}

/** Checks a list in another order, with fewer or more items: items that stay keep their comments. */
export function holdsForReordered(runs: number): void {
  const order = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(document, fc.nat(), order, fc.option(fresh, { nil: undefined, freq: 3 }), (text, target, by, more) => {
      // A value that keeps the blank lines below it can't move as it is. The edit writes it anew, or refuses.
      fc.pre(!text.includes("|+"));
      const meant = parse(text) as Record<string, Plain>;
      const lists = [...pathsOf(meant)].filter((path) => Array.isArray(at(meant, path)));
      const path = lists[target % Math.max(lists.length, 1)];
      if (path === undefined || path.length === 0) return;
      const items = at(meant, path) as Plain[];
      const ranked = items.map((item, index) => ({ item, by: by[index] ?? ([index, true] as const) }));
      const ordered = ranked.toSorted((a, b) => a.by[0] - b.by[0]);
      const kept = more === undefined ? ordered : ordered.filter((one) => one.by[1]);
      const value = [...kept.map(({ item }) => item), ...(more === undefined ? [] : [more])];
      const edit = new YamlEdit(text);
      edit.set(path, writer.json(value));
      const printed = edit.print();
      (at(meant, path.slice(0, -1)) as Record<string, Plain>)[String(path.at(-1))] = value;
      deepStrictEqual(parse(printed), meant);
      if (more === undefined) deepStrictEqual(commentsOf(printed), commentsOf(text));
    }),
    { numRuns: runs },
  );
}

function commentsOf(text: string): string[] {
  return [...new Lexer().lex(text)].filter((token) => token.startsWith("#")).sort();
}

/** Sets an existing value, or one that comes into a map. It avoids everything below or above an earlier edit. */
function apply(edit: YamlEdit, meant: Record<string, Plain>, touched: Path[], [target, addition, value]: Edit): void {
  const paths = [...pathsOf(meant)];
  const chosen = paths[target % paths.length] ?? [];
  const there = at(meant, chosen);
  const path = addition !== undefined && isMap(there) ? [...chosen, addition] : chosen;
  if (path.length === 0 || touched.some((other) => related(path, other))) return;
  edit.set(path, writer.json(value));
  touched.push(path);
  const parent = at(meant, path.slice(0, -1)) as Record<string, Plain>;
  parent[String(path.at(-1))] = value;
}

/** Checks that the lines before the first and behind the last touched entry of the top level are there, to the byte. */
function keepsTheRest(text: string, printed: string, touched: readonly Path[]): void {
  if (touched.length === 0) deepStrictEqual(printed, text);
  const changed = new Set(touched.map(([first]) => String(first)));
  for (const [part, name = ""] of text.matchAll(/^([\w.-]+):.*\n?(?:(?:[ \t-].*|\r?)\n?(?!$))*/gm))
    if (!changed.has(name)) ok(printed.includes(part.trimEnd()), `${name} has changed:\n${printed}`);
}

function* pathsOf(value: Plain, path: Path = []): Generator<Path> {
  yield path;
  if (Array.isArray(value)) for (const [index, item] of value.entries()) yield* pathsOf(item, [...path, index]);
  else if (isMap(value)) for (const [name, item] of Object.entries(value)) yield* pathsOf(item, [...path, name]);
}

function at(value: Plain, path: Path): Plain | undefined {
  const below = (here: Plain | undefined, step: string | number): Plain | undefined =>
    Array.isArray(here) ? here[Number(step)] : isMap(here) ? here[String(step)] : undefined;
  return path.reduce<Plain | undefined>(below, value);
}

function isMap(value: Plain | undefined): value is Record<string, Plain> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function related(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => String(step) === String(other[index]));
}
