/** Other texts in the places of a program that say one, as the new texts of its files. Nothing is written here. */
import { SourceFile, withCells, type Place, type Refusal } from "../../manifest/index.ts";
import { same } from "../../provider/values/json.ts";
import { isSound, literalsIn, type ProgramFile, quotedFor, type Splice, spliced } from "./program.ts";
import type { SourceText } from "./texts.ts";

export interface Replacement {
  readonly source: SourceText;
  /** The text as it is to be written. */
  readonly now: string;
}

export interface ChangedText {
  /** Absolute. */
  readonly path: string;
  readonly before: string;
  /** Or why there is none. */
  readonly after: string | Refusal;
}

export function changedFiles(replacements: readonly Replacement[]): ChangedText[] {
  return [...Map.groupBy(replacements, ({ source }) => source.file)].map(([path, own]) => {
    const by = own[0]?.source.by;
    const cells = own.flatMap(({ source, now }): { place: Place; value: string }[] =>
      source.by.kind === "cell" ? [{ place: source.by.cell, value: now }] : [],
    );
    const [cell] = cells;
    if (cell) return { path, before: cell.place.file.text, after: withCells(cell.place.file, cells) };
    const file = by && "file" in by ? by.file : undefined;
    return { path, before: file?.text ?? "", after: file ? inProgram(file, own) : "" };
  });
}

function inProgram(file: ProgramFile, replacements: readonly Replacement[]): string | Refusal {
  const after = spliced(
    file.text,
    replacements.map((one) => spliceOf(one, file)),
  );
  // What could not be read before proves nothing.
  const isBroken = isSound(file, file.text) && !isSound(file, after);
  if (!isBroken && saysSo(after, replacements, file)) return after;
  const { name = "", start = 0, end = 0 } = replacements[0]?.source ?? {};
  return { code: "unsafe", place: { file: new SourceFile(file.path, name, file.text), start, end } };
}

/** Beside its neighbours a new text may mean something else: a `$` before a `{` begins code. */
function saysSo(after: string, replacements: readonly Replacement[], { kind, literals }: ProgramFile): boolean {
  if (kind === "plain") return true;
  const wanted = new Map(replacements.map(({ source, now }) => [source.start, now]));
  const expected = literals.map(({ start, value }) => wanted.get(start) ?? value);
  return same(
    literalsIn(after).map(({ value }) => value),
    expected,
  );
}

function spliceOf({ source: { by, start, end }, now }: Replacement, { kind }: ProgramFile): Splice {
  const text = by.kind === "literal" ? quotedFor(now, by.literal.quote, { json: kind === "json" }) : now;
  return { start, end, text };
}
