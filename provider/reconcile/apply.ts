/** The common end of create, adopt and update: it applies what is left, and keeps what was achieved. */
import type { AnyDefinition, Apply, PlannedWrites } from "../definition/define.ts";
import { filterMap, isMap, type Json, type JsonMap, mapEach, mapOf, same } from "../values/json.ts";
import { PartialFailure } from "../messages/errors.ts";
import {
  type KindInRun,
  type ObjectInRun,
  ObjectState,
  type Raw,
  splitInputs,
  withoutAdoption,
} from "./object-state.ts";
import { ApiError } from "../api/index.ts";
import type { Held, Kept, RestoredObject } from "../history/kept.ts";
import { refersTo, schemaBelow } from "../definition/schema-walk.ts";
import { objectKey, resourceKeyIn } from "../ledger/identity.ts";
import { changesBetween, clearedBy } from "./diff.ts";
import { guarded, isUndo } from "./foreign-edits.ts";
import { forgetRemoval } from "./settled.ts";
import { discard, namesOf } from "./marked-objects.ts";

export type Pass = Apply<Record<string, unknown>> & KindInRun;

export interface Outcome {
  readonly id: string;
  readonly outs: JsonMap;
}

interface Completing {
  /** Inputs that are left as they are, and stay declared as they were. */
  readonly held?: readonly string[];
  /** The object as it was right before the first write, if somebody has looked. */
  readonly live?: JsonMap | undefined;
  readonly atEnd?: () => Promise<void> | void;
}

/** Applies the rest. If it fails, the state keeps the object with the values that were written. */
export async function complete(pass: Pass, raw: Raw, { held = [], live, atEnd }: Completing = {}): Promise<Outcome> {
  const { definition, id, object, created, changed, removed } = pass;
  const before = { ...object.answer };
  for (const field of [...changed, ...removed]) object.sent.add(field);
  const keep: Pass["keep"] = (held) => keepBeforeWrite(pass, live, held);
  const keepsHere = !created && definition.plan.foreignEdits === undefined;
  try {
    if (keepsHere) await keep();
    await definition.apply(created ? pass : { ...pass, keep });
    if (!created) object.keepUnsent(before, held);
    object.declareAll(raw.inputs, held);
    object.replacedId = undefined;
    await atEnd?.();
    object.rememberMove(before);
    return { id, outs: object.toState() };
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    // Nobody knows what the pass has written.
    const isInDoubt = !(error instanceof ApiError) || error.outcome === "unknown";
    if (keepsHere && isInDoubt) for (const field of changed) object.reapply(field);
    if (!created) object.keepUnsent(before, held);
    object.rememberMove(before);
    throw new PartialFailure(id, { ...object.toState(), __provider: raw.provider }, cause);
  }
}

type Opened = Pick<Pass, "definition" | "run" | "id" | "object" | "document"> & Pick<Completing, "live">;

function opened({ definition, run, object }: ObjectInRun): Opened {
  const { id = "" } = object;
  return { definition, run, id, object, document: definition.life.load?.(run, id) };
}

export function passOver(
  over: ObjectInRun,
  { now, changed, removed = new Set(), created = false }: Pick<Pass, "now" | "changed"> & Partial<Pass>,
): Pass {
  return { ...opened(over), now, changed, removed, created, keep: () => Promise.resolve() };
}

async function keepBeforeWrite(pass: Pass, live: JsonMap | undefined, found?: () => Promise<Held>): Promise<void> {
  const { definition, now, changed, removed, object } = pass;
  const written = new Set([...changed].filter((field) => definition.rule(field).onChange !== "none"));
  if (written.size === 0) return;
  const writes = { inputs: now as JsonMap, changed: written, removed };
  await keep(pass, object.recorded ? "update" : "adopt", found ?? (() => heldOver({ ...pass, live }, writes)), writes);
}

/** An object that stays in the account loses nothing. */
export async function keepBeforeDelete(over: ObjectInRun): Promise<void> {
  if (over.definition.leaves !== "in place") await keep(over, "delete", () => heldBy(over));
}

/** If the service doesn't answer, the work goes on: then the values of the state count, and are marked. */
async function keep(
  { definition, run, object }: ObjectInRun,
  step: Kept["step"],
  find: () => Promise<Held>,
  writes?: PlannedWrites,
): Promise<void> {
  const { id = "", identity = "", account, answer } = object;
  const { keeper } = run.settings;
  if (keeper === undefined) return;
  const held = await find().catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    return { ...heldIn(definition, answer, object, writes), unread: error.brief };
  });
  const { kind } = definition;
  const known = account === undefined ? {} : { account };
  await keeper.keep({ resourceKey: resourceKeyIn(identity), kind, id, step, ...known, ...held });
}

export function heldBy(over: ObjectInRun, writes?: PlannedWrites): Promise<Held> {
  return heldOver(opened(over), writes);
}

async function heldOver(looked: Opened, writes: PlannedWrites | undefined): Promise<Held> {
  const { definition, run, id, object, live } = looked;
  if (definition.undo.held) return definition.undo.held(looked, writes);
  // An object that is being adopted was read just now.
  const answer = object.recorded ? (live ?? (await definition.read(run, id, object))) : object.answer;
  return heldIn(definition, answer ?? {}, object, writes);
}

/** An input that a read doesn't show is as it was declared, if it was. Pure. */
function heldIn(definition: AnyDefinition, answer: JsonMap, object: ObjectState, writes?: PlannedWrites): Held {
  const then: JsonMap = {};
  const sent: JsonMap = {};
  const hidden: string[] = [];
  for (const field of writes?.changed ?? Object.keys(definition.inputs.shape)) {
    const declared = object.declared.get(field);
    const { shownValue, shownOnWrites } = definition.rule(field);
    const shown = shownOnWrites === true ? undefined : shownValue?.(answer, declared ?? null);
    const value = shown === undefined ? declared : shown;
    if (value !== undefined) then[field] = value;
    else if (writes) hidden.push(field);
    const next = writes?.inputs[field];
    if (next !== undefined) sent[field] = next;
  }
  return { then, sent, hidden };
}

/** Returns inputs with the values that are put back: key by key in maps that are compared so. */
function withRestored(definition: AnyDefinition, inputs: JsonMap, values: JsonMap = {}): JsonMap {
  const merged = mapEach(values, (value, field) =>
    definition.rule(field).perKey === true && isMap(value) ? { ...mapOf(inputs[field]), ...value } : value,
  );
  return { ...inputs, ...merged };
}

export async function restoring(pass: Pass, values: JsonMap | undefined): Promise<Pass> {
  if (values === undefined) return pass;
  const { definition } = pass;
  const due = (await definition.undo.restores?.(pass, values)) ?? values;
  const isEmpty = (value: Json | undefined): boolean => isMap(value) && Object.keys(value).length === 0;
  const fields = Object.keys(due).filter((field) => !isEmpty(due[field]));
  if (fields.length === 0) return pass;
  for (const field of fields) forgetAsSet(pass.object, field, due[field]);
  const now = definition.inputs.parse(withRestored(definition, pass.now as JsonMap, due));
  return { ...pass, now, changed: new Set([...pass.changed, ...fields]) };
}

/** The account has other values than the state says, so these are sent again. */
function forgetAsSet({ declared, rules }: ObjectState, field: string, due: Json | undefined): void {
  const own = declared.get(field);
  if (rules.rule(field).perKey !== true || !isMap(own) || !isMap(due)) return;
  const others = filterMap(own, (value, key) => !same(value, due[key]));
  declared.set(field, others);
}

/**
 * A value that was put back and isn't declared is nobody's again. A value that had drifted before the undone run is recorded as it was, so
 * that it is drift again. Any other value is declared as it is by now: if the code says otherwise, the next plan tells it.
 */
export function recordAsBefore(object: ObjectState, values: JsonMap, recorded: JsonMap = {}): void {
  const { rules, answer, declared } = object;
  // The record has the date of this undo. The next refresh looks, whatever the date says.
  if (Object.keys(recorded).length > 0) object.unread = true;
  for (const [field, value] of Object.entries(values)) {
    const [shown, own] = [answer[field], declared.get(field)];
    if (rules.rule(field).perKey !== true || !isMap(value) || !isMap(shown)) continue;
    if (own === undefined) Reflect.deleteProperty(answer, field);
    else if (isMap(own)) {
      object.learn({ [field]: filterMap(shown, (_, key) => key in own || !(key in value)) });
      const drifted = mapOf(recorded[field]);
      declared.set(field, { ...own, ...filterMap(value, (_, key) => key in own && !(key in drifted)) });
    }
  }
  for (const [output, value] of Object.entries(recorded)) {
    const now = object.answer[output];
    object.learn({ [output]: isMap(value) && isMap(now) ? { ...now, ...value } : value });
  }
}

export function madeAnewFrom(kind: KindInRun, raw: Raw): Raw {
  return { ...raw, inputs: withRestored(kind.definition, raw.inputs, restoredAnew(kind, raw)) };
}

export function restoredAnew(kind: KindInRun, { identity = "" }: Raw): JsonMap | undefined {
  const values = kind.run.settings.restore?.anew[resourceKeyIn(identity)];
  return values && withNewIds(kind, values);
}

/** Gives an adopted object its own values again, and lets it go. */
export async function letGo(over: ObjectInRun, { values, draft }: RestoredObject): Promise<void> {
  const { definition, run } = over;
  const { id = "" } = over.object;
  const changed = new Set(Object.keys(values));
  if (changed.size > 0) await definition.apply(passOver(over, { now: definition.inputs.parse(values), changed }));
  if (draft) await definition.undo.restoresDraft?.(run, id, draft);
  const { kind, type } = definition;
  const text = `${type} ${id} stays in the account as it was before Landform took it over. Landform no longer manages it.`;
  run.warn({ code: "stays", kind, id, text });
}

export async function update(
  { definition, run }: KindInRun,
  id: string,
  olds: JsonMap,
  news: JsonMap,
): Promise<Outcome> {
  const raw = splitInputs(news);
  const object = ObjectState.fromState(definition, id, olds);
  object.account = await run.accountId(object.account);
  object.identity = raw.identity ?? object.identity;
  object.ignored = raw.ignored;
  if (object.duplicateId !== undefined) {
    await discard({ definition, run }, object.duplicateId, namesOf(object));
    object.duplicateId = undefined;
  }
  forgetRemoval(run, object);
  const changes = changesBetween(definition, object, withoutAdoption(raw.inputs));
  // A change that the service has no call for may pass if somebody made it in the app.
  if (changes.some(({ onChange }) => onChange === "refuse"))
    object.learn((await definition.read(run, id, object)) ?? {});
  const removed = [...object.declared.keys()].filter((field) => !(field in raw.inputs));
  const cleared = clearedBy(definition, changes);
  const kept = changes.filter(({ kind }) => kind !== "removed").map(({ field }) => field);
  const restored = run.settings.restore?.objects[objectKey(definition, id)];
  const values = restored && withNewIds({ definition, run }, restored.values);
  const changed = new Set([...kept, ...Object.keys(cleared)]);
  const now = definition.inputs.parse({ ...withoutAdoption(raw.inputs), ...cleared });
  const declared = passOver({ definition, run, object }, { now, changed, removed: new Set(removed) });
  const { pass, held, live, tell } = await guarded(await restoring(declared, values));
  const atEnd = async (): Promise<void> => {
    tell();
    recordAsBefore(object, values ?? {}, restored?.recorded);
    if (restored?.draft) await definition.undo.restoresDraft?.(run, id, restored.draft, pass.now as JsonMap);
  };
  // An undo says nothing anew of what a refresh has learned of others: the code still says something else.
  const isLearned = (field: string): boolean => object.declared.has(field) && !pass.changed.has(field);
  const learned = isUndo(run) ? [...object.written.keys()].filter(isLearned) : [];
  return complete(pass, raw, { held: [...held, ...learned], live, atEnd });
}

/** The values that an undo puts back may have ids of objects that it makes anew. They follow to the new objects. */
function withNewIds({ definition, run }: KindInRun, values: JsonMap): JsonMap {
  const { successors } = run.settings.restore ?? {};
  if (successors === undefined) return values;
  const renewed = (value: Json, schema: unknown): Json => {
    if (typeof value === "string") {
      const [own] = refersTo(schema).flatMap((kind) => successors[objectKey({ kind }, value)] ?? []);
      return (own === undefined ? undefined : run.made.get(own)) ?? value;
    }
    if (Array.isArray(value)) return value.map((item, index) => renewed(item, schemaBelow(schema, index)));
    return isMap(value) ? mapEach(value, (item, key) => renewed(item, schemaBelow(schema, key))) : value;
  };
  return mapEach(values, (value, field) => renewed(value, schemaBelow(definition.inputs, field)));
}
