/** A checked manifest: the declarations of its entries, and the values that only the running program knows. */
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { isMap, type Json, type JsonMap } from "../../provider/values/json.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import type { Wanted } from "../language/forms.ts";
import type { Row } from "./rows.ts";
import type { Place, SourceFile } from "../source/file.ts";
import type { DataFiles } from "../data/files.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import type { Folder } from "../source/folder.ts";
import type { MapEntry, Reader } from "../source/reader.ts";

/** The place of a value: its path in the inputs, and its path in the manifest. */
export interface At {
  readonly input: readonly PropertyKey[];
  readonly path: string;
  readonly place: Place;
  /** The places of the data that `${each.…}` put in. */
  readonly from?: readonly Place[];
}

/** The source of a value that is not in the file. */
export type Origin =
  | { readonly from: "env"; readonly name: string; readonly fallback: Json | undefined; readonly secret: boolean }
  | { readonly from: "config"; readonly key: string; readonly fallback: Json | undefined }
  | { readonly from: "stack" }
  /** A text with deferred values in it. */
  | { readonly from: "text"; readonly parts: readonly (string | Deferred)[] }
  | { readonly from: "resource"; readonly target: string; readonly property: readonly string[] }
  | { readonly from: "lookup"; readonly what: string; readonly name: Tree };

/** A value that is known when the program runs. */
export class Deferred {
  readonly origin: Origin;
  readonly wanted: Wanted;
  readonly place: Place;
  /** The path in the manifest. */
  readonly path: string;

  constructor(origin: Origin, wanted: Wanted, place: Place, path: string) {
    this.origin = origin;
    this.wanted = wanted;
    this.place = place;
    this.path = path;
  }
}

/** A value that may have deferred values inside. */
export type Tree = Json | Deferred | Tree[] | { [key: string]: Tree };
export type TreeMap = Record<string, Tree>;

export interface EntryOptions {
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  /** Addresses (`pages.offer`). */
  readonly dependsOn: readonly string[];
  /** Property paths in the words of the inputs. */
  readonly ignoreChanges: readonly string[];
  /** Earlier logical names, or whole URNs. */
  readonly aliases: readonly string[];
}

/** The key of an entry with `each`, and the row that made one of its resources. */
interface OneOf {
  readonly of: string;
  readonly row: Row;
}

export interface Entry {
  /** `pages.offer`: unique in the manifest. */
  readonly address: string;
  readonly kind: Kind;
  readonly definition: AnyDefinition;
  /** The logical name. */
  readonly key: string;
  readonly one?: OneOf | undefined;
  readonly place: Place;
  readonly inputs: TreeMap;
  readonly options: EntryOptions;
  readonly account: string | undefined;
  readonly places: Spots;
  /** Layers of content that a language chooses, in order. */
  readonly localized?: readonly Localized[];
}

/** The place of each input, by its property path. */
export type Spots = ReadonlyMap<string, Spot>;

/** A layer of content that a language chooses, with the values of the layers before it. */
export interface Localized {
  readonly locale: string;
  /** The name in the manifest, with a `*` for the language. */
  readonly file: string;
  /** The file that names it, absolute. */
  readonly from: string;
  readonly columns: { readonly key?: string | undefined; readonly value?: string | undefined };
  readonly under: LayerTexts;
  readonly own: LayerTexts;
}

export type LayerTexts = ReadonlyMap<string, { readonly value: Json; readonly place: Place }>;

/** The place of an input, and its path in the manifest. */
export interface Spot {
  /** The place in the manifest, or in a data file that gives the whole text. */
  readonly place: Place;
  readonly path: string;
  /** The places of the data that `${each.…}` put in. */
  readonly from?: readonly Place[];
  /** The place in the manifest that names the data file of the value. */
  readonly by?: Place;
  /** True if that file is the text itself, and no other value is in it. */
  readonly isAlone?: true;
  /** The places in earlier files that the value hides, the nearest first. */
  readonly over?: readonly Place[];
}

export interface AccountEntry {
  readonly key: string;
  readonly place: Place;
  readonly settings: TreeMap;
}

export interface OutputEntry {
  readonly name: string;
  readonly value: Tree;
}

/** An entry with `each` that has no rows now, and may have had some. */
export interface VacantEntry {
  readonly address: string;
  readonly definition: AnyDefinition;
  /** The start of the logical names of its rows. */
  readonly prefix: string;
}

export interface Manifest {
  readonly root: SourceFile;
  readonly files: readonly SourceFile[];
  readonly data: readonly SourceFile[];
  readonly name: string | undefined;
  readonly accounts: readonly AccountEntry[];
  /** Each entry comes after the ones that it refers to. */
  readonly entries: readonly Entry[];
  readonly outputs: readonly OutputEntry[];
  readonly vacant: readonly VacantEntry[];
  readonly lint: LintSettings;
  /** The source language of all translations, if the manifest names it. */
  readonly sourceLocale?: string | undefined;
}

export function isTreeMap(tree: Tree | undefined): tree is TreeMap {
  return isMap(tree) && !(tree instanceof Deferred);
}

/** Returns the address of the resource that a value comes from. */
export function targetOf(tree: Tree | undefined): string | undefined {
  return tree instanceof Deferred && tree.origin.from === "resource" ? tree.origin.target : undefined;
}

export function* deferredIn(tree: Tree | undefined): Generator<Deferred> {
  if (tree instanceof Deferred) {
    yield tree;
    if (tree.origin.from === "lookup") yield* deferredIn(tree.origin.name);
    if (tree.origin.from === "text")
      for (const part of tree.origin.parts) if (part instanceof Deferred) yield* deferredIn(part);
  } else if (Array.isArray(tree)) {
    for (const item of tree) yield* deferredIn(item);
  } else if (typeof tree === "object" && tree !== null) {
    for (const item of Object.values(tree)) yield* deferredIn(item);
  }
}

/** A resource, an account or an output that the manifest declares under a key. */
export interface Declared extends MapEntry {
  readonly reader: Reader;
  readonly one?: OneOf;
}

export interface Loaded {
  readonly folder: Folder;
  readonly data: DataFiles;
  readonly root: SourceFile;
  readonly files: readonly SourceFile[];
  readonly name: string | undefined;
  /** By section (the registry's, `accounts`, `outputs` and `lint`), then by key. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<string, Declared>>;
  /** Entries with `each`, by section and key. */
  readonly groups: Groups;
}

/** The logical names of an entry with `each`, by the keys of the rows. Undefined if the rows can't be read. */
export type Group = ReadonlyMap<string, string> | undefined;
export type Groups = ReadonlyMap<string, ReadonlyMap<string, Group>>;

export const levels = ["off", "warning", "error"] as const;
export type Level = (typeof levels)[number];

export interface RuleSettings {
  /** Undefined: the default of the rule. */
  readonly level: Level | undefined;
  /** Patterns of paths (`pages.draft*`) that the rule skips. */
  readonly except: readonly string[];
  /** The other options of the rule, checked. */
  readonly options: JsonMap;
}

export type LintSettings = ReadonlyMap<string, RuleSettings>;

/** The context that reads a declaration. */
export interface Reading {
  readonly reader: Reader;
  readonly data: DataFiles;
  readonly diagnostics: Diagnostics;
}
