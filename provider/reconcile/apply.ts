/** The common end of create, adopt and update: it applies what is left, and keeps what was achieved. */
import type { AnyDefinition, Apply, PlannedWrites } from "../definition/define.ts";
import { filterMap, isMap, type Json, type JsonMap, mapEach, mapOf, same } from "../values/json.ts";
import { PartialFailure } from "../messages/errors.ts";
import { ObjectState, type Raw, splitInputs } from "./object-state.ts";
import { ApiError } from "../api/index.ts";
import type { Held, Kept, RestoredObject } from "../history/kept.ts";
import { objectKey, resourceKeyIn } from "../ledger/identity.ts";
import type { RunContext } from "./run-context.ts";
import { changesBetween, clearedBy } from "./diff.ts";
import { guarded, isUndo } from "./foreign-edits.ts";
import { forgetRemoval } from "./settled.ts";
import { discard, namesOf } from "./marked-objects.ts";
import { withNewIds } from "./new-ids.ts";

type Pass = Apply<Record<string, unknown>>;

export interface Outcome {
  readonly id: string;
  readonly outs: JsonMap;
}

interface Completing {
  /** Inputs that are left as they are, and stay declared as they were. */
  readonly held?: readonly string[];
  /** The object as it was right before the first write, if somebody has looked. */
  readonly live?: JsonMap | undefined;
  /** Records what else there is. */
  readonly atEnd?: () => Promise<void> | void;
}

/** Applies the rest. If it fails, the state keeps the object with the values that were written. */
export async function complete(
  definition: AnyDefinition,
  pass: Pass,
  raw: Raw,
  { held = [], live, atEnd }: Completing = {},
): Promise<Outcome> {
  const { id, object } = pass;
  const before = { ...object.answer };
  for (const field of [...pass.changed, ...pass.removed]) object.sent.add(field);
  const keep: Pass["keep"] = (held) => keepBeforeWrite(definition, pass, live, held);
  try {
    if (!pass.created && !definition.plan.foreignEdits) await keep();
    await definition.apply(pass.created ? pass : { ...pass, keep });
    if (!pass.created) object.keepUnsent(before, held);
    object.declareAll(raw.inputs, held);
    object.replacedId = undefined;
    await atEnd?.();
    object.rememberMove(before);
    return { id, outs: object.toState() };
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    if (!pass.created && !definition.plan.foreignEdits && isInDoubt(error))
      for (const field of pass.changed) object.reapply(field);
    if (!pass.created) object.keepUnsent(before, held);
    object.rememberMove(before);
    throw new PartialFailure(id, { ...object.toState(), __provider: raw.provider }, cause);
  }
}

/** Tells if nobody knows what a failed pass has written. */
function isInDoubt(error: unknown): boolean {
  return !(error instanceof ApiError) || error.outcome === "unknown";
}

export function withoutAdoption(inputs: JsonMap): JsonMap {
  const { adoptId, ...rest } = inputs;
  return rest;
}

type Over = Pick<Pass, "run" | "id" | "object" | "document"> & Pick<Completing, "live">;

/** Begins a pass over an object. */
export function passOver(
  definition: AnyDefinition,
  run: RunContext,
  object: ObjectState,
  { removed = new Set(), created = false, ...more }: Pick<Pass, "now" | "changed"> & Partial<Pass>,
): Pass {
  return { ...more, ...over(definition, run, object), removed, created, keep: () => Promise.resolve() };
}

function over(definition: AnyDefinition, run: RunContext, object: ObjectState): Over {
  const { id = "" } = object;
  return { run, id, object, document: definition.life.load?.(run, id) };
}

/** Keeps the values that an object holds before the run writes over them. */
async function keepBeforeWrite(
  definition: AnyDefinition,
  pass: Pass,
  live: JsonMap | undefined,
  found: (() => Promise<Held>) | undefined,
): Promise<void> {
  const { now, changed, removed, object } = pass;
  const written = new Set([...changed].filter((field) => definition.rule(field).onChange !== "none"));
  if (written.size === 0) return;
  const writes = { inputs: now as JsonMap, changed: written, removed };
  const held = found ?? (() => heldOver(definition, { ...pass, live }, writes));
  await keep(definition, pass, object.recorded ? "update" : "adopt", { writes, held });
}

/** Keeps the values that an object holds before it is deleted. An object that stays in the account loses nothing. */
export async function keepBeforeDelete(definition: AnyDefinition, run: RunContext, object: ObjectState): Promise<void> {
  if (definition.leaves === "in place") return;
  const held = (): Promise<Held> => heldBy(definition, run, object);
  await keep(definition, { run, id: object.id ?? "", object }, "delete", { writes: undefined, held });
}

/** If the service doesn't answer, the work goes on: then the values of the state count, and are marked. */
async function keep(
  definition: AnyDefinition,
  { run, id, object }: Pick<Pass, "run" | "id" | "object">,
  step: Kept["step"],
  { writes, held: find }: { readonly writes: PlannedWrites | undefined; readonly held: () => Promise<Held> },
): Promise<void> {
  const { identity, account, answer } = object;
  const { keeper } = run.settings;
  if (keeper === undefined) return;
  const held = await find().catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    return { ...heldIn(definition, answer, object, writes), unread: error.brief };
  });
  const resourceKey = identity === undefined ? "" : resourceKeyIn(identity);
  await keeper.keep({
    resourceKey,
    kind: definition.kind,
    id,
    step,
    ...(account !== undefined && { account }),
    ...held,
  });
}

/** Returns inputs as the object holds them now: those that are about to be written, or all. */
export function heldBy(
  definition: AnyDefinition,
  run: RunContext,
  object: ObjectState,
  writes?: PlannedWrites,
): Promise<Held> {
  return heldOver(definition, over(definition, run, object), writes);
}

async function heldOver(definition: AnyDefinition, looked: Over, writes: PlannedWrites | undefined): Promise<Held> {
  const { run, id, object, live } = looked;
  if (definition.undo.held) return definition.undo.held(looked, writes);
  // An object that is being adopted was read just now.
  const answer = object.recorded ? (live ?? (await definition.read(run, id, object))) : object.answer;
  return heldIn(definition, answer ?? {}, object, writes);
}

/** An input that a read doesn't show is as it was declared, if it was. Pure. */
function heldIn(
  definition: AnyDefinition,
  answer: JsonMap,
  object: ObjectState,
  writes: PlannedWrites | undefined,
): Held {
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

/** Returns the pass with the values that it still has to put back beside the declared ones. */
export async function restoring(definition: AnyDefinition, pass: Pass, values: JsonMap | undefined): Promise<Pass> {
  if (values === undefined) return pass;
  const due = (await definition.undo.restores?.(pass, values)) ?? values;
  const fields = Object.keys(due).filter((field) => !isEmptyMap(due[field]));
  if (fields.length === 0) return pass;
  for (const field of fields) forgetAsSet(pass.object, field, due[field]);
  const now = definition.inputs.parse(withRestored(definition, pass.now as JsonMap, due));
  return { ...pass, now, changed: new Set([...pass.changed, ...fields]) };
}

/** The account has other values than the state says, so these are sent again. */
function forgetAsSet({ declared, rules }: ObjectState, field: string, due: Json | undefined): void {
  const own = declared.get(field);
  if (rules.rule(field).perKey !== true || !isMap(own) || !isMap(due)) return;
  declared.set(
    field,
    filterMap(own, (value, key) => !same(value, due[key])),
  );
}

function isEmptyMap(value: Json | undefined): boolean {
  return isMap(value) && Object.keys(value).length === 0;
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

/** Returns the inputs that an object is made anew from. */
export function madeAnewFrom(definition: AnyDefinition, run: RunContext, raw: Raw): Raw {
  const values = restoredAnew(definition, run, raw);
  return values === undefined ? raw : { ...raw, inputs: withRestored(definition, raw.inputs, values) };
}

export function restoredAnew(definition: AnyDefinition, run: RunContext, { identity }: Raw): JsonMap | undefined {
  const values = identity === undefined ? undefined : run.settings.restore?.anew[resourceKeyIn(identity)];
  return values && withNewIds(definition, run, values);
}

export function draftAnew(run: RunContext, { identity }: Raw): JsonMap | undefined {
  return identity === undefined ? undefined : run.settings.restore?.anewDrafts[resourceKeyIn(identity)];
}

/** Gives an adopted object its own values again, and lets it go. */
export async function letGo(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  object: ObjectState,
  { values, draft }: RestoredObject,
): Promise<void> {
  const changed = new Set(Object.keys(values));
  if (changed.size > 0)
    await definition.apply(passOver(definition, run, object, { now: definition.inputs.parse(values), changed }));
  if (draft) await definition.undo.restoresDraft?.(run, id, draft);
  const { kind, type } = definition;
  const text = `${type} ${id} stays in the account as it was before Landform took it over. Landform no longer manages it.`;
  run.warn({ code: "stays", kind, id, text });
}

export async function update(
  definition: AnyDefinition,
  run: RunContext,
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
    await discard(definition, run, object.duplicateId, namesOf(object));
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
  const values = restored && withNewIds(definition, run, restored.values);
  const changed = new Set([...kept, ...Object.keys(cleared)]);
  const now = definition.inputs.parse({ ...withoutAdoption(raw.inputs), ...cleared });
  const declared = passOver(definition, run, object, { now, changed, removed: new Set(removed) });
  const { pass, held, live, tell } = await guarded(definition, await restoring(definition, declared, values));
  const atEnd = async (): Promise<void> => {
    tell();
    recordAsBefore(object, values ?? {}, restored?.recorded);
    if (restored?.draft) await definition.undo.restoresDraft?.(run, id, restored.draft, pass.now as JsonMap);
  };
  // An undo says nothing anew of what a refresh has learned of others: the code still says something else.
  const learned = isUndo(run) ? [...object.written.keys()].filter((field) => !pass.changed.has(field)) : [];
  return complete(definition, pass, raw, { held: [...held, ...learned], live, atEnd });
}
