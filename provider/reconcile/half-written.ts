/** The values that a killed run was writing: they are nobody's edits. */
import { isRespelt } from "../account/spelling.ts";
import type { AnyDefinition } from "../definition/define.ts";
import { isSpecial } from "../definition/steady.ts";
import { type ObjectKey, objectKey } from "../ledger/identity.ts";
import type { Json, JsonMap } from "../values/json.ts";
import type { ObjectState } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";

function halfWrittenOn(key: ObjectKey, run: RunContext): JsonMap {
  return run.settings.halfWritten?.get(key) ?? {};
}

/** Tells if an input of an object, as it is now, is the work of a killed run. */
export function isOfKilledRun(key: ObjectKey, run: RunContext, there: ObjectState, field: string): boolean {
  const asked = halfWrittenOn(key, run);
  return field in asked && isHalfWritten(there, field, asked[field] ?? null);
}

/** Notes on an object, as it was read, what a killed run was writing. A draft may hold some keys of such a map and not the others. */
export function noteHalfWritten(definition: AnyDefinition, run: RunContext, object: ObjectState): void {
  const asked = halfWrittenOn(objectKey(definition, object.id ?? ""), run);
  for (const [field, value] of Object.entries(asked))
    if (object.rules.rule(field).perKey === true || isHalfWritten(object, field, value)) object.doubt(field);
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
