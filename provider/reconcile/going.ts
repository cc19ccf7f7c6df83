/** Finds the work of others that goes with an object which is deleted, retired or replaced. */
import type { Going } from "../definition/define.ts";
import { objectKey } from "../ledger/identity.ts";
import type { ForeignEdit } from "../messages/foreign-edits.ts";
import type { JsonMap } from "../values/json.ts";
import { editOf, isCompared, isOfKilledRun, isUndo, policyFor, policyOf, withoutSecret } from "./foreign-edits.ts";
import { nameOf, type ObjectInRun } from "./object-state.ts";

/** A list tells the dates of a hundred objects, so an object is read only if its date tells of an edit. */
async function editsGoing({ definition, run, object }: ObjectInRun): Promise<Going> {
  const { id = "", answer } = object;
  const { collection, plan } = definition;
  if (plan.going === undefined) return { edits: [], published: [] };
  const isTold = collection === undefined || object.unread || answer["hasUnpublishedChanges"] === true;
  const row = isTold ? undefined : await run.account.row(collection, id);
  const date: unknown = row && Reflect.get(row, "updated_at");
  const isMoved = isTold || (row !== undefined && (typeof date !== "string" || date !== answer["updatedAt"]));
  return plan.going(run, id, object, isMoved);
}

/** Tells if an object that is to be replaced stays as it is, because edits of others in its draft would go with it. */
export async function isKeptForEdits(over: ObjectInRun, inputs: JsonMap): Promise<boolean> {
  const { definition, run, object } = over;
  const { id = "", identity = "" } = object;
  // An undo has compared each value itself.
  if (definition.plan.foreignEdits === undefined || isUndo(run)) return false;
  const { edits } = await editsGoing(over);
  const own = policyOf(inputs["onForeignEdits"]);
  // A plan that is compared with its review knows the resource and not yet the object.
  if ([id, identity].some((one) => policyFor(run, one, edits, own) !== "hold")) return false;
  const { kind } = definition;
  const name = nameOf(object.answer);
  run.warnOnce({ code: "foreign-edits", kind, id, name, outcome: "held-back", edits, goes: true });
  return true;
}

interface AllGoing extends Going {
  readonly live?: JsonMap;
  readonly values: readonly ForeignEdit[];
}

/**
 * Also returns what changed in the account since the last run. `becomes`: inputs of the object that takes its place.
 */
export async function allGoing(over: ObjectInRun, becomes: JsonMap): Promise<AllGoing> {
  const { definition, run, object } = over;
  const going = await editsGoing(over);
  const live = await recordOf(over);
  if (live === undefined) return { ...going, values: [] };
  const there = object.with((next) => next.learn(live));
  const key = objectKey(definition, object.id ?? "");
  const doubted = object.interrupted();
  const isOurs = (field: string): boolean =>
    doubted.has(field) || there.isPassing(field) || isOfKilledRun(key, run, there, field);
  const values = Object.keys(definition.inputs.shape).flatMap((field) =>
    isCompared(definition, field) && !isOurs(field) ? (editOf(object, there, field, becomes[field]) ?? []) : [],
  );
  return { ...going, live, values: values.map(withoutSecret) };
}

/** The edits in a draft are found by its kind. */
async function recordOf({ definition, run, object }: ObjectInRun): Promise<JsonMap | undefined> {
  const { collection, plan, read, shown } = definition;
  const { id = "" } = object;
  if (collection === undefined) return undefined;
  if (plan.going === undefined) return read(run, id, object);
  const row = await run.row(collection, id, object);
  return row && shown.answerOf(row);
}
