/** The objects that stand for all of a kind, as a user names them: by id, or by name. */
import type { LandformApi } from "../api/index.ts";
import { LookupError } from "../definition/collection.ts";
import type { AnyDefinition } from "../definition/define.ts";
import { findOne } from "../lookups/find.ts";
import { registry } from "../kinds/registry.ts";
import type { NamedObject } from "./facts.ts";

/** By kind, ids or names. */
export async function namedObjects(
  api: LandformApi,
  wanted: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, NamedObject>> {
  const found = Object.values<AnyDefinition>(registry).map(async ({ kind, collection, inPreview }) => {
    const text = wanted[kind];
    if (text === undefined || collection === undefined || inPreview.becomes !== "base's") return [];
    const row = await byIdOrName(collection, api, text);
    const root = await inPreview.root?.(api, row.id);
    return [
      [kind, { id: row.id, name: collection.nameOf(row) ?? row.id, ...(root !== undefined && { root }) }] as const,
    ];
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

/** Whether one of them is where all pages come to. */
export function hasHost(named: Readonly<Record<string, unknown>>): boolean {
  return Object.values<AnyDefinition>(registry).some(
    ({ kind, inPreview }) => inPreview.root !== undefined && named[kind] !== undefined,
  );
}

async function byIdOrName(collection: NonNullable<AnyDefinition["collection"]>, api: LandformApi, text: string) {
  try {
    return await findOne(collection, api, { name: text });
  } catch (error) {
    if (!(error instanceof LookupError) || error.ids.length > 0) throw error;
    return findOne(collection, api, { id: text }).catch(() => {
      throw error;
    });
  }
}
