/** Entries that adopt an object which the service says is not there any more. Not to be listed is no proof of that. */
import { NotFoundError, type LandformApi } from "../../provider/api/index.ts";
import { LookupError, lookupId } from "../../provider/lookups/index.ts";
import { keyOfKind } from "../../provider/kinds/registry.ts";
import type { Entry } from "../declarations/model.ts";
import { defaultKinds, type AccountRecords, type ReadOptions } from "./read.ts";

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
