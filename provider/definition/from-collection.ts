/** How a kind is searched and read where its definition says no more than which collection it is of. */
import type { Collection, Identified } from "./collection.ts";
import type { AnyDefinition } from "./define.ts";
import type { JsonMap } from "../values/json.ts";
import { rowOf } from "../reconcile/listed.ts";

export function searchIn(collection: Collection, answerOf: (row: Identified) => JsonMap): AnyDefinition["search"] {
  return async ({ api }, text) => {
    const rows = await collection.search(api, text);
    return rows.map((row) => ({ id: row.id, name: collection.nameOf(row) ?? "", answer: answerOf(row) }));
  };
}

export function readFrom(
  kind: string,
  collection: Collection | undefined,
  answerOf: (row: Identified) => JsonMap,
): AnyDefinition["read"] {
  if (!collection) throw new TypeError(`${kind}: a kind that the service never lists needs a read of its own`);
  return async (run, id, old) => {
    const row = await rowOf(run, collection, id, old);
    return row && answerOf(row);
  };
}
