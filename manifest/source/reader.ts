/** Walks a sound document. It follows aliases, merges merge keys, and stops at endless ones. */
import { isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Document, Node, Pair, YAMLMap } from "yaml";
import type { Json } from "../../provider/values/json.ts";
import type { Diagnostics } from "./diagnostics.ts";
import type { Place } from "./file.ts";
import { homeOf, isMerge, keyText, type Parsed, placeOf } from "./parse.ts";

/** The most values that aliases may add to a file (a "billion laughs" file adds any number). */
const MAX_EXPANSION = 200_000;
const MAX_DEPTH = 100;

/** Stops the reading of a file. The problem itself is in the diagnostics. */
export class Exhausted extends Error {
  override name = "Exhausted";
}

export interface MapEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly keyNode: Node;
  /** The value behind its aliases. */
  readonly value: Node | null;
}

export class Reader {
  readonly parsed: Parsed;
  readonly #diagnostics: Diagnostics;
  readonly #limit: number;
  #visited = 0;

  constructor(parsed: Parsed, diagnostics: Diagnostics) {
    this.parsed = parsed;
    this.#diagnostics = diagnostics;
    this.#limit = parsed.nodeCount * 2 + MAX_EXPANSION;
  }

  place(node: Node | null, around?: Place): Place {
    if (!node?.range) return around ?? this.parsed.file.whole;
    return placeOf(homeOf(node)?.file ?? this.parsed.file, node);
  }

  follow(node: Node | null): Node | null {
    if (++this.#visited > this.#limit) this.#giveUp(node);
    if (!isAlias(node)) return node;
    const { targets } = homeOf(node) ?? this.parsed;
    return this.follow(targets.get(node) ?? null);
  }

  /** Returns the entries of a map: its own in their order, then those of merge keys that it lacks. */
  entries(map: YAMLMap): MapEntry[] {
    const own = new Map<string, MapEntry>();
    const merged: MapEntry[] = [];
    for (const pair of map.items) {
      if (isMerge(pair)) merged.push(...this.#merged(pair.value as Node | null));
      else this.#addTo(own, pair);
    }
    for (const entry of merged) if (!own.has(entry.key)) own.set(entry.key, entry);
    return [...own.values()];
  }

  /** Returns the value as JSON and interprets nothing inside. It reports numbers that a JSON number can't hold. */
  json(node: Node | null, path: string, depth = 0): Json {
    const real = this.follow(node);
    this.checkDepth(depth, real);
    if (isScalar(real)) return this.scalar(real, path);
    if (isSeq(real)) return real.items.map((item) => this.json(item as Node | null, path, depth + 1));
    if (!isMap(real)) return null;
    return Object.fromEntries(this.entries(real).map(({ key, value }) => [key, this.json(value, path, depth + 1)]));
  }

  scalar(node: Node, path: string): Json {
    const value = isScalar(node) ? node.value : null;
    if (typeof value === "string") return this.#text(value, node, path);
    if (typeof value === "number") return this.#number(value, node, path);
    return typeof value === "boolean" ? value : null;
  }

  checkDepth(depth: number, node: Node | null): void {
    if (depth <= MAX_DEPTH) return;
    const message = `values are nested more than ${MAX_DEPTH} levels deep`;
    this.#diagnostics.error("nested-too-deep", this.place(node), message);
    throw new Exhausted();
  }

  #addTo(own: Map<string, MapEntry>, pair: Pair): void {
    const key = keyText(pair);
    if (key === undefined) return;
    const keyNode = pair.key as Node;
    const keyPlace = this.place(keyNode);
    if (!key.isWellFormed()) {
      const hint = "Write the whole character, or leave it out.";
      this.#diagnostics.error("invalid-key", keyPlace, "half of a surrogate pair is not a character", { hint });
    }
    const whole = key.toWellFormed();
    own.set(whole, { key: whole, keyPlace, keyNode, value: this.follow(pair.value as Node | null) });
  }

  #merged(node: Node | null): MapEntry[] {
    const source = this.follow(node);
    if (isMap(source)) return this.entries(source);
    const parts = isSeq(source) ? source.items.map((item) => this.follow(item as Node | null)) : [source];
    if (isSeq(source) && parts.every((part) => isMap(part))) return parts.flatMap((part) => this.entries(part));
    const hint = "Refer to an anchored map: <<: *base.";
    this.#diagnostics.error("alias", this.place(node), "<< takes a map, or a list of maps", { hint });
    return [];
  }

  #text(value: string, node: Node, path: string): string {
    if (value.isWellFormed()) return value;
    const message = ": half of a surrogate pair is not a character";
    this.#diagnostics.fault("invalid-value", { place: this.place(node), path }, message);
    return value.toWellFormed();
  }

  #number(value: number, node: Node, path: string): number {
    const finite = Number.isFinite(value);
    if (finite && keepsDigits(value, isScalar(node) ? (node.source ?? "") : "")) return value;
    const message = finite ? "has more digits than a number can keep" : "is not a number that JSON can hold";
    const about = { place: this.place(node), path };
    this.#diagnostics.fault("invalid-value", about, `: this ${message}`, "Put it in quotes if it is text.");
    return 0;
  }

  #giveUp(node: Node | null): never {
    const message = "the aliases of this file expand to more values than can be read";
    this.#diagnostics.error("alias", this.place(node), message, {
      hint: "Write the values out, or use fewer aliases.",
    });
    throw new Exhausted();
  }
}

export interface Respelled {
  readonly problem: string;
  readonly hint: string;
}

/** Returns undefined if the sent value is the written one. */
export function respelled(value: unknown, written: string | undefined): Respelled | undefined {
  if (typeof value !== "number" && typeof value !== "boolean") return undefined;
  const sent = String(value);
  if (written === undefined || written === sent || isTold(value, written)) return undefined;
  const what = typeof value === "number" ? "a number" : "true or false";
  return {
    problem: `${written} is read as ${what}, and would be sent as ${sent}`,
    hint: `Put text in quotes: "${written}". Write ${sent} if you mean ${what}.`,
  };
}

export function respelledNode(node: Node | null): Respelled | undefined {
  return isScalar(node) ? respelled(node.value, node.source) : undefined;
}

/** A number that can't be kept has a fault of its own. */
function isTold(value: number | boolean, written: string): boolean {
  return typeof value === "number" && !(Number.isFinite(value) && keepsDigits(value, written));
}

export function keepsDigits(value: number, written: string): boolean {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return true;
  const shortest = digitsOf(String(value));
  return digitsOf(written) === shortest;
}

/** Returns the significant digits, and the position of the point behind the first one. */
function digitsOf(number: string): string {
  const [, whole = "", rest = "", exponent = "0"] = /^[-+]?(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + rest).replace(/^0+/, "");
  return `${digits.replace(/0+$/, "")}e${digits.length - rest.length + Number(exponent)}`;
}

export type Path = readonly (string | number)[];

/** `plain`: without quotes. */
export function keysOf({ items }: YAMLMap): { readonly name: string; readonly plain: boolean }[] {
  return items.flatMap(({ key }) => (isScalar(key) ? [{ name: String(key.value), plain: key.type === "PLAIN" }] : []));
}

/** Returns the key of a pair as JSON has it. */
export function keyOf({ key }: Pair): string | undefined {
  if (!isScalar(key)) return undefined;
  const value = key.value as string | number | boolean | null;
  return value === null ? "" : String(value);
}

interface NodeIndex {
  at(start: number): Node | undefined;
  pathsTo(start: number): readonly Path[];
}

export function indexOf(text: string): NodeIndex {
  const document = parseDocument(text, { uniqueKeys: false, logLevel: "error", prettyErrors: false });
  const nodes = new Map<number, Node>();
  const paths = new Map<number, Path[]>();
  walk(document.contents, [], document, (node, path) => {
    const start = node.range?.[0];
    if (start === undefined) return;
    nodes.set(start, node);
    paths.set(start, [...(paths.get(start) ?? []), path]);
  });
  return { at: (start) => nodes.get(start), pathsTo: (start) => paths.get(start) ?? [] };
}

function walk(node: unknown, path: Path, document: Document, tell: (node: Node, path: Path) => void): void {
  if (isAlias(node)) {
    const target = node.resolve(document);
    if (target && !isMap(target) && !isSeq(target)) tell(target, path);
    return;
  }
  if (isMap(node)) {
    for (const pair of node.items) walk(pair.value, [...path, keyOf(pair) ?? ""], document, tell);
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) walk(item, [...path, index], document, tell);
  } else if (node !== null && node !== undefined) tell(node as Node, path);
}
