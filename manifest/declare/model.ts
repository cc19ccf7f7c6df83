/** A checked manifest: what its entries declare, with the values that are only known when the program runs. */
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

/** Where a value stands: as the inputs call it, and as the manifest does. */
export interface At {
  readonly input: readonly PropertyKey[];
  readonly path: string;
  readonly place: Place;
  /** Where the data stands that `${each.…}` has put in. */
  readonly from?: readonly Place[];
}

/** Where a value comes from that is not in the file. */
export type Origin =
  | { readonly from: "env"; readonly name: string; readonly fallback: Json | undefined; readonly secret: boolean }
  | { readonly from: "config"; readonly key: string; readonly fallback: Json | undefined }
  | { readonly from: "stack" }
  /** A text with some of these in it. */
  | { readonly from: "text"; readonly parts: readonly (string | Deferred)[] }
  | { readonly from: "resource"; readonly target: string; readonly property: readonly string[] }
  | { readonly from: "lookup"; readonly what: string; readonly name: Tree };

/** A value that is known when the program runs. */
export class Deferred {
  readonly origin: Origin;
  readonly wanted: Wanted;
  readonly place: Place;
  /** Where in the manifest. */
  readonly path: string;

  constructor(origin: Origin, wanted: Wanted, place: Place, path: string) {
    this.origin = origin;
    this.wanted = wanted;
    this.place = place;
    this.path = path;
  }
}

/** A value with deferred ones inside. */
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

/** One resource of the manifest. */
export interface Entry {
  /** `pages.offer`: unique in the manifest. */
  readonly address: string;
  readonly kind: Kind;
  readonly definition: AnyDefinition;
  /** The logical name. */
  readonly key: string;
  /** What it is one of, where `each` makes several of one entry. */
  readonly one?: OneOf;
  readonly place: Place;
  readonly inputs: TreeMap;
  readonly options: EntryOptions;
  readonly account: string | undefined;
  /** Where each input stands, by its property path. */
  readonly places: Spots;
  /** Layers of content that a language chooses, in their order. */
  readonly localized?: readonly Localized[];
}

/** One of the resources that an entry with `each` declares. */
interface OneOf {
  /** Key of the entry. */
  readonly of: string;
  readonly row: KnownRow;
}

/** What is asked of a row once its fields are filled in. */
export interface KnownRow extends Pick<Row, "key" | "place" | "isProduct"> {
  /** Where each field that is called key stands. */
  readonly keys: readonly Place[];
}

/** By the property path of each input, where it stands. */
export type Spots = ReadonlyMap<string, Spot>;

/** A layer of content that a language chooses: what it says, over what the layers before say. */
export interface Localized {
  readonly locale: string;
  /** As the manifest names it; with a `*` where the language stands. */
  readonly file: string;
  /** The file that names it, absolute. */
  readonly from: string;
  readonly columns: { readonly key?: string | undefined; readonly value?: string | undefined };
  readonly under: LayerTexts;
  readonly own: LayerTexts;
}

export type LayerTexts = ReadonlyMap<string, { readonly value: Json; readonly place: Place }>;

/** Where an input stands, and what the manifest calls it. */
export interface Spot {
  /** In the manifest, or in a data file that it takes whole texts from. */
  readonly place: Place;
  readonly path: string;
  /** Where the data stands that `${each.…}` has put in. */
  readonly from?: readonly Place[];
  /** Of a value of a data file: where the manifest names the file. */
  readonly by?: Place;
  /** What the value stands over, in files that come before, the nearest first. */
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

/** What declares nothing, and may have declared something when there were rows. */
export interface VacantEntry {
  readonly address: string;
  readonly definition: AnyDefinition;
  /** How the logical names of its rows begin. */
  readonly prefix: string;
}

export interface Manifest {
  readonly root: SourceFile;
  readonly files: readonly SourceFile[];
  /** What it takes from data files. */
  readonly data: readonly SourceFile[];
  readonly name: string | undefined;
  readonly accounts: readonly AccountEntry[];
  /** Each after what it refers to. */
  readonly entries: readonly Entry[];
  readonly outputs: readonly OutputEntry[];
  /** Entries with `each` that has no rows. */
  readonly vacant: readonly VacantEntry[];
  readonly lint: LintSettings;
  /** The language that everything is translated from, where it is said. */
  readonly sourceLocale?: string | undefined;
}

export function isTreeMap(tree: Tree | undefined): tree is TreeMap {
  return isMap(tree) && !(tree instanceof Deferred);
}

/** Every deferred value of a tree. */
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

/** Something that the manifest declares under a key: a resource, an account or an output. */
export interface Declared extends MapEntry {
  readonly reader: Reader;
  /** What it is one of, where `each` makes several of one entry. */
  readonly one?: { readonly of: string; readonly row: Row };
}

export interface Loaded {
  readonly folder: Folder;
  readonly data: DataFiles;
  readonly root: SourceFile;
  readonly files: readonly SourceFile[];
  readonly name: string | undefined;
  /** By section (the registry's, `accounts`, `outputs` and `lint`), then by key. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<string, Declared>>;
  /** Entries with `each`, in the same way. */
  readonly groups: Groups;
}

/** What an entry with `each` declares: logical names by the keys of the rows; undefined where the rows can't be had. */
export type Group = ReadonlyMap<string, string> | undefined;
export type Groups = ReadonlyMap<string, ReadonlyMap<string, Group>>;

export const levels = ["off", "warning", "error"] as const;
export type Level = (typeof levels)[number];

/** Of one rule. */
export interface RuleSettings {
  /** Undefined: the rule's own. */
  readonly level: Level | undefined;
  /** Patterns of paths (`pages.draft*`) that the rule leaves alone. */
  readonly except: readonly string[];
  /** What the rule takes beyond that; checked. */
  readonly options: JsonMap;
}

/** By id of the rule. */
export type LintSettings = ReadonlyMap<string, RuleSettings>;

/** What a declaration is read with. */
export interface Reading {
  readonly reader: Reader;
  readonly data: DataFiles;
  readonly diagnostics: Diagnostics;
}
