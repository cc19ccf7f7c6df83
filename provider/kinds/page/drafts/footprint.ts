/**
 * What a page held when this stack last published it, small: a digest a content key, and one a builder node. It is kept
 * in the notes of the state, which are secret: a short text could be guessed from its digest. Pure.
 */
import { hash } from "node:crypto";
import { isMap, type Json, type JsonMap } from "../../../values/json.ts";
import type { PageLook } from "./page-look.ts";
import { withoutIds } from "./renamed.ts";

export interface Footprint {
  readonly fields: Marks;
  readonly nodes: Marks;
  /** Of nodes that have one, their style alone, which no text of ours moves. Undefined where an older version published the page. */
  readonly styles: Marks | undefined;
  /** The tree as it was published, or left to a release, but for the ids of its nodes; undefined where a draft was noted that held edits of others. */
  readonly whole: string | undefined;
  /** The service's date of that publication; undefined until it was read. */
  readonly at: string | undefined;
  /** By how many milliseconds a publication of ours has moved updated_at past its date. */
  readonly lag: number | undefined;
  /** Seen on this page: what is written by content keys shows in the tree. One read of it then tells all. */
  readonly fieldsInTree: boolean;
  /** A write of ours ended in an error, and what it left was not looked at. */
  readonly unsure: boolean;
  /** The look after a write of ours didn't show it yet: nodes that show it later are ours. */
  readonly late: boolean;
}

const NAME = 4;
const VALUE = 4;
const WHOLE = 8;
/** So many digests of what a name was before, at most. */
const FORMER = 3;
/** Stands for every value. */
const ANY = "*".repeat(VALUE);

/** Digests by digest of the name. A string of both for each, as the state keeps it. */
export class Marks {
  readonly #values = new Map<string, Set<string>>();
  readonly #salt: string;

  constructor(salt: string, packed = "") {
    this.#salt = salt;
    for (let at = 0; at + NAME + VALUE <= packed.length; at += NAME + VALUE)
      this.#add(packed.slice(at, at + NAME), packed.slice(at + NAME, at + NAME + VALUE));
  }

  add(name: string, value: string): void {
    this.#add(this.#nameMark(name), this.#valueMark(value));
  }

  /** The newest value, as it is and as a service may normalise it; what it shows instead will do, too. */
  addSent(name: string, value: string): void {
    if (this.isNewest(name, value)) return;
    const mark = this.#nameMark(name);
    const newest = [this.#valueMark(loosely(value)), this.#valueMark(value)];
    this.#values.set(mark, new Set([...newest, ...(this.#values.get(mark) ?? [])]));
  }

  isNewest(name: string, value: string): boolean {
    const [newest] = this.#values.get(this.#nameMark(name)) ?? [];
    return newest === this.#valueMark(value) || newest === this.#valueMark(loosely(value));
  }

  /** Of a copy that lags behind: what it shows is known, and newer values are, too. */
  takeIfOlder(name: string, value: string, other: Marks): void {
    const isAny = other.#values.get(this.#nameMark(name))?.has(ANY) === true;
    if (!isAny && other.holds(name, value) && !other.isNewest(name, value)) this.take(name, other);
  }

  /** And what it was lately, which a copy that lags behind may still show. */
  addFormer(name: string, former: Marks): void {
    const mark = this.#nameMark(name);
    for (const value of [...(former.#values.get(mark) ?? [])].slice(0, FORMER))
      if (value !== ANY) this.#add(mark, value);
  }

  /** From now on any value of this name will do. */
  setAny(name: string): void {
    this.delete(name);
    this.#add(this.#nameMark(name), ANY);
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  get someAny(): boolean {
    return [...this.#values.values()].some((values) => values.has(ANY));
  }

  delete(name: string): void {
    this.#values.delete(this.#nameMark(name));
  }

  has(name: string): boolean {
    return this.#values.has(this.#nameMark(name));
  }

  holds(name: string, value: string): boolean {
    const values = this.#values.get(this.#nameMark(name));
    if (values === undefined) return false;
    return [ANY, this.#valueMark(value), this.#valueMark(loosely(value))].some((mark) => values.has(mark));
  }

  /** How many names there are beside these. */
  besides(names: Iterable<string>): number {
    const known = new Set([...names].map((name) => this.#nameMark(name)));
    return [...this.#values.keys()].filter((mark) => !known.has(mark)).length;
  }

  /** The mark of `name` as it is in `other`: the same value, or none. */
  take(name: string, other: Marks): void {
    const mark = this.#nameMark(name);
    this.#values.delete(mark);
    for (const value of other.#values.get(mark) ?? []) this.#add(mark, value);
  }

  /** Names of `other` that are neither here nor among `names` keep their marks. */
  keepBesides(names: Iterable<string>, other: Marks): void {
    const known = new Set([...names].map((name) => this.#nameMark(name)));
    for (const [mark, values] of other.#values) {
      if (!known.has(mark) && !this.#values.has(mark)) for (const value of values) this.#add(mark, value);
    }
  }

  toString(): string {
    return [...this.#values].flatMap(([name, values]) => [...values].map((value) => name + value)).join("");
  }

  #add(name: string, value: string): void {
    this.#values.set(name, (this.#values.get(name) ?? new Set()).add(value));
  }

  #nameMark(name: string): string {
    return short(`${this.#salt}\n${name}`, NAME);
  }

  #valueMark(value: string): string {
    return short(`${this.#salt}\n\n${value}`, VALUE);
  }
}

/** As a service may normalise it. It begins as no JSON does. */
function loosely(value: string): string {
  return `~${value
    .replace(/\\[nrt]/g, " ")
    .replace(/\s+/g, " ")
    .replace(/^" | "$/g, '"')
    .normalize("NFC")}`;
}

function short(text: string, length: number): string {
  return hash("sha256", text, "base64url").slice(0, length);
}

/** The text that stands for a field's value. */
export function valueText(value: Json | undefined): string {
  return value === undefined ? "" : JSON.stringify(value);
}

export function marksOf(
  pageId: string,
  look: PageLook,
): Pick<Footprint, "fields" | "nodes"> & { readonly styles: Marks; readonly whole: string } {
  const fields = new Marks(pageId);
  const nodes = new Marks(pageId);
  const styles = new Marks(pageId);
  for (const [key, value] of look.fields ?? []) fields.add(key, valueText(value));
  for (const [id, { own, style }] of look.nodes) {
    nodes.add(id, own);
    if (style !== "") styles.add(id, style);
  }
  return { fields, nodes, styles, whole: wholeMark(pageId, look) };
}

export function wholeMark(pageId: string, look: PageLook): string {
  return short(`${pageId}\n${withoutIds(look)}`, WHOLE);
}

const NOTE = "published";

export function footprintIn(notes: JsonMap, pageId: string): Footprint | undefined {
  const note = notes[NOTE];
  if (!isMap(note)) return undefined;
  const { fields, nodes, styles, whole, at, lag, fieldsInTree, unsure, late } = note;
  if (typeof fields !== "string" || typeof nodes !== "string") return undefined;
  return {
    fields: new Marks(pageId, fields),
    nodes: new Marks(pageId, nodes),
    styles: typeof styles === "string" ? new Marks(pageId, styles) : undefined,
    whole: typeof whole === "string" ? whole : undefined,
    at: typeof at === "string" ? at : undefined,
    lag: typeof lag === "number" ? lag : undefined,
    fieldsInTree: fieldsInTree === true,
    unsure: unsure === true,
    late: late === true,
  };
}

export function withFootprint(notes: JsonMap, footprint: Footprint): JsonMap {
  const { fields, nodes, styles, whole, at, lag, fieldsInTree, unsure, late } = footprint;
  return {
    ...notes,
    [NOTE]: {
      fields: fields.toString(),
      nodes: nodes.toString(),
      ...(styles && { styles: styles.toString() }),
      ...(whole !== undefined && { whole }),
      ...(at !== undefined && { at }),
      ...(lag !== undefined && { lag }),
      ...(fieldsInTree && { fieldsInTree }),
      ...(unsure && { unsure }),
      ...(late && { late }),
    },
  };
}

/** With the service's date of the publication that it tells of. */
export function withDate(notes: JsonMap, pageId: string, publishedAt: string | null, lag?: number): JsonMap {
  const known = footprintIn(notes, pageId);
  if (known === undefined) return notes;
  return withFootprint(notes, { ...known, at: publishedAt ?? undefined, lag: lag ?? known.lag });
}
