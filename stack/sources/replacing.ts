/** Other words for a text, in every place of the project that says it. Nothing is written here. */
import { rewritten, withCells, withTexts, type Place, type TextChange } from "../../manifest/index.ts";
import type { SourceText } from "./project-texts.ts";
import { same } from "../../provider/values/json.ts";
import { literalsIn, quotedFor, spliced, splicesFor, type Splice } from "./literals.ts";
import { isSound, type ProgramFile } from "./program-files.ts";
import type { RecordedText } from "./recorded-texts.ts";
import { settingOf } from "./settings.ts";

export interface Replacement {
  readonly source: SourceText;
  /** What else is declared in the same place: it says the new text, too. */
  readonly sharing?: readonly SourceText[];
  /** The text as it is to be written. */
  readonly now: string;
  readonly count: number;
}

/** It says so, and is not replaced. */
export interface Blocked {
  readonly source: SourceText;
  readonly why:
    /** Visitors see the text there, and a part of what was to be replaced is the value of a variable. */
    | { readonly variable: string }
    /** It is no text for visitors. */
    | { readonly setting: string };
}

export interface Replacements {
  readonly replacements: readonly Replacement[];
  readonly blocked: readonly Blocked[];
}

export function replacementsIn(
  sources: readonly SourceText[],
  recorded: readonly RecordedText[],
  old: string,
  now: string,
): Replacements {
  const replacements: Replacement[] = [];
  const blocked: Blocked[] = [];
  for (const [source, ...sharing] of byPlace(sources)) {
    const found = rewritten(source.value, variablesFor(source, recorded), old, now);
    if (found === undefined) continue;
    const setting = source.by.kind === "literal" ? settingOf(source.by.literal, source.by.file) : undefined;
    if ("blockedBy" in found) blocked.push({ source, why: { variable: found.blockedBy } });
    else if (setting !== undefined) blocked.push({ source, why: { setting } });
    else replacements.push({ source, sharing, now: found.text, count: found.count });
  }
  return { replacements, blocked };
}

/** What several entries share is written once. */
function byPlace(sources: readonly SourceText[]): [SourceText, ...SourceText[]][] {
  const places = Map.groupBy(sources, ({ file, start }) => `${file}\0${start}`);
  return [...places.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [[first, ...others]]));
}

function variablesFor({ by, value }: SourceText, recorded: readonly RecordedText[]): Readonly<Record<string, string>> {
  if (by.kind === "manifest") return by.text.variables;
  return recorded.find((text) => text.value === value && text.shown !== value)?.variables ?? {};
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

/** `words`: what was looked for, and what comes in its place; without it texts are written as wholes. */
export function changedFiles(
  replacements: readonly Replacement[],
  words?: readonly [old: string, now: string],
): ChangedText[] {
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
    const splices = own.flatMap((one) => splicesOf(one, by.file, words));
    const after = spliced(by.file.text, splices);
    // What could not be read before proves nothing.
    const isBroken = isSound(by.file, by.file.text) && !isSound(by.file, after);
    if (isBroken || !saysSo(after, own, by.file, words))
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
function saysSo(
  after: string,
  replacements: readonly Replacement[],
  { kind, literals }: ProgramFile,
  words?: readonly [string, string],
): boolean {
  if (kind === "plain") return true;
  const wanted = new Map(
    replacements.map(({ source, now }): [number, string] => {
      const isInPlace = words !== undefined && source.value.includes(words[0]);
      return [source.start, isInPlace ? source.value.replaceAll(words[0], () => words[1]) : now];
    }),
  );
  const expected = literals.map(({ start, value }) => wanted.get(start) ?? value);
  return same(
    literalsIn(after).map(({ value }) => value),
    expected,
  );
}

function splicesOf(
  { source, now: whole }: Replacement,
  { kind }: ProgramFile,
  words?: readonly [string, string],
): Splice[] {
  const { by, value, start, end } = source;
  if (by.kind !== "literal") return [{ start, end, text: whole }];
  const how = { json: kind === "json" };
  if (words !== undefined && value.includes(words[0])) return splicesFor(by.literal, ...words, how);
  return [{ start, end, text: quotedFor(whole, by.literal.quote, how) }];
}
