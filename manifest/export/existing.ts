/** A manifest that is there already: which of its entries stand for which objects of the account. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Diagnostics } from "../diagnostics/diagnostics.ts";
import { load } from "../declarations/load.ts";
import type { Loaded } from "../declarations/declared.ts";
import type { SourceFile } from "../source/file.ts";
import type { Entry } from "../declarations/model.ts";
import { renderText } from "../diagnostics/text.ts";
import { validate } from "../validate.ts";
import type { Kind } from "../../provider/kinds/registry.ts";
import { buildModel, hasUniqueName } from "./build.ts";
import { ExportError } from "./errors.ts";
import { knownKeys } from "./known-keys.ts";
import { addressOf } from "./model.ts";
import type { AccountRecords } from "./read.ts";

export interface Existing {
  readonly loaded: Loaded;
  /** Data files that it takes values from. */
  readonly data: readonly SourceFile[];
  /** Entries of the default account, by kind. Those of further accounts are none of this export's business. */
  readonly entries: readonly Entry[];
}

export function readExisting(folder: string): Existing | undefined {
  const path = join(folder, "landform.yaml");
  if (!existsSync(path)) return undefined;
  const { manifest, diagnostics } = validate(path);
  const loaded = load(path, process.cwd(), new Diagnostics());
  if (!manifest || !loaded) {
    throw new ExportError(
      `${path} has errors, so nothing can be merged into it:\n${renderText(diagnostics)}\nCorrect them, or export into another folder (--out).`,
    );
  }
  return { loaded, data: manifest.data, entries: manifest.entries.filter(({ account }) => account === undefined) };
}

/** The texts of its files as they were read, by path in the folder. */
export function textsOf({ loaded: { folder, files }, data }: Existing): Map<string, string> {
  return new Map(
    [...files, ...data].map(({ path, text }) => [path.slice(folder.root.length + 1).replaceAll("\\", "/"), text]),
  );
}

/**
 * Which entry stands for which object in a copy, which has no adoptId to tell: of several objects of one name, an entry is the one that has its key
 * whenever this account is exported.
 */
export function knownKeysOfCopy(entries: readonly Entry[], records: AccountRecords): Map<Kind, Map<string, string>> {
  const known = knownKeys(entries, records);
  const names = new Map(entries.map(({ address, inputs }) => [address, inputs["name"]]));
  for (const resource of buildModel(records).resources) {
    const { kind, key, id = "", name = "" } = resource;
    const keys = known.get(kind) ?? new Map<string, string>();
    if (keys.has(id) || [...keys.values()].includes(key)) continue;
    if (isNameOf(names.get(addressOf(resource)), name, kind)) known.set(kind, keys.set(id, key));
  }
  return known;
}

/** A copy numbers what would have one name. */
function isNameOf(declared: unknown, name: string, kind: Kind): boolean {
  if (typeof declared !== "string") return false;
  return (hasUniqueName(kind) ? declared.replace(/ \d+$/, "") : declared).trim() === name.trim();
}

/** Keys that are in use, whatever for: by kind. */
export function usedKeys(entries: readonly Entry[]): Map<Kind, string[]> {
  return new Map(
    [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, group]) => [kind, group.map(({ key }) => key)]),
  );
}
