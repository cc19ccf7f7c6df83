/** Compares the translators' texts with the ones that the manifest asks for. Pure: it returns the texts to write. */
import { Diagnostics, type Diagnostic } from "../source/diagnostics.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { differenceOf, digestOf, isXliff, languageOf, standingIn, XliffSources } from "./translations.ts";
import type { CopyRecord, Translation } from "./translations.ts";
import { locate } from "../source/parse.ts";
import { setTexts, type NewText } from "../write/data.ts";
import type { Home } from "../declare/texts.ts";
import type { CameBack, ReadUnit } from "./exchange.ts";
import { matchesPath } from "../language/addresses.ts";

export interface Imported {
  /** The new texts of the files, by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  readonly taken: number;
  readonly same: number;
  readonly empty: number;
  readonly unfinished: number;
  /** Taken translations of a source that has changed since. */
  readonly older: readonly Translation[];
  /** Translations of the file's homes that the file leaves out. */
  readonly missing: readonly Translation[];
  readonly left: number;
  /** Why they could not be: one reason may hold for all units of a file. */
  readonly problems: readonly Diagnostic[];
  /** True if nothing is taken because it would write the sources over the translations. */
  readonly refused: boolean;
}

/** A text of the manifest, and what came back for it. */
interface Sent {
  readonly translation: Translation;
  readonly unit: ReadUnit;
}

interface Taken extends Sent {
  readonly now: NewText;
}

export function importUnits(
  { units, language }: CameBack,
  translations: readonly Translation[],
  record: CopyRecord,
  /** Returns undefined if there is no such file. */
  read: (path: string) => string | undefined,
  sourceLanguage: string,
): Imported {
  const diagnostics = new Diagnostics();
  const known = new Map(translations.map((one) => [idOf(one.home.name, one.key), one]));
  const homes = new Map(translations.map(({ home, locale }) => [home.name, locale]));
  const counts = { same: 0, empty: 0, unfinished: 0 };
  const taken: Taken[] = [];
  const sent: Sent[] = [];
  const sources = new XliffSources();
  const told = new Set<string>();
  for (const one of units) {
    const translation = known.get(idOf(one.of, one.key));
    const unit = withLineEnds(one, translation);
    if (translation !== undefined) sent.push({ translation, unit });
    const problem = problemOf(unit, translation, homes, translations, language);
    if (problem !== undefined || translation === undefined) {
      // A wrong file or language is that of all its units.
      if (problem && !told.has(problem.message)) {
        diagnostics.error("data", unit.place, problem.message, { hint: problem.hint });
        told.add(problem.message);
      }
      continue;
    }
    const { target = "" } = unit;
    const unchanged = target === translation.target?.text;
    if (target === "" && translation.source.text !== "") counts.empty++;
    else if (unit.unfinished === true) counts.unfinished++;
    else {
      const now = { text: target, source: unit.source ?? translation.source.text };
      if (unchanged && isRecorded(translation, now, record, sources)) counts.same++;
      else if (unchanged && unit.unfinished === "as-sent") counts.unfinished++;
      else taken.push({ translation, now, unit });
    }
  }
  const refused = foreignIn(taken, translations) ?? movedIn(sent, translations) ?? sourcesIn(taken, sourceLanguage);
  if (refused !== undefined) {
    const { found, of, what, hint } = refused;
    const { unit } = found[0];
    const message = `${found.length} of ${of} texts are ${what}, first "${unit.key}" of ${unit.of}: nothing is taken`;
    diagnostics.error("data", unit.place, message, { hint });
  }
  const { files, put } = written(refused ? [] : taken, read, sourceLanguage, diagnostics);
  for (const { translation, now } of put) {
    const { home, key } = translation;
    if (!isXliff(home.path)) record.set(home.name, key, { source: now.source, target: now.text });
  }
  const older = put.filter(({ translation, now }) => translation.source.text !== now.source);
  const counted = counts.same + counts.empty + counts.unfinished;
  return {
    files,
    ...counts,
    taken: put.length,
    left: units.length - (refused ? 0 : put.length + counted),
    older: older.map(({ translation }) => translation),
    missing: refused ? [] : missingIn(units, translations),
    problems: diagnostics.list(),
    refused: refused !== undefined,
  };
}

/** A slip that most texts of a file show, so that nothing of it is taken. */
interface Slip {
  readonly found: readonly [Sent, ...Sent[]];
  /** The number of texts that could show it. */
  readonly of: number;
  readonly what: string;
  readonly hint: string;
}

/** One text may be the same in two languages. */
const FEWEST_FOREIGN = 2;

/** Finds the texts that another language has for the same sources, if most are. */
function foreignIn(taken: readonly Taken[], translations: readonly Translation[]): Slip | undefined {
  const changed = taken.filter(({ translation: { target }, now }) => now.text !== target?.text);
  const otherOf = ({ translation, now }: Taken): Translation | undefined =>
    translations.find((other) => isOfOther(other, translation, now));
  const [first, ...more] = changed.filter((one) => otherOf(one) !== undefined);
  const count = more.length + 1;
  if (first === undefined || count < FEWEST_FOREIGN || count * 2 <= changed.length) return undefined;
  const what = `those of ${otherOf(first)?.home.name ?? "another language"}`;
  const hint = `The target has to be the ${first.translation.locale} text.`;
  return { found: [first, ...more], of: taken.length, what, hint };
}

/**
 * Finds the texts that another row had until now, if most are. Two files may come to share a text, so the row of another file has to have lost it.
 * A text that can't be taken shows the move as well as the others.
 */
function movedIn(sent: readonly Sent[], translations: readonly Translation[]): Slip | undefined {
  const changed = sent.filter(({ translation, unit }) => unit.target !== translation.target?.text);
  const lost = new Set(changed.map(({ translation }) => translation));
  const filled = changed.filter(({ unit }) => unit.target !== undefined && unit.target !== "");
  const [first, ...more] = filled.filter(({ translation: { home, key, source }, unit }) =>
    translations.some(
      (other) =>
        other.target?.text === unit.target &&
        other.source.text !== source.text &&
        (other.home.name === home.name ? other.key !== key : lost.has(other)),
    ),
  );
  const count = more.length + 1;
  if (first === undefined || count < FEWEST_FOREIGN || count * 2 <= filled.length) return undefined;
  const hint = "The column of the targets has moved, or was sorted without the others.";
  return { found: [first, ...more], of: filled.length, what: "those of other rows", hint };
}

function missingIn(units: readonly ReadUnit[], translations: readonly Translation[]): Translation[] {
  const homes = new Set(units.map(({ of }) => of));
  const there = new Set(units.map(({ of, key }) => idOf(of, key)));
  return translations.filter(({ home, key }) => homes.has(home.name) && !there.has(idOf(home.name, key)));
}

function isOfOther(other: Translation, { key, source, locale }: Translation, { text }: NewText): boolean {
  return (
    other.key === key &&
    other.target?.text === text &&
    text !== source.text &&
    locate(other.source.place) === locate(source.place) &&
    languageOf(other.locale) !== languageOf(locale)
  );
}

/** So many equal texts can't all be names that every language shares. */
const MANY = 3;

/**
 * Finds the texts whose source would replace the translation on purpose: the file names the old translation as its source, or most texts are equal.
 */
function sourcesIn(taken: readonly Taken[], sourceLanguage: string): Slip | undefined {
  const changed = taken.filter(({ translation: { target }, now }) => now.text !== target?.text);
  const same = changed.filter(({ translation: { source }, now }) => now.text === source.text);
  const isExchanged = same.some(({ translation: { target }, now }) => now.source === target?.text);
  // American and British texts are mostly equal, so related languages don't count.
  const others = same.filter(
    ({ translation: { locale } }) => !sameLanguage(languageOf(locale), languageOf(sourceLanguage)),
  );
  const isMost = others.length >= MANY && others.length * 2 >= changed.length;
  const [first, ...more] = isExchanged ? same : isMost ? others : [];
  if (first === undefined) return undefined;
  const hint = `Source and target are exchanged, or not translated. The target is the ${first.translation.locale} text.`;
  return { found: [first, ...more], of: taken.length, what: "the same as their sources", hint };
}

function problemOf(
  unit: ReadUnit,
  translation: Translation | undefined,
  homes: ReadonlyMap<string, string>,
  translations: readonly Translation[],
  language: string | undefined,
): { message: string; hint: string } | undefined {
  const { of, key, source, target } = unit;
  if (translation === undefined && !homes.has(of)) {
    const hint = "Translations go by the file that the manifest takes them from, as copy extract wrote it.";
    const file = `${of || "a file without a name"}${didYouMean(of, homes.keys())}`;
    return { message: `the manifest takes no translations from ${file}`, hint };
  }
  if (translation === undefined) {
    const keys = translations.filter(({ home }) => home.name === of).map((one) => one.key);
    const hint = "It was taken out since the export, or the file is of another project.";
    return { message: `${of} has no text "${key}"${didYouMean(key, keys)}`, hint };
  }
  if (language !== undefined && !sameLanguage(language, translation.locale)) {
    const hint = `Import the file for ${translation.locale}.`;
    return { message: `the file says that it is in "${language}", and ${of} is in ${translation.locale}`, hint };
  }
  if (target === undefined || target === "") return undefined;
  const difference = differenceOf(source ?? translation.source.text, target);
  const hint = "Placeholders stay as they are, in any order.";
  return difference === undefined ? undefined : { message: `${of}: "${key}": the translation ${difference}`, hint };
}

/** Restores line ends: spreadsheets and Windows checkouts write other line ends into texts. */
function withLineEnds(unit: ReadUnit, translation: Translation | undefined): ReadUnit {
  if (translation === undefined || translation.source.text.includes("\r")) return unit;
  const plain = (text: string | undefined): string | undefined => text?.replaceAll(/\r\n?/g, "\n");
  return { ...unit, source: plain(unit.source), target: plain(unit.target) };
}

function isRecorded(
  { home, key, target }: Translation,
  now: NewText,
  record: CopyRecord,
  sources: XliffSources,
): boolean {
  if (isXliff(home.path)) return target !== undefined && sources.of(target.place.file, key) === now.source;
  const known = record.of(home.name, key);
  return known?.source === digestOf(now.source) && known.target === digestOf(now.text);
}

function written(
  taken: readonly Taken[],
  read: (path: string) => string | undefined,
  sourceLanguage: string,
  diagnostics: Diagnostics,
): { files: Map<string, string>; put: Taken[] } {
  const files = new Map<string, string>();
  const put: Taken[] = [];
  for (const [, own] of Map.groupBy(taken, ({ translation }) => translation.home.name)) {
    const [{ translation }] = own as [Taken, ...Taken[]];
    const home: Home = translation.home;
    const texts = new Map(own.map(({ translation: { key }, now }) => [key, now]));
    const languages = { source: sourceLanguage, target: translation.locale };
    const text = setTexts(files.get(home.path) ?? read(home.path), { home, languages, texts }, diagnostics);
    if (text === undefined) continue;
    files.set(home.path, text);
    put.push(...own);
  }
  return { files, put };
}

/** Compares languages without the region, which some services add or drop. */
function sameLanguage(a: string, b: string): boolean {
  const [one, other] = [a, b].map((tag) => `${tag.toLowerCase().replaceAll("_", "-")}-`) as [string, string];
  return one.startsWith(other) || other.startsWith(one);
}

function idOf(of: string, key: string): string {
  return JSON.stringify([of, key]);
}

interface Accepted {
  readonly cameBack: CameBack;
  readonly count: number;
  /** Stale translations that were not named. */
  readonly left: readonly Translation[];
  readonly unknown: readonly string[];
}

/** `named`: paths (`pages.offer-de.content.*`) or files. Without any, the call accepts all untracked translations and no stale one. */
export function accepted(
  translations: readonly Translation[],
  record: CopyRecord,
  named: readonly string[],
  locale: string | undefined,
): Accepted {
  const own = translations.filter((one) => locale === undefined || one.locale === locale);
  const standing = standingIn(own, record);
  const taken = own.filter((one) => {
    const how = standing.get(one);
    if (named.length === 0) return how === "untracked";
    return (how === "untracked" || how === "stale") && named.some((name) => isOne(name, one));
  });
  const units = taken.flatMap(({ home, key, source, target }) =>
    target === undefined
      ? []
      : [{ of: home.name, key, source: source.text, target: target.text, unfinished: false, place: target.place }],
  );
  return {
    cameBack: { units, language: undefined },
    count: units.length,
    left: own.filter((one) => standing.get(one) === "stale" && !taken.includes(one)),
    unknown: named.filter((name) => !own.some((one) => isOne(name, one))),
  };

  function isOne(name: string, { path, home }: Translation): boolean {
    return [path, home.name, home.name.replace(/#.*$/, "")].some((one) => matchesPath(name, one));
  }
}
