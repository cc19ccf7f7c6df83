/** Lookups tell what an account holds, and only read. Each takes the client first; programs use the forms in pulumi/lookups.ts. */
import type { LandformApi } from "../api/index.ts";
import type { Collection } from "../definition/collection.ts";
import type { AnyDefinition } from "../definition/define.ts";
import { registry } from "../kinds/registry.ts";
import { findOne, type One } from "./find.ts";
import { templates } from "./templates.ts";

export * from "./others.ts";
export * from "./kinds.ts";
export { getHookSample } from "../kinds/hook.ts";
export { LookupError } from "../definition/collection.ts";
export { type Limit, type One, type Shown } from "./find.ts";

const collections: ReadonlyMap<string, Collection> = new Map(
  [...Object.values(registry).flatMap(({ lookup }: AnyDefinition) => lookup ?? []), templates].map((collection) => [
    collection.what,
    collection,
  ]),
);

/** The id of a thing as other resources refer to it. */
export async function lookupId(what: string, api: LandformApi, wanted: One): Promise<string> {
  const collection = collections.get(what);
  if (!collection) throw new TypeError(`nothing is known of a ${what}`);
  const found = await findOne(collection, api, wanted);
  return collection.idOf?.(found) ?? found.id;
}
