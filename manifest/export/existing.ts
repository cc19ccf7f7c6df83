/** A manifest that is there already: which of its entries stand for which objects of the account. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Diagnostics } from "../source/diagnostics.ts";
import { load } from "../declare/load.ts";
import type { Entry } from "../declare/model.ts";
import { renderText } from "../source/report.ts";
import { validate } from "../check/validate.ts";
import { type Kind, keyOfKind } from "../../provider/kinds/registry.ts";
import { buildModel, hasUniqueName } from "./build.ts";
import { ExportError } from "../write/files.ts";
import { knownKeys } from "../match/objects.ts";
import { addressOf } from "../match/model.ts";
import { type AccountRecords, defaultKinds, type ReadOptions } from "./read.ts";
import { NotFoundError, type LandformApi } from "../../provider/api/index.ts";
import { LookupError, lookupId } from "../../provider/lookups/index.ts";
import type { Existing } from "../write/manifest.ts";

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

const READS_AT_ONCE = 8;

export async function entriesGone(
  api: LandformApi,
  entries: readonly Entry[],
  { objects, whole }: AccountRecords,
  { include = defaultKinds }: ReadOptions,
): Promise<string[]> {
  if (!whole) return [];
  const listed = new Set(objects.map(({ kind, row }) => keyOfKind(kind, row.id)));
  const missing = entries.filter(
    ({ kind, inputs: { adoptId } }) =>
      include.includes(kind) && typeof adoptId === "string" && !listed.has(keyOfKind(kind, adoptId)),
  );
  const gone = new Set<Entry>();
  const waiting = missing.values();
  const work = async (): Promise<void> => {
    for (const entry of waiting) if (await isGone(api, entry)) gone.add(entry);
  };
  await Promise.all(Array.from({ length: READS_AT_ONCE }, work));
  return entries.filter((entry) => gone.has(entry)).map(({ address }) => address);
}

async function isGone(api: LandformApi, { definition, inputs: { adoptId } }: Entry): Promise<boolean> {
  const what = definition.lookup?.what;
  if (what === undefined || typeof adoptId !== "string") return false;
  try {
    await lookupId(what, api, { id: adoptId });
    return false;
  } catch (error) {
    if (error instanceof NotFoundError) return true;
    if (error instanceof LookupError) return error.ids.length === 0;
    throw error;
  }
}
