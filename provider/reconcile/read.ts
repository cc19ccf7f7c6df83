/** Finds drift: live-now against answered-then. A drifted input goes back live, so that the next apply repairs it. */
import type { FieldRule } from "../definition/field-rule.ts";
import { filterMap, isMap, type Json, type JsonMap, mapEach, mapOf, same } from "../values/json.ts";
import { isSameAddress } from "../values/addresses.ts";
import { isRespelt } from "../account/spelling.ts";
import { isMarked } from "../ledger/identity.ts";
import { own, pathsBetween } from "../values/paths.ts";
import { isCompared, noteHalfWritten } from "./foreign-edits.ts";
import { findDuplicate } from "./marked-objects.ts";
import { type KindInRun, type ObjectInRun, ObjectState } from "./object-state.ts";

export interface ReadOutcome {
  readonly id: string;
  readonly props: JsonMap;
  readonly inputs?: JsonMap;
}

export async function read({ definition, run }: KindInRun, id: string, props: JsonMap): Promise<ReadOutcome> {
  const object = ObjectState.fromState(definition, id, props);
  const over = { definition, run, object };
  object.account = await run.accountId(object.account);
  const before = new Map([...object.declared.keys()].map((field) => [field, object.shown(field)] as const));
  const answer = await definition.read(run, id, object);
  if (!answer) return { id: "", props: {} };
  const { answer: then } = object;
  object.learn(answer);
  object.rememberMove(then);
  object.unread = false;
  noteHalfWritten(over);
  if (run.settings.goesOn === true) leaveToPeople(object, then);
  object.duplicateId = await findDuplicate(over);
  if (object.duplicateId !== undefined) {
    run.warn({ code: "second-copy", kind: definition.kind, id, duplicateId: object.duplicateId });
  }
  noteUndeclared(over, then);
  if (!takeDrifts(over, before)) return { id, props: object.toState() };
  return { id, props: object.toState(), inputs: inputsOf(object) };
}

/**
 * Nobody asked to put back what people have changed: the inputs stay known as the last run left them, and the pass meets the edits. Values
 * that are as declared are no edits: a release made its pages public.
 */
function leaveToPeople(object: ObjectState, then: JsonMap): void {
  const interrupted = object.interrupted();
  for (const [field, declared] of object.declared) {
    const { perKey, carries = [] } = object.rules.rule(field);
    if (perKey !== true && (interrupted.has(field) || same(object.shown(field), declared))) continue;
    for (const output of [...object.shownBy(field), ...carries]) {
      const [left, live] = [then[output], object.answer[output]];
      if (left === undefined || same(left, live)) continue;
      object.unread = true;
      object.learn({
        [output]: isMap(left) && isMap(live) ? mapEach(left, (one, key) => asLeft(one, live[key])) : left,
      });
    }
  }
}

/** A release puts the addresses of its pages right. */
function asLeft(left: Json, live: Json | undefined): Json {
  return live !== undefined && isSameAddress(left, live) ? live : left;
}

/**
 * Keeps the value that the last run left in an input that nobody declared, if somebody has changed it: code that declares it later writes over
 * theirs. A kind with a draft knows such values itself.
 */
function noteUndeclared({ definition, object }: ObjectInRun, then: JsonMap): void {
  if (definition.plan.foreignEdits !== undefined) return;
  for (const field of Object.keys(definition.schema.shape)) {
    if (object.declared.has(field) || !isCompared(definition, field)) continue;
    const left = object.written.get(field);
    const shown = left === undefined ? object.shown(field, then) : left.shown;
    const live = object.shown(field);
    if (shown === undefined || live === undefined) continue;
    if (isRespelt(shown, live)) object.written.delete(field);
    else object.written.set(field, { shown });
  }
}

/** Tells if something drifted. A drifted input is then declared as it is live. */
function takeDrifts(over: ObjectInRun, before: ReadonlyMap<string, Json | undefined>): boolean {
  const { definition, run, object } = over;
  const declared = new Map(object.declared);
  const drifted = [...before].filter(([field, then]) => takeDrift(over, field, then));
  const paths = drifted.flatMap(([field]) => pathsBetween(field, declared.get(field), object.declared.get(field)));
  if (paths.length > 0) run.warn({ code: "moved", kind: definition.kind, id: object.id ?? "", by: "app", paths });
  return drifted.length > 0;
}

function takeDrift({ definition, run, object }: ObjectInRun, field: string, then: Json | undefined): boolean {
  const rule = definition.rule(field);
  const live = object.shown(field);
  if (live === undefined || (same(live, then) && !lacksDeclared(rule, object, field, live))) return false;
  if (then === undefined && rule.perKey) return false;
  if (rule.onChange === "refuse") {
    if (same(live, object.declared.get(field))) return false;
    run.warn({ code: "not-restorable", kind: definition.kind, id: object.id ?? "", field, live });
    return false;
  }
  // The name that a creation gives, or a copy of it, is nobody's edit: the next apply takes it away.
  const isOurMark = isMarked(live) && !isMarked(then);
  if (isOurMark) object.reapply(field);
  if (rule.proxyOutput) object.declare(field, undefined);
  else if (rule.perKey) declareKeys(object, field, mergeDrift(object.declared.get(field), then, live));
  else if (isOurMark) return false;
  else object.declared.set(field, putBack(object, field) ?? drifted(object, field, then, live));
  return true;
}

/** An input that is to be applied again is a change already. */
function lacksDeclared({ missingIsDrift }: FieldRule, object: ObjectState, field: string, live: Json): boolean {
  return live === null && !object.unfinished.has(field) && missingIsDrift?.(object.declared.get(field)) === true;
}

/** Returns the declared value if the service shows again what it made of it. */
function putBack(object: ObjectState, field: string): Json | undefined {
  const { declared, shown } = object.written.get(field) ?? {};
  if (declared === undefined || !same(object.rules.rule(field).shownValue?.(object.answer, declared), shown))
    return undefined;
  object.written.delete(field);
  return declared;
}

function drifted(object: ObjectState, field: string, then: Json | undefined, live: Json): Json {
  const declared = object.declared.get(field);
  // A release makes a page public as it was declared: that is nobody's value.
  const isKnown = object.written.has(field) || declared === undefined || then === undefined || same(declared, live);
  if (!isKnown) object.written.set(field, { declared, shown: then });
  return live;
}

/** Declares the live keys, and notes those that the program said otherwise. */
function declareKeys(object: ObjectState, field: string, merged: Json): void {
  const said = { ...mapOf(object.declared.get(field)), ...mapOf(object.written.get(field)?.declared) };
  const isOther = (value: Json, key: string): boolean =>
    isMap(merged) && key in merged && !same(value, merged[key]) && !isSameAddress(value, merged[key]);
  const declared = filterMap(said, isOther);
  object.declared.set(field, merged);
  if (Object.keys(declared).length === 0) object.written.delete(field);
  else object.written.set(field, { declared, shown: {} });
}

function mergeDrift(declared: Json | undefined, then: Json | undefined, live: Json): Json {
  if (!isMap(declared) || !isMap(live)) return live;
  const before = mapOf(then);
  const merged: JsonMap = {};
  for (const [key, value] of Object.entries(declared)) {
    const shown = own(live, key);
    if (same(own(before, key), shown) || isMarked(shown)) merged[key] = value;
    else if (shown !== undefined) merged[key] = shown;
  }
  return merged;
}

function inputsOf({ declared, identity }: ObjectState): JsonMap {
  const inputs: JsonMap = Object.fromEntries(declared);
  if (identity !== undefined) inputs["__identity"] = identity;
  return inputs;
}
