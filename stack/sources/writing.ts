/** Other texts in the places of a project that say one, as the new texts of its files. Nothing is written here. */
import { withCells, withTexts, type Place, type TextChange } from "../../manifest/index.ts";
import { same } from "../../provider/values/json.ts";
import { literalsIn, quotedFor, spliced, type Splice } from "./literals.ts";
import { isSound, type ProgramFile } from "./program-files.ts";
import type { SourceText } from "./project-texts.ts";

export interface Replacement {
  readonly source: SourceText;
  /** The text as it is to be written. */
  readonly now: string;
}

export interface ChangedText {
  /** Absolute. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** A file that can't be read any more with its new text. */
export class UnsoundText extends Error {
  override readonly name = "UnsoundText";
}

export function changedFiles(replacements: readonly Replacement[]): ChangedText[] {
  const inManifest = replacements.flatMap(({ source, now: text }): TextChange[] =>
    source.by.kind === "manifest" ? [{ text: source.by.text, now: text }] : [],
  );
  const inProgram = Map.groupBy(
    replacements.filter(({ source: { by } }) => by.kind === "literal" || by.kind === "plain"),
    ({ source }) => source.file,
  );
  const program = [...inProgram].flatMap(([path, own]) => {
    const by = own[0]?.source.by;
    if (by === undefined || !("file" in by)) return [];
    const after = spliced(
      by.file.text,
      own.map((one) => spliceOf(one, by.file)),
    );
    // What could not be read before proves nothing.
    const isBroken = isSound(by.file, by.file.text) && !isSound(by.file, after);
    if (isBroken || !saysSo(after, own, by.file))
      throw new UnsoundText(`${path} could not be read any more with the new text`);
    return [{ path, before: by.file.text, after }];
  });
  return [...withTexts(inManifest), ...inCells(replacements), ...program];
}

function inCells(replacements: readonly Replacement[]): ChangedText[] {
  const changes = replacements.flatMap(({ source: { by }, now }): { place: Place; value: string }[] =>
    by.kind === "cell" ? [{ place: by.cell, value: now }] : [],
  );
  return [...Map.groupBy(changes, ({ place }) => place.file)].map(([file, own]) => {
    const after = withCells(file, own);
    if (typeof after !== "string") throw new UnsoundText(`${file.path} could not be read any more with the new text`);
    return { path: file.path, before: file.text, after };
  });
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
