/**
 * The texts that we say on a page, now and before. A leaf that says its own one of them is ours, whoever has written it there; the text of
 * another content field proves nothing. They are kept as digests, so that a release and our record of creations can have them without the
 * texts. Pure.
 */
import { leafName, Leaves } from "./readings.ts";
import { plain } from "./texts.ts";
import { withoutMarkerOf } from "../../../ledger/identity.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { isMap, type Json, type JsonMap, without } from "../../../values/json.ts";
import { isRenderedFrom, placeholdersIn } from "../../../values/placeholders.ts";

const NOTE = "ours";

export class Ours {
  /** Texts that may stand anywhere: names, texts of nodes, and those in which a release has put links right. */
  readonly #texts: Leaves;
  /** Texts of content fields, for leaves of which nobody knows the field. */
  readonly #fields: Leaves;
  readonly #leaves: Leaves;
  readonly #whole: Set<string>;
  /** Variables that a killed run was writing with values that nobody knows. */
  readonly #open: Set<string>;
  readonly #identity: string | undefined;
  readonly #pageId: string;

  constructor(pageId: string, noted: Json | undefined, identity?: string) {
    const {
      texts = "",
      fields = "",
      leaves = "",
      whole = "",
      open = "",
    } = (isMap(noted) ? noted : {}) as Record<string, string>;
    this.#texts = new Leaves(pageId, texts);
    this.#fields = new Leaves(pageId, fields);
    this.#leaves = new Leaves(pageId, leaves);
    this.#whole = new Set(whole.split(" ").filter((id) => id !== ""));
    this.#open = new Set(open.split("\n").filter((name) => name !== ""));
    this.#identity = identity;
    this.#pageId = pageId;
  }

  static noted(notes: JsonMap, { id = "", identity }: Pick<ObjectState, "id" | "identity">): Ours {
    return new Ours(id, notes[NOTE], identity);
  }

  /** Returns a copy with texts that stand anywhere, and with texts of content fields. */
  and({ texts = [], fields = {} }: { texts?: Iterable<Json>; fields?: JsonMap }): Ours {
    const all = new Ours(this.#pageId, this.toNote(), this.#identity);
    for (const text of texts) all.addText(text);
    for (const [key, text] of Object.entries(fields)) all.addField(key, text);
    return all;
  }

  addText(text: Json): void {
    this.#texts.add("", plain(text));
  }

  addField(key: string, text: Json): void {
    this.#fields.add("", plain(text));
    this.addLeaf(fieldName(key), plain(text));
  }

  addLeaf(name: string, value: Json): void {
    this.#leaves.add(name, value);
  }

  addNode(id: string, node: Json): void {
    for (const [name, value] of leavesSet(id, node)) this.addLeaf(name, value);
    if (isWhole(node)) this.#whole.add(id);
  }

  addOpen(variable: string): void {
    this.#open.add(variable);
  }

  /** Tells if this may be the text as a killed run rendered it with values that nobody knows. */
  mayRender(text: Json, shown: Json): boolean {
    return placeholdersIn(text).some((name) => this.#open.has(name)) && isRenderedFrom(text, shown);
  }

  /** True if some node is set as a whole: other things in it may be gone. */
  get isWhole(): boolean {
    return this.#whole.size > 0;
  }

  /** Tells if we say this value, for a leaf by its name. No text of ours tells how a node looks. An empty text proves nothing by itself. */
  says(value: Json | undefined, name: string): boolean {
    if (value === undefined) return false;
    if ([value, plain(value)].some((one) => this.#leaves.holds(name, one))) return true;
    if (isStyle(name) || (value === "" && name.startsWith(fieldName("")))) return false;
    const identity = this.#identity;
    if (identity !== undefined && typeof value === "string" && withoutMarkerOf(identity, value) !== value) return true;
    return this.#texts.holdsAnywhere(plain(value));
  }

  /** Tells if we say this text under some content key. */
  saysInField(value: Json): boolean {
    return this.#fields.holdsAnywhere(plain(value));
  }

  toNote(): JsonMap {
    const [whole, open] = [[...this.#whole].join(" "), [...this.#open].join("\n")];
    const fields = this.#fields.toString();
    return {
      texts: this.#texts.toString(),
      ...(fields !== "" && { fields }),
      leaves: this.#leaves.toString(),
      ...(whole !== "" && { whole }),
      ...(open !== "" && { open }),
    };
  }
}

/** Adds our texts to the notes of a page that no state has yet. */
export function withOurs(notes: JsonMap, ours: Ours): JsonMap {
  return { ...notes, [NOTE]: ours.toNote() };
}

export function withoutOurs(notes: JsonMap): JsonMap {
  return without(notes, [NOTE]);
}

export function fieldName(key: string): string {
  return `=${key}`;
}

/** Tells if a node is declared as a whole, and not as a patch. */
export function isWhole(node: Json | undefined): boolean {
  return isMap(node) && "node" in node;
}

/** Returns a node as it is sent, or the patch. */
export function partsOf(node: Json): Json {
  return isMap(node) && isMap(node["node"]) ? node["node"] : node;
}

export function isStyle(name: string): boolean {
  return /^[^/]*\/style\//.test(name);
}

/** Returns the leaves that a node sets. The parts of a whole node stand under the same places. */
export function leavesSet(nodeId: string, node: Json): [name: string, value: Json][] {
  return scalarsIn(partsOf(node)).map(([place, value]) => [leafName(nodeId, place), value]);
}

function scalarsIn(value: unknown, place = ""): [string, Json][] {
  if (typeof value !== "object" || value === null) return [[place, value as Json]];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value as JsonMap);
  return entries.flatMap(([key, item]) => scalarsIn(item, place === "" ? String(key) : `${place}/${key}`));
}
