/** What a kind's calls write and delete, through the account: what is settled is learned, and what nobody can confirm is told. */
import type { Removal } from "../account/removal.ts";
import { unmovedIn } from "../account/spelling.ts";
import type { Settling } from "../account/account.ts";
import type { Apply } from "../definition/define.ts";
import { camelKeys, type Json, type JsonMap, same } from "../values/json.ts";
import type { RunContext } from "./run-context.ts";
import type { Collection, Identified } from "../definition/collection.ts";
import { isMarked } from "./identity.ts";
import { nameOf } from "./marked-objects.ts";
import type { ObjectState } from "./object-state.ts";

interface Written {
  /** As messages name it, such as `PATCH /products`. */
  readonly call: string;
  /** By input. */
  readonly sent: JsonMap;
  readonly send: () => Promise<JsonMap>;
  /** By its id. */
  readonly read: () => Promise<JsonMap>;
}

export async function write<Inputs>(
  { run, id, object }: Pick<Apply<Inputs>, "run" | "id" | "object">,
  { call, sent, send, read }: Written,
): Promise<void> {
  const answer = await send();
  const unmoved = (shown: JsonMap) => unmovedIn(object, shown, sent);
  object.learn({ ...answer, ...(await run.account.settled(answer, { id, call, again: read, unmoved })) });
}

interface Doubted<Answer> extends Omit<Settling<Answer>, "id"> {
  readonly answer: Answer;
}

/** The answer that shows what was written. */
export function onceMoved<Answer>(
  { run, id }: Pick<Apply<unknown>, "run" | "id">,
  { answer, ...settling }: Doubted<Answer>,
): Promise<Answer> {
  return run.account.settled(answer, { id, ...settling });
}

export async function remove(run: RunContext, removal: Removal): Promise<void> {
  const { kind, id, call } = removal;
  const unconfirmed = await run.account.remove(removal);
  if (unconfirmed === undefined) return;
  const text =
    `It could not be confirmed that ${kind} ${id} is gone (${call}: ${unconfirmed}). ` +
    `It is no longer managed; look in the app whether it is still there.`;
  run.warn({ code: "of-kind", kind, id, topic: "delete-not-confirmed", text });
}

/** What of the inputs was sent, by input. */
export function fieldsOf(now: object, fields: ReadonlySet<string>): JsonMap {
  const all = Object.entries(now) as [string, Json | undefined][];
  return Object.fromEntries(
    all.flatMap(([field, value]) => (fields.has(field) && value !== undefined ? [[field, value]] : [])),
  );
}

/**
 * Rows of lists, held against what the state knows. A list may lag behind, and show an object as it was before this stack's own
 * last write of it: such a row is no news of others, and a read by the id tells how the object is.
 */

/** From a list, where that shows nothing older than the state knows; else by its id. */
export function rowOf<Row extends Identified>(
  run: RunContext,
  collection: Collection<Row>,
  id: string,
  old: ObjectState,
): Promise<Row | undefined> {
  return run.account.row(collection, id, (row) => isNews(old, camelKeys(row)));
}

function isNews(old: ObjectState, row: JsonMap): boolean {
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
