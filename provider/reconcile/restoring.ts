/** An undo writes what the program doesn't declare, too: values that a run had kept. What is declared stays what it is. */
import type { AnyDefinition, Apply } from "../definition/define.ts";
import type { RestoredObject } from "../history/kept.ts";
import { isMap, mapOf, type Json, type JsonMap } from "../values/json.ts";
import { ownIn } from "./identity.ts";
import type { Raw } from "./inputs.ts";
import type { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

/** Inputs with what is put back: key by key in maps that are compared so. */
export function withRestored(definition: AnyDefinition, inputs: JsonMap, values: JsonMap = {}): JsonMap {
  const merged = Object.entries(values).map(([field, value]) => {
    const declared = inputs[field];
    const byKey = definition.rule(field).perKey === true && isMap(declared) && isMap(value);
    return [field, byKey ? { ...declared, ...value } : value] as const;
  });
  return { ...inputs, ...Object.fromEntries(merged) };
}

/** The pass with what it still has to put back beside what is declared. */
export async function restoring(
  definition: AnyDefinition,
  pass: Apply<Record<string, unknown>>,
  values: JsonMap | undefined,
): Promise<Apply<Record<string, unknown>>> {
  if (values === undefined) return pass;
  const due = (await definition.undo.restores?.(pass, values)) ?? values;
  const fields = Object.keys(due).filter((field) => !isEmptyMap(due[field]));
  if (fields.length === 0) return pass;
  const now = definition.inputs.parse(withRestored(definition, pass.now as JsonMap, due));
  return { ...pass, now, changed: new Set([...pass.changed, ...fields]) };
}

function isEmptyMap(value: Json | undefined): boolean {
  return isMap(value) && Object.keys(value).length === 0;
}

/**
 * What was put back and isn't declared is nobody's again; what had drifted before the run that is undone is recorded as it
 * was, so that it is drift again. Any other value is declared as it is by now: where the code says otherwise, the next plan tells.
 */
export function recordAsBefore(object: ObjectState, values: JsonMap, recorded: JsonMap = {}): void {
  const { rules, answer, declared } = object;
  for (const [field, value] of Object.entries(values)) {
    const [shown, own] = [answer[field], declared.get(field)];
    if (rules.rule(field).perKey !== true || !isMap(value) || !isMap(shown)) continue;
    if (own === undefined) Reflect.deleteProperty(answer, field);
    else if (isMap(own)) {
      const kept = Object.entries(shown).filter(([key]) => key in own || !(key in value));
      object.learn({ [field]: Object.fromEntries(kept) });
      const drifted = mapOf(recorded[field]);
      const back = Object.entries(value).filter(([key]) => key in own && !(key in drifted));
      if (back.length > 0) declared.set(field, { ...own, ...Object.fromEntries(back) });
    }
  }
  for (const [output, value] of Object.entries(recorded)) {
    const now = object.answer[output];
    object.learn({ [output]: isMap(value) && isMap(now) ? { ...now, ...value } : value });
  }
}

/** The inputs that an object is made anew from. */
export function madeAnewFrom(definition: AnyDefinition, run: RunContext, raw: Raw): Raw {
  const values = restoredAnew(run, raw);
  return values === undefined ? raw : { ...raw, inputs: withRestored(definition, raw.inputs, values) };
}

export function restoredAnew(run: RunContext, { identity }: Raw): JsonMap | undefined {
  return identity === undefined ? undefined : run.settings.restore?.anew[ownIn(identity)];
}

export function draftAnew(run: RunContext, { identity }: Raw): JsonMap | undefined {
  return identity === undefined ? undefined : run.settings.restore?.anewDrafts[ownIn(identity)];
}

/** The object had been taken over: it gets its own values again, and is let go. */
export async function letGo(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  object: ObjectState,
  { values, draft }: RestoredObject,
): Promise<void> {
  const changed = new Set(Object.keys(values));
  if (changed.size > 0) {
    const now = definition.inputs.parse(values);
    const document = definition.life.load?.(run, id);
    await definition.apply({ run, id, now, changed, removed: new Set(), object, created: false, document });
  }
  if (draft) await definition.undo.restoresDraft?.(run, id, draft);
  const { kind, type } = definition;
  const text = `${type} ${id} stays in the account as it was before it had been taken over, and is no longer managed.`;
  run.warn({ code: "stays", kind, id, text });
}
