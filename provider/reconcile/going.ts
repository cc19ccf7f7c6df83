/** Finds the work of others that goes with an object which is deleted, retired or replaced. */
import type { AnyDefinition, Going } from "../definition/define.ts";
import { objectKey } from "../ledger/identity.ts";
import type { ForeignEdit } from "../messages/foreign-edits.ts";
import type { JsonMap } from "../values/json.ts";
import { editOf, isCompared, isUndo, policyFor, policyOf, withoutSecret } from "./foreign-edits.ts";
import { isOfKilledRun } from "./half-written.ts";
import { nameOf, type ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

/**
 * Returns what of others goes with an object that is deleted or replaced. A list tells the dates of a hundred, so an object is read
 * only if its date tells of an edit.
 */
async function editsGoing(definition: AnyDefinition, run: RunContext, object: ObjectState): Promise<Going> {
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
export async function isKeptForEdits(
  definition: AnyDefinition,
  run: RunContext,
  object: ObjectState,
  inputs: JsonMap,
): Promise<boolean> {
  const { id = "", identity = "" } = object;
  // An undo has compared each value itself.
  if (definition.plan.foreignEdits === undefined || isUndo(run)) return false;
  const { edits } = await editsGoing(definition, run, object);
  const own = policyOf(inputs["onForeignEdits"]);
  // A plan that is compared with its review knows the resource and not yet the object.
  if ([id, identity].some((one) => policyFor(run, one, edits, own) !== "hold")) return false;
  const { kind } = definition;
  run.warnOnce({
    code: "foreign-edits",
    kind,
    id,
    name: nameOf(object.answer),
    outcome: "held-back",
    edits,
    goes: true,
  });
  return true;
}

interface AllGoing extends Going {
  /** The object as the account shows it; undefined if it shows none. */
  readonly live?: JsonMap;
  readonly values: readonly ForeignEdit[];
}

/**
 * Returns the same, and the values that somebody has changed in the account itself since the last run, declared or not. `becomes`: the
 * inputs of the object that takes its place; nothing if none does.
 */
export async function allGoing(
  definition: AnyDefinition,
  run: RunContext,
  object: ObjectState,
  becomes: JsonMap,
): Promise<AllGoing> {
  const going = await editsGoing(definition, run, object);
  const live = await recordOf(definition, run, object);
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
async function recordOf(
  { collection, plan, read, shown }: AnyDefinition,
  run: RunContext,
  object: ObjectState,
): Promise<JsonMap | undefined> {
  const { id = "" } = object;
  if (collection === undefined) return undefined;
  if (plan.going === undefined) return read(run, id, object);
  const row = await run.row(collection, id, object);
  return row && shown.answerOf(row);
}
