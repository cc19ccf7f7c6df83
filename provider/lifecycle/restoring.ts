/** An undo writes what the program doesn't declare, too: values that a run had kept. What is declared stays what it is. */
import type { AnyDefinition } from "../define.ts";
import type { RestoredObject } from "../history/kept.ts";
import { isMap, type JsonMap } from "../json.ts";
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

/** What had drifted before the run that is undone is recorded as it was, so that it is drift again. */
export function recordAsBefore(object: ObjectState, { recorded = {} }: Partial<RestoredObject>): void {
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

/** What is declared, with what else the new object can take. */
export async function fitting(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  { inputs }: Raw,
  values: JsonMap,
): Promise<JsonMap> {
  return withRestored(definition, inputs, (await definition.fits?.(run, id, values)) ?? values);
}

/** The object had been taken over: it gets its own values again, and is let go. */
export async function letGo(
  definition: AnyDefinition,
  run: RunContext,
  id: string,
  object: ObjectState,
  { values }: RestoredObject,
): Promise<void> {
  const changed = new Set(Object.keys(values));
  if (changed.size === 0) return;
  const now = definition.inputs.parse(values);
  await definition.apply({ run, id, now, changed, removed: new Set(), object, created: false });
}
