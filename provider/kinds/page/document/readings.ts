/**
 * A page is a document with three readings:
 *
 * - *declared*: the values in the code. The state keeps them as it does for every kind.
 * - *draft*: the values that the app held when we left it. The state keeps them as the answer.
 * - *published*: the values that our last publication shipped. The state keeps them by value if they are known and not as declared
 *   (`ObjectState.published`), and as one short digest a leaf (`Leaves`) for all that nobody declared.
 *
 * Everything else follows from these. Drift is a draft that is not as we left it. An edit of somebody else is a leaf of the draft that is
 * not as it was published and says nothing that we say (foreign-edits.ts). A plan tells the way from published to declared, also after a
 * hold. An undo goes to the published values, and a page is held back as long as published is not declared. A release is a batch of the
 * same. A page that goes public for the first time is compared with the values that its creation gave us, in the same way.
 *
 * The digests are kept in the state openly, where they take less room, and their salt with the secret notes: without it, a short text could
 * be guessed from its digest. A leaf takes four and a half bytes: 16 bits of its name and 20 of its value. So one edit in a million passes
 * unseen; and of 300 leaves, a leaf that is gone or new seems to be another one in one case of 200, which costs its name alone.
 */
import { hash, randomBytes } from "node:crypto";
import type { Nodes, Scalar } from "../../../account/builder-tree.ts";
import type { PageDocument } from "./document.ts";
import { type ForeignEdit, keyOf } from "../../../messages/foreign-edits.ts";
import { filterMap, type Json, type JsonMap, mapBy, mapOf, same } from "../../../values/json.ts";
import { asText, render } from "../../../values/placeholders.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { valuesThen } from "./texts.ts";

/** Digits of sixteen. */
const NAME = 4;
const VALUE = 5;

/** Digests of values by digest of the leaf's name. The state keeps the bytes of both for each leaf. */
export class Leaves {
  readonly #values = new Map<string, Set<string>>();
  readonly #all = new Set<string>();
  readonly #salt: string;

  constructor(salt: string, packed = "") {
    this.#salt = salt;
    const digits = Buffer.from(packed, "base64url").toString("hex");
    for (let at = 0; at + NAME + VALUE <= digits.length; at += NAME + VALUE)
      this.#add(digits.slice(at, at + NAME), digits.slice(at + NAME, at + NAME + VALUE));
  }

  add(name: string, value: Json | undefined): void {
    this.#add(this.#nameOf(name), this.#valueOf(value));
  }

  has(name: string): boolean {
    return this.#values.has(this.#nameOf(name));
  }

  holds(name: string, value: Json | undefined): boolean {
    return this.#values.get(this.#nameOf(name))?.has(this.#valueOf(value)) === true;
  }

  /** Tells if a leaf of any name has this value. */
  holdsAnywhere(value: Json | undefined): boolean {
    return this.#all.has(this.#valueOf(value));
  }

  /** Tells if the leaf has a value of that leaf among the others. */
  shares(name: string, others: Leaves, other: string): boolean {
    const values = others.#values.get(others.#nameOf(other));
    return values !== undefined && [...(this.#values.get(this.#nameOf(name)) ?? [])].some((one) => values.has(one));
  }

  /** Returns how many leaves there are beside these. */
  besides(names: Iterable<string>): number {
    const known = new Set([...names].map((name) => this.#nameOf(name)));
    return [...this.#values.keys()].filter((name) => !known.has(name)).length;
  }

  /** Returns the leaves that either holds. */
  with(other: Leaves): Leaves {
    const both = new Leaves(this.#salt);
    for (const [name, value] of [...this.#pairs(), ...other.#pairs()]) both.#add(name, value);
    return both;
  }

  /** Returns the leaves with another value of one. */
  replaced(name: string, was: Json | undefined, is: Json | undefined): Leaves {
    const next = this.with(new Leaves(this.#salt));
    next.#values.get(next.#nameOf(name))?.delete(next.#valueOf(was));
    next.add(name, is);
    return next;
  }

  get size(): number {
    return this.#values.size;
  }

  toString(): string {
    const digits = this.#pairs().flat().join("");
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, "hex").toString("base64url");
  }

  #pairs(): [name: string, value: string][] {
    return [...this.#values].flatMap(([name, values]) => [...values].map((value): [string, string] => [name, value]));
  }

  #add(name: string, value: string): void {
    this.#values.set(name, (this.#values.get(name) ?? new Set()).add(value));
    this.#all.add(value);
  }

  #nameOf(name: string): string {
    return hash("sha256", `${this.#salt}\n${name}`, "hex").slice(0, NAME);
  }

  #valueOf(value: Json | undefined): string {
    const text = value === undefined ? "" : asText(value);
    return hash("sha256", `${this.#salt}\n\n${text}`, "hex").slice(0, VALUE);
  }
}

/** The values that our last publication shipped, or that a creation gave us. */
export interface Shipped {
  readonly salt: string;
  /** By content key. Empty where the map was not read. */
  readonly fields: Leaves;
  /** By node and place. Empty where the key may not read the builder. */
  readonly nodes: Leaves;
  /** The service's date of the publication; undefined until it was read. */
  readonly at: string | undefined;
  /** The milliseconds by which a publication of ours has moved updated_at past its date. */
  readonly lag: number | undefined;
  /** Content keys whose public text somebody wrote in the app. */
  readonly others: readonly string[];
}

/** Returns the keys with those that these edits have brought before visitors. */
export function broughtBy(edits: readonly ForeignEdit[], known: readonly string[] = []): readonly string[] {
  const brought = edits.flatMap((edit) => (edit.kind === "field" && !edit.over ? [keyOf(edit)] : []));
  return [...new Set([...known, ...brought])];
}

export function leafName(nodeId: string, place: string): string {
  return `${nodeId}/${place}`;
}

export interface Leaf {
  readonly nodeId: string;
  readonly place: string;
  readonly name: string;
  readonly value: Scalar;
}

export function leavesIn(nodes: Nodes): Leaf[] {
  return [...nodes].flatMap(([nodeId, { leaves }]) =>
    [...leaves].map(([place, value]) => ({ nodeId, place, name: leafName(nodeId, place), value })),
  );
}

/** `as`: the values that our writes may leave of a leaf. */
export function shippedAs(
  salt: string,
  { fields, nodes }: PageDocument,
  as: (value: Json) => readonly Json[] = (value) => [value],
): Shipped {
  const shipped = {
    salt,
    fields: new Leaves(salt),
    nodes: new Leaves(salt),
    at: undefined,
    lag: undefined,
    others: [],
  };
  for (const [key, value] of fields ?? [])
    for (const one of value === undefined ? [value] : new Set(as(value))) shipped.fields.add(key, one);
  for (const { name, value } of leavesIn(nodes)) for (const one of new Set(as(value))) shipped.nodes.add(name, one);
  return shipped;
}

const NOTE = "shipped";

/** Returns the salt of the digests in the notes, or a new one. */
export function saltIn(notes: JsonMap): string {
  const { salt } = mapOf(notes[NOTE]);
  return typeof salt === "string" ? salt : newSalt();
}

export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString("base64url");
}

const SALT_BYTES = 12;

/** The record as the notes keep it. */
interface ShippedNote extends Pick<Shipped, "salt" | "at" | "lag">, Partial<Pick<Shipped, "others">> {
  readonly digests?: { readonly fields?: string; readonly nodes?: string };
}

/** Tells if the digests of all notes have those of a publication. */
export function hasShipped(digests: JsonMap): boolean {
  return digests[NOTE] !== undefined;
}

export function shippedIn(notes: JsonMap): Shipped | undefined {
  const note = notes[NOTE] as unknown as ShippedNote | undefined;
  if (note === undefined) return undefined;
  const { salt, at, lag, others = [], digests: { fields, nodes } = {} } = note;
  return { salt, fields: new Leaves(salt, fields), nodes: new Leaves(salt, nodes), at, lag, others };
}

export function withShipped(notes: JsonMap, { salt, fields, nodes, at, lag, others }: Shipped): JsonMap {
  const digests = {
    ...(fields.size > 0 && { fields: fields.toString() }),
    ...(nodes.size > 0 && { nodes: nodes.toString() }),
  };
  const note = {
    salt,
    ...(Object.keys(digests).length > 0 && { digests }),
    ...(at !== undefined && { at }),
    ...(lag !== undefined && { lag }),
    ...(others.length > 0 && { others: [...others] }),
  };
  return { ...notes, [NOTE]: note };
}

export function withDate(notes: JsonMap, publishedAt: string | null, lag?: number): JsonMap {
  const known = shippedIn(notes);
  if (known === undefined) return notes;
  return withShipped(notes, { ...known, at: publishedAt ?? undefined, lag: lag ?? known.lag });
}

/** The fields whose published values are kept key by key. */
export const BY_KEY = ["content", "nodes"] as const;

/** Returns such values of each field that has some. */
export function byKey(valuesOf: (field: (typeof BY_KEY)[number]) => JsonMap): JsonMap {
  return filterMap(mapBy(BY_KEY, valuesOf), (values) => Object.keys(mapOf(values)).length > 0);
}

/** Returns `published` with more of it. The values that are known already count. */
export function withPublished(published: JsonMap, more: JsonMap): JsonMap {
  const fields = byKey((field) => ({ ...mapOf(more[field]), ...mapOf(published[field]) }));
  const delay = published["delay"] ?? more["delay"];
  return { ...fields, ...(delay !== undefined && { delay }) };
}

/** Adds the old values of declared keys that somebody has changed in the draft. Unless Landform knows better, they are published. */
export function publishedUnder(published: JsonMap, then: JsonMap, live: JsonMap): JsonMap {
  const isMoved = (field: string, value: Json, key: string): boolean => {
    const is = mapOf(live[field]);
    return Object.hasOwn(is, key) && !same(is[key], value);
  };
  const found = byKey((field) => filterMap(mapOf(then[field]), (value, key) => isMoved(field, value, key)));
  const { delay, ...all } = withPublished(published, found);
  // A value that the draft says again as it is public is no difference.
  const left = byKey((field) => filterMap(mapOf(all[field]), (value, key) => !same(mapOf(live[field])[key], value)));
  return { ...left, ...(delay !== undefined && { delay }) };
}

/** Returns the template's texts that hold a placeholder. Where somebody has published another text, the place is theirs. */
export function templateTexts(object: Pick<ObjectState, "declared" | "notes">): JsonMap {
  const { notes } = object;
  const texts = mapOf(notes["texts"]);
  // To unpack the digests of a large page takes a while, and few pages have such a text.
  if (mapOf(notes[NOTE])["others"] === undefined) return texts;
  const shipped = shippedIn(notes);
  const then = valuesThen(object);
  const isTheirs = (text: Json, key: string): boolean =>
    shipped?.others.includes(key) === true && !shipped.fields.holds(key, render(text, then));
  return filterMap(texts, (text, key) => !isTheirs(text, key));
}
