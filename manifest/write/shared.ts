/**
 * Values in data files and texts in files of their own, and the number of places that take each. A change on one page goes back into its cell, if no
 * other page takes the same cell.
 */
import { relative, sep } from "node:path";
import { counted } from "../../provider/values/wording.ts";
import { isMap } from "../../provider/values/json.ts";
import { propertyPath, valueAt } from "../../provider/values/paths.ts";
import { holds, withNames } from "../match/spelling.ts";
import { languageName } from "../language/locales.ts";
import { setTexts, withCells, type CellChange } from "./data.ts";
import { type MissingText, missingText } from "../declare/texts.ts";
import { refusalText, type Refusal } from "./splices.ts";
import type { Entry, Loaded, Tree } from "../declare/model.ts";
import { keysIn } from "../declare/rows.ts";
import type { SourceFile } from "../source/file.ts";
import { locate } from "../source/parse.ts";
import { Diagnostics } from "../source/diagnostics.ts";

/** The choice for a value that several places take: a new value for all of them, or one of its own for the place that has changed. */
export type Sharing = "all" | "own";

interface Change extends CellChange {
  /** `pages.offer.content.hero.title` */
  readonly what: string;
  /** The page shows the text at `place` because its language has none. The value is its translation. */
  readonly missing?: MissingText | undefined;
  /** The present value of the whole input. */
  readonly was: unknown;
  /** The values that the text's placeholders stand for here. Undefined if the input has none. */
  readonly variables: Variables | undefined;
  /** How to give this place a value of its own, in words. */
  readonly apart: string;
  /** The key of the content, and the writer of the entry's own texts, if the entry has a place for them. */
  readonly own?: { readonly key: string; readonly write: OwnWriter; readonly isUsual?: boolean } | undefined;
}

/** Writes texts out for one entry, by key. Returns the reason if it can't. */
export type OwnWriter = (texts: ReadonlyMap<string, CellChange["value"]>) => Refusal | undefined;

/** A value that was not written because other places take it, too. */
export interface SharedValue extends Pick<Change, "what" | "value"> {
  /** `copy.csv:3:11` */
  readonly place: string;
  readonly uses: number;
  /** The ways that `Sharing` may choose here. */
  readonly ways: readonly Sharing[];
  /** The value that "all" would write. */
  readonly forAll: Change["value"] | undefined;
}

export interface Told {
  readonly added: string[];
  readonly updated: string[];
  /** Values that differ from the account and stay as declared. */
  readonly kept: string[];
  /** Values that the code has changed since the last run: they stand there already. */
  readonly ahead: string[];
  /** Entries whose object the account no longer has: they no longer adopt it. */
  readonly gone: string[];
  /** Values among `kept` that stay because other places take them, too. */
  readonly shared: SharedValue[];
}

export function nothingTold(): Told {
  return { added: [], updated: [], kept: [], ahead: [], gone: [], shared: [] };
}

interface Settled extends Told {
  readonly files: Map<string, string>;
}

type Variables = Readonly<Record<string, Tree>>;

interface Use {
  readonly language: string | undefined;
  readonly variables: Variables | undefined;
}

/** By the input that takes the value. */
type Uses = ReadonlyMap<string, Use>;

export interface Existing {
  readonly loaded: Loaded;
  /** Files that it takes values and texts from. */
  readonly data: readonly SourceFile[];
  /** Entries of the default account, by kind. The export leaves further accounts alone. */
  readonly entries: readonly Entry[];
  /** Entries of all accounts. */
  readonly users: readonly Entry[];
  readonly sourceLocale: string | undefined;
}

export class DataTexts {
  readonly #code: Existing;
  readonly #sharing: Sharing | undefined;
  readonly #uses = new Map<string, Map<string, Use>>();
  readonly #keys = new Set<string>();
  readonly #changes = new Map<string, Change[]>();

  constructor(code: Existing, sharing: Sharing | undefined) {
    this.#code = code;
    this.#sharing = sharing;
    for (const entry of code.users) {
      for (const key of entry.one ? keysIn(entry.one.row.fields) : []) this.#keys.add(locate(key));
      const language = entry.localized?.at(-1)?.locale ?? code.sourceLocale;
      for (const [input, spot] of entry.places) {
        const cells = spot.by ? [spot.place] : (spot.from ?? []);
        const use = { language, variables: variablesAt(entry, input) };
        for (const cell of cells) this.#use(locate(cell), `${entry.address} ${input}`, use);
      }
      const keys = new Set(entry.localized?.flatMap(({ under }) => [...under.keys()]));
      for (const key of keys) {
        const missing = this.missingIn(entry, key);
        const use = { language, variables: variablesAt(entry, "content") };
        if (missing) this.#use(nameOf(missing), `${entry.address} ${key}`, use);
      }
    }
  }

  missingIn(entry: Entry, key: string): MissingText | undefined {
    return missingText(entry, key, this.#code.loaded.folder.root);
  }

  get isOwn(): boolean {
    return this.#sharing === "own";
  }

  change(change: Change): void {
    const key = cellOf(change);
    this.#changes.set(key, [...(this.#changes.get(key) ?? []), change]);
  }

  /** Returns the whole new texts of the files, by path in the folder. */
  settle(told: Told): Map<string, string> {
    const settled: Settled = { ...told, files: new Map() };
    const [due, owned]: [Change[], Change[]] = [[], []];
    for (const [cell, changes] of this.#changes) {
      const [first] = changes;
      if (first === undefined) continue;
      const isOne = changes.every(({ value }) => value === first.value);
      const uses: Uses =
        this.#uses.get(cell) ?? new Map([[first.what, { language: undefined, variables: first.variables }]]);
      const forAll = isOne ? valueForAll(first, uses) : undefined;
      if (this.#keys.has(cell)) keep(settled, changes, () => ({ code: "key of the row", place: first.place }));
      else if (isOne && changes.length >= uses.size) due.push(first);
      else if (forAll !== undefined && this.#sharing === "all") due.push({ ...first, value: forAll });
      else {
        const isOwn = ({ own }: Change): boolean => own !== undefined && (own.isUsual === true || this.isOwn);
        owned.push(...changes.filter(isOwn));
        const left = changes.filter((change) => !isOwn(change));
        const isShared = changes.length < uses.size;
        const code = isOne && forAll === undefined ? "of a variable" : isShared ? "said elsewhere" : "said differently";
        keep(settled, left, ({ apart }) => ({ code, used: usedText(first, uses), apart }));
        for (const { what, value, own } of left) {
          const ways = [...(forAll === undefined ? [] : ["all" as const]), ...(own ? ["own" as const] : [])];
          settled.shared.push({ what, value, place: cell, uses: uses.size, ways, forAll });
        }
      }
    }
    writeOwn(owned, settled);
    const cells = due.filter(({ missing }) => missing === undefined);
    const translations = due.flatMap(({ missing, value }) => (missing ? [{ missing, value }] : []));
    this.#writeCells(cells, settled);
    this.#writeTranslations(translations, settled);
    return settled.files;
  }

  #writeCells(due: readonly Change[], settled: Settled): void {
    for (const [file, changes] of Map.groupBy(due, ({ place }) => place.file)) {
      const text = withCells(file, changes);
      const told = changes.flatMap((change) => this.#changes.get(cellOf(change)) ?? []);
      if (typeof text === "string") {
        settled.files.set(this.#named(file.path), text);
        settled.updated.push(...told.map(({ what, place }) => `${what} (${locate(place)})`));
      } else keep(settled, told, () => text);
    }
  }

  /** Writes the first translations of texts, on top of the cells of their files. */
  #writeTranslations(due: readonly { missing: MissingText; value: Change["value"] }[], settled: Settled): void {
    for (const own of Map.groupBy(due, ({ missing }) => missing.home.name).values()) {
      const [first] = own;
      if (first === undefined) continue;
      const { home, locale } = first.missing;
      const name = this.#named(home.path);
      const before = settled.files.get(name) ?? this.#code.data.find(({ path }) => path === home.path)?.text;
      const languages = { source: this.#code.sourceLocale ?? "und", target: locale };
      const texts = new Map(
        own.map(({ missing: { key, source }, value }) => [key, { text: String(value), source }] as const),
      );
      const diagnostics = new Diagnostics();
      const text = setTexts(before, { home, languages, texts }, diagnostics);
      const told = own.flatMap(({ missing }) => this.#changes.get(nameOf(missing)) ?? []);
      if (text !== undefined) {
        settled.files.set(name, text);
        settled.updated.push(...told.map(({ what }) => `${what} (${name}, in ${languageName(locale)})`));
      } else keep(settled, told, ({ place }) => ({ code: "unsafe", place }));
    }
  }

  #named(path: string): string {
    return relative(this.#code.loaded.folder.root, path).split(sep).join("/");
  }

  #use(cell: string, input: string, use: Use): void {
    const uses = this.#uses.get(cell) ?? new Map<string, Use>();
    this.#uses.set(cell, uses.set(input, use));
  }
}

/** `copy/de/offer.xlf, hero.title` */
function nameOf({ home, key }: MissingText): string {
  return `${home.name.replace(/#(.*)$/, ", column $1")}, ${key}`;
}

function cellOf({ place, missing }: Change): string {
  return missing ? nameOf(missing) : locate(place);
}

/** `copy.yaml:2:13 is used in 6 places (3 English, 3 German)` */
function usedText({ place, missing }: Change, uses: Uses): string {
  const languages = Map.groupBy(uses.values(), ({ language }) => language);
  const counts = [...languages].map(
    ([tag, { length }]) => `${length} ${tag === undefined ? "other" : languageName(tag)}`,
  );
  const places = counted(uses.size, "place");
  if (missing) return `${nameOf(missing)} would be used in ${places}`;
  return `${locate(place)} is used in ${places}${counts.length > 1 ? ` (${counts.join(", ")})` : ""}`;
}

function variablesAt({ inputs }: Entry, input: string): Variables | undefined {
  const { variables } = inputs;
  return /^content\b/.test(input) && isMap(variables) ? variables : undefined;
}

export function valueBefore(entry: Entry, input: readonly string[]): Pick<Change, "was" | "variables"> {
  return { was: valueAt(entry.inputs, input), variables: variablesAt(entry, propertyPath(input)) };
}

/**
 * Returns the value that fits all places. A text that newly says the value of a variable here has to name the variable for the others. Returns
 * undefined if that is not certain.
 */
function valueForAll({ value, was, variables = {} }: Change, uses: Uses): Change["value"] | undefined {
  if (typeof value !== "string") return value;
  const others = [...uses.values()].map((use) => use.variables);
  const said = Object.entries(variables).filter(
    ([name, own]) => others.some((other) => other?.[name] !== own) && holds(value, own) && !holds(String(was), own),
  );
  const known = said.filter(([name]) => others.every((other) => other !== undefined && Object.hasOwn(other, name)));
  const isTwice = ([, own]: readonly [string, Tree]): boolean =>
    Object.values(variables).filter((one) => one === own).length > 1;
  const named = withNames(value, Object.fromEntries(known.filter((one) => !isTwice(one))));
  return said.some(([, own]) => holds(named, own)) ? undefined : named;
}

function keep({ kept }: Settled, changes: readonly Change[], why: (change: Change) => Refusal): void {
  kept.push(...changes.map((change) => `${change.what} (${refusalText(why(change))})`));
}

function writeOwn(changes: readonly Change[], settled: Settled): void {
  for (const [write, own] of Map.groupBy(changes, (change) => change.own?.write)) {
    const refusal = write?.(new Map(own.map((change) => [change.own?.key ?? "", change.value])));
    if (refusal === undefined) settled.updated.push(...own.map(({ what }) => what));
    else keep(settled, own, () => refusal);
  }
}
