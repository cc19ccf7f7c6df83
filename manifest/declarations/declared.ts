/** What a manifest's files hold, before it is told what it means. */
import type { DataFiles } from "../data/index.ts";
import type { SourceFile } from "../source/file.ts";
import type { Folder } from "../source/folder.ts";
import type { MapEntry, Reader } from "../source/reader.ts";
import type { Row } from "./row.ts";

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
