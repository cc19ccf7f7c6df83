/**
 * Rows of lists, held against what the state knows. A list may lag behind, and show an object as it was before this stack's own
 * last write of it: such a row is no news of others, and a read by the id tells how the object is.
 */
import type { Collection, Identified } from "../definition/collection.ts";
import { camelKeys, same, type Json, type JsonMap } from "../values/json.ts";
import { isMarked } from "./identity.ts";
import { nameOf } from "./marked-objects.ts";
import type { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

/** From a list, where that shows nothing older than the state knows; else by its id. */
export function rowOf<Row extends Identified>(
  run: RunContext,
  collection: Collection<Row>,
  id: string,
  old: ObjectState,
): Promise<Row | undefined> {
  return run.account.row(collection, id, (row) => isNews(old, camelKeys(row)));
}

export function isNews(old: ObjectState, row: JsonMap): boolean {
  if (isMarked(nameOf(row))) return false;
  if (!old.recorded) return true;
  const isBehind = DATES.some((date) => isBefore(row[date], old.answer[date]));
  if (isBehind) return false;
  return isBefore(old.answer["updatedAt"], row["updatedAt"]) || showsTheSame(old, row);
}

const DATES = ["updatedAt", "publishedAt"];

/** What has no date any more may be from before it had one. */
function isBefore(date: Json | undefined, other: Json | undefined): boolean {
  return typeof other === "string" && (typeof date !== "string" || Date.parse(date) < Date.parse(other));
}

function showsTheSame(old: ObjectState, row: JsonMap): boolean {
  const answer = { ...old.answer, ...row };
  return [...old.declared.keys()].every((field) => same(old.shown(field), old.shown(field, answer)));
}
