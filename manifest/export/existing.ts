/** An existing manifest: matches its entries with the objects of the account. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type LandformApi, NotFoundError } from "../../provider/api/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { keyOfKind, type Kind, registry } from "../../provider/kinds/registry.ts";
import { LookupError, lookupId } from "../../provider/lookups/index.ts";
import { isMap, type Json, mapOf, same } from "../../provider/values/json.ts";
import { validate } from "../check/validate.ts";
import type { Entry } from "../declare/model.ts";
import { addressOf, isPlainMap, type Model, type Resource } from "../match/model.ts";
import { knownKeys } from "../match/objects.ts";
import type { Applied, LastApplied } from "../match/values.ts";
import { renderText } from "../source/report.ts";
import { ExportError } from "../write/files.ts";
import type { Written } from "../write/manifest.ts";
import type { Existing } from "../write/shared.ts";
import { buildModel, hasUniqueName } from "./build.ts";
import { type AccountRecords, defaultKinds, fewAtOnce, type LiveObject, type ReadOptions } from "./read.ts";

export function readExisting(folder: string): Existing | undefined {
  const path = join(folder, "landform.yaml");
  if (!existsSync(path)) return undefined;
  const { manifest, loaded, diagnostics } = validate(path);
  if (!manifest || !loaded) {
    throw new ExportError(
      `${path} has errors, so nothing can be merged into it:\n${renderText(diagnostics)}\nCorrect them, or export into another folder (--out).`,
    );
  }
  const { data, entries, sourceLocale } = manifest;
  const own = entries.filter(({ account }) => account === undefined);
  return { loaded, data, entries: own, users: entries, sourceLocale };
}

/** Returns the texts of its files as they were read, by path in the folder. */
export function textsOf({ loaded: { folder, files }, data }: Existing): Map<string, string> {
  return new Map(
    [...files, ...data].map(({ path, text }) => [path.slice(folder.root.length + 1).replaceAll("\\", "/"), text]),
  );
}

/**
 * Matches entries with objects for a copy, which has no adoptId. If several objects have the same name, the entry stands for the one that gets its
 * key in every export of this account.
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

/** Tells if a declared name is the name of the object. A copy adds numbers to equal names. */
function isNameOf(declared: unknown, name: string, kind: Kind): boolean {
  if (typeof declared !== "string") return false;
  return (hasUniqueName(kind) ? declared.replace(/ \d+$/, "") : declared).trim() === name.trim();
}

export function usedKeys(entries: readonly Entry[]): Map<Kind, string[]> {
  return new Map(
    [...Map.groupBy(entries, ({ kind }) => kind)].map(([kind, group]) => [kind, group.map(({ key }) => key)]),
  );
}

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
  await fewAtOnce(missing, async (entry) => {
    if (await isGone(api, entry)) gone.add(entry);
  });
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

// Texts that an export took from drafts. A content map shows the draft, which visitors may not see yet, and the next up publishes it from the code.
// Pure.

export interface Drafts {
  /** Texts that the code now has and that may exist in a draft only. The next up publishes them. */
  readonly texts: readonly string[];
  /** Pages that no run has taken over yet. Nobody can tell which of their texts are public. */
  readonly whole: readonly string[];
}

interface AroundDrafts {
  readonly entries: readonly Entry[];
  readonly lastApplied: LastApplied | undefined;
}

export function draftsIn({ objects }: AccountRecords, model: Model, written: Merged, around: AroundDrafts): Drafts {
  const entries = new Map(around.entries.map((entry) => [entry.address, entry]));
  const rows = new Map(objects.map((object) => [keyOfKind(object.kind, object.row.id), object]));
  const ofCollections = Map.groupBy(objects, ({ kind }) => registry[kind].collection);
  const texts: string[] = [];
  const whole: string[] = [];
  for (const resource of model.resources) {
    const object = rows.get(keyOfKind(resource.kind, resource.id ?? resource.copyOf ?? ""));
    if (object === undefined) continue;
    const { key, kind } = resource;
    const known = around.lastApplied?.(registry[kind].type, key);
    const applied = known?.id === resource.id ? known : undefined;
    if (!mayBeDraft(object, ofCollections.get(registry[kind].collection) ?? [], applied)) continue;
    if (applied === undefined) whole.push(addressOf(resource));
    else texts.push(...draftTextsOf(resource, entries.get(addressOf(resource)), applied, written));
  }
  return { texts, whole };
}

type Merged = Pick<Written, "updated" | "kept" | "ahead">;

function mayBeDraft({ kind, row }: LiveObject, others: readonly LiveObject[], applied: Applied | undefined): boolean {
  const { exporting }: AnyDefinition = registry[kind];
  const rows = others.map((other) => other.row);
  return exporting?.mayBeDraft?.(row, rows, applied?.outputs) ?? false;
}

/** Returns the texts that this export has written, and those of an earlier export that no up has published since. */
function draftTextsOf(
  resource: Resource,
  entry: Entry | undefined,
  { outputs }: Applied,
  { updated, kept, ahead }: Merged,
): string[] {
  const { content } = resource.inputs;
  if (!isPlainMap(content)) return [];
  const declared = entry?.inputs["content"];
  const [seen, edited] = [mapOf(outputs["content"]), editedIn(outputs)];
  const isTold = (path: string, among: readonly string[]): boolean =>
    among.some((one) => one === path || one.startsWith(`${path} (`));
  return Object.entries(content).flatMap(([key, live]) => {
    const path = `${addressOf(resource)}.content.${key}`;
    if (isTold(path, updated)) return [path];
    const isNew = edited.includes(key) || (Object.hasOwn(seen, key) && !same(seen[key], live));
    return !isNew || !isMap(declared) || !Object.hasOwn(declared, key) || isTold(path, [...ahead, ...kept])
      ? []
      : [path];
  });
}

/** Returns the keys that a refresh has found edited in the draft. */
function editedIn(outputs: Applied["outputs"]): readonly Json[] {
  const meta = mapOf(outputs["__landform"]);
  const { content } = mapOf(meta["unpublished"]);
  return Array.isArray(content) ? content : [];
}
