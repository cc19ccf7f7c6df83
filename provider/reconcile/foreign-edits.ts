/**
 * Edits of others that a change meets, and the decision about them. A kind with a draft finds them itself (`plan.foreignEdits`). For every
 * other kind they are the values that the change writes and that somebody has changed in the account since the last run.
 */
import { isRespelt } from "../account/spelling.ts";
import type { AnyDefinition } from "../definition/define.ts";
import { isSpecial } from "../definition/steady.ts";
import { isMarked, type ObjectKey, objectKey } from "../ledger/identity.ts";
import {
  covers,
  editsDigest,
  type ForeignEdit,
  type ForeignEditsNotice,
  type ForeignEditsPolicy,
  HIDDEN,
  keyOf,
  type ReplacedField,
} from "../messages/foreign-edits.ts";
import { filterMap, type Json, type JsonMap, mapOf, same } from "../values/json.ts";
import type { Pass } from "./apply.ts";
import { changesBetween, clearedBy, isLess, withIgnored } from "./diff.ts";
import { type KindInRun, nameOf, type ObjectInRun, ObjectState, splitInputs, withoutAdoption } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

export async function waitingEdits(
  { definition, run }: KindInRun,
  id: string,
  state: JsonMap,
): Promise<readonly ForeignEdit[]> {
  const object = ObjectState.fromState(definition, id, state);
  noteHalfWritten({ definition, run, object });
  return (await definition.plan.foreignEdits?.(run, id, object)) ?? [];
}

/** `state` are the outputs as the state has them; absent for an object that is about to be taken over. */
export async function foreignEditsFor(
  { definition, run }: KindInRun,
  id: string,
  state: JsonMap | undefined,
  inputs: JsonMap,
): Promise<readonly ForeignEdit[]> {
  const object = state ? ObjectState.fromState(definition, id, state) : new ObjectState(definition, id);
  const { inputs: given, ignored } = splitInputs(inputs);
  const declared = withoutAdoption(given);
  object.ignored = ignored;
  const now = state ? withIgnored(declared, object.declared, ignored) : declared;
  const changes = changesBetween(definition, object, now);
  const fieldsThat = (isGone: boolean): Set<string> =>
    new Set(changes.flatMap(({ kind, field }) => ((kind === "removed") === isGone ? [field] : [])));
  const [changed, removed] = [fieldsThat(false), fieldsThat(true)];
  const over = { definition, run, object };
  if (definition.plan.foreignEdits) {
    noteHalfWritten(over);
    return (await definition.plan.foreignEdits(run, id, object, { inputs: now, changed, removed })).map(withoutSecret);
  }
  const writes = { ...filterMap(now, (_, field) => changed.has(field)), ...clearedBy(definition, changes) };
  return (await lookAt(over, writes)).edits.map(withoutSecret);
}

/** A plan knows that a value of the code is secret, and not the value. */
export function withoutSecret(edit: ForeignEdit): ForeignEdit {
  if (!("over" in edit) || edit.over === undefined || !isSpecial(edit.over.code ?? null)) return edit;
  return { ...edit, over: { ...edit.over, code: HIDDEN } } as ForeignEdit;
}

/**
 * The engine's inputs are those that the run was asked for. A part that the code merely no longer names is not held.
 */
export function heldInputs(
  definition: AnyDefinition,
  { inputs = {}, outputs = {}, initErrors = [] }: Recorded,
): ReadonlyMap<string, Json | undefined> {
  // A run that failed has told its errors.
  if (initErrors.length > 0) return new Map();
  const { declared } = ObjectState.fromState(definition, "", outputs);
  const isPage = definition.plan.foreignEdits !== undefined;
  // Only an object that was kept from its replacement has another origin than the code.
  const isKept = [...declared].some(
    ([field, value]) => definition.rule(field).onChange === "replace" && !same(value, inputs[field]),
  );
  if (isPage && !isKept) return heldKeys(definition, declared, inputs);
  const fields = [...new Set([...declared.keys(), ...Object.keys(splitInputs(inputs).inputs)])];
  const isLeft = (field: string): boolean => {
    const [then, now] = [declared.get(field), inputs[field]];
    return same(then, now) || (!isKept && then !== undefined && isLess(definition.rule(field), then, now));
  };
  const held = fields.filter((field) => (isPage || isCompared(definition, field)) && !isLeft(field));
  return new Map(held.map((field) => [field, declared.get(field)]));
}

/** Only the values of a page that the account shows can be held. */
function heldKeys(
  definition: AnyDefinition,
  declared: ReadonlyMap<string, Json>,
  inputs: JsonMap,
): ReadonlyMap<string, Json> {
  const found = [...declared].flatMap(([field, value]): [string, Json][] => {
    const rule = definition.rule(field);
    const asked = mapOf(inputs[field]);
    if (rule.perKey !== true)
      return isCompared(definition, field) && inputs[field] !== undefined && !same(value, inputs[field])
        ? [[field, value]]
        : [];
    const held = filterMap(mapOf(value), (then, key) => {
      const now = asked[key];
      return now !== undefined && !same(then, now) && !isLess(rule, { [key]: then }, { [key]: now });
    });
    return Object.keys(held).length === 0 ? [] : [[field, { ...asked, ...held }]];
  });
  return new Map(found);
}

/** An entry of the state, without marks of secrets. */
interface Recorded {
  readonly inputs?: JsonMap | undefined;
  readonly outputs?: JsonMap | undefined;
  readonly initErrors?: readonly string[] | undefined;
}

interface Looked {
  readonly edits: readonly ForeignEdit[];
  /** The object as it is now; undefined if it is gone, or if nobody had to look. */
  readonly live: JsonMap | undefined;
}

/** Looks at an object once, before it is written. Nobody looks at an object that shows none of the values. */
async function lookAt({ definition, run, object }: ObjectInRun, writes: JsonMap): Promise<Looked> {
  const { id = "", recorded } = object;
  const fields = Object.keys(writes).filter((field) => isCompared(definition, field) && !object.unfinished.has(field));
  if (!recorded || fields.length === 0) return { edits: [], live: undefined };
  const live = await definition.read(run, id, object);
  if (live === undefined) return { edits: [], live };
  const there = object.with((next) => next.learn(live));
  const others = fields.filter((field) => !isOfKilledRun(objectKey(definition, id), run, there, field));
  return { edits: others.flatMap((field) => editOf(object, there, field, writes[field]) ?? []), live };
}

/** Tells if a write of the input changes a value that reads of the object show. */
export function isCompared(definition: AnyDefinition, field: string): boolean {
  const { shownValue, proxyOutput, shownOnWrites, onChange = "update" } = definition.rule(field);
  return onChange === "update" && shownOnWrites !== true && (shownValue !== undefined || proxyOutput !== undefined);
}

/** A respelled value is the service's work and nobody's edit. `code`: undefined if the value goes with its object. */
export function editOf(
  before: ObjectState,
  there: ObjectState,
  key: string,
  code: Json | undefined,
): ReplacedField | undefined {
  const { shownValue, proxyOutput, comesOf } = before.rules.rule(key);
  const { then, declared } = lastLeft(before, key, code);
  const now = there.shown(key);
  const left = [then, before.written.get(key)?.shown, ...(proxyOutput === undefined ? [declared] : [])];
  if (then === undefined || now === undefined || isMarked(now) || left.some((one) => isRespelt(one, now)))
    return undefined;
  const isAsSaid =
    code !== undefined &&
    (comesOf?.(code, there.answer) ?? (proxyOutput === undefined && isRespelt(code, shownValue?.(there.answer, code))));
  if (isAsSaid) return undefined;
  const [kind, at, said] = ["field", [key], code === undefined ? {} : { code }] as const;
  return proxyOutput === undefined
    ? { kind, at, now, over: { then, ...said } }
    : { kind, at, now: { [proxyOutput]: now }, over: { then: { [proxyOutput]: then }, ...said } };
}

/** A refresh has learned the values of others. If the code changes such a value as well, it counts as our last run left it. */
function lastLeft(
  object: ObjectState,
  key: string,
  code: Json | undefined,
): { then: Json | undefined; declared: Json | undefined } {
  const last = object.written.get(key);
  const isLearned =
    last !== undefined &&
    (last.declared === undefined || ![last.declared, last.shown].some((one) => isRespelt(one, code)));
  return isLearned
    ? { then: last.shown, declared: last.declared }
    : { then: object.shown(key), declared: object.declared.get(key) };
}

export interface Guarded {
  readonly pass: Pass;
  /** The inputs that are held back. They stay declared as they were, so that the next plan tells their change again. */
  readonly held: readonly string[];
  readonly live: JsonMap | undefined;
  readonly tell: () => void;
}

/** Looks before the first write of an update. A look that fails stops it: nobody may write over values that nobody has seen. */
export async function guarded(pass: Pass): Promise<Guarded> {
  const { definition, run, id, object, changed } = pass;
  const now = pass.now as JsonMap;
  const nothing: Guarded = { pass, held: [], live: undefined, tell: () => undefined };
  // An undo has compared each value itself.
  if (definition.plan.foreignEdits !== undefined || isUndo(run)) return nothing;
  const writes = filterMap(now, (_, field) => changed.has(field));
  const { edits, live } = await lookAt(pass, writes).catch((error: unknown) => {
    if (error instanceof Error)
      error.message = `${definition.type} ${id} is not written, because Landform could not look if somebody has changed it: ${error.message}`;
    throw error;
  });
  const policy = policyFor(run, id, edits, policyOf(now["onForeignEdits"]));
  if (policy === undefined) return { ...nothing, live };
  const name = nameOf(object.answer);
  const tell = (outcome: ForeignEditsNotice["outcome"]): void =>
    run.warnOnce({ code: "foreign-edits", kind: definition.kind, id, name, outcome, edits, noDraft: true });
  if (policy === "include") return { ...nothing, live, tell: () => tell("included") };
  const held = edits.flatMap((edit) => (edit.kind === "field" ? [keyOf(edit)] : []));
  const isLeft = (field: string): boolean => !held.includes(field);
  tell("held-back");
  return {
    ...nothing,
    pass: {
      ...pass,
      now: filterMap(now, (_, field) => isLeft(field)),
      changed: new Set([...changed].filter(isLeft)),
      removed: new Set([...pass.removed].filter(isLeft)),
    },
    held,
    live,
  };
}

export function isUndo({ settings }: RunContext): boolean {
  return settings.restore !== undefined;
}

export function policyFor(
  run: RunContext,
  id: string,
  edits: readonly ForeignEdit[],
  own: ForeignEditsPolicy | undefined,
): ForeignEditsPolicy | undefined {
  if (edits.length === 0) return undefined;
  // Another page took its address, so this page had to be published elsewhere: the edits are public already.
  if (run.putAside.has(id)) return "include";
  const { option, stack, reviewed, asking } = run.settings.foreignEdits ?? {};
  if (covers(reviewed?.[id], editsDigest(edits))) return "include";
  return option ?? own ?? stack ?? (asking === true ? "include" : "hold");
}

export function policyOf(declared: Json | undefined): ForeignEditsPolicy | undefined {
  return declared === "hold" || declared === "include" ? declared : undefined;
}

// The values that a killed run was writing: they are nobody's edits.

function halfWrittenOn(key: ObjectKey, run: RunContext): JsonMap {
  return run.settings.halfWritten?.get(key) ?? {};
}

export function isOfKilledRun(key: ObjectKey, run: RunContext, there: ObjectState, field: string): boolean {
  const asked = halfWrittenOn(key, run);
  return field in asked && isHalfWritten(there, field, asked[field] ?? null);
}

/** Notes on an object, as it was read, what a killed run was writing. A draft may hold some keys of such a map and not the others. */
export function noteHalfWritten({ definition, run, object }: ObjectInRun): void {
  const asked = halfWrittenOn(objectKey(definition, object.id ?? ""), run);
  for (const [field, value] of Object.entries(asked))
    if (definition.rule(field).perKey === true || isHalfWritten(object, field, value)) object.doubt(field);
  for (const field of object.declared.keys()) if (object.isPassing(field)) object.doubt(field);
  if (Object.keys(asked).length > 0) object.notes = definition.life.begun?.(object, asked) ?? object.notes;
}

/** Tells if an input shows what the killed run was asked for. Nobody can tell that of a secret, or of an input that is not shown. */
function isHalfWritten(object: ObjectState, field: string, asked: Json): boolean {
  const live = object.shown(field);
  const { proxyOutput, shownValue } = object.rules.rule(field);
  if (live === undefined || proxyOutput !== undefined || isSpecial(asked)) return true;
  return isRespelt(asked, live) || isRespelt(asked, shownValue?.(object.answer, asked));
}
