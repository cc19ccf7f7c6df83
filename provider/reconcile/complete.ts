/** The common end of create, adopt and update: apply what is left, take the last look, and keep what was achieved. */
import type { AnyDefinition, Apply } from "../definition/define.ts";
import type { JsonMap } from "../values/json.ts";
import { PartialFailure } from "../messages/errors.ts";
import { keepBeforeWrite } from "./keeping.ts";
import type { Raw } from "./inputs.ts";

export interface Outcome {
  readonly id: string;
  readonly outs: JsonMap;
}

/**
 * Applies what is left and takes the last look; a failure from here on keeps the object with what was achieved. `atEnd`:
 * what else there is to record.
 */
export async function complete(
  definition: AnyDefinition,
  pass: Apply<Record<string, unknown>>,
  raw: Raw,
  atEnd?: () => Promise<void> | void,
): Promise<Outcome> {
  const { id, object } = pass;
  const before = { ...object.answer };
  for (const field of [...pass.changed, ...pass.removed]) object.sent.add(field);
  try {
    if (!pass.created) await keepBeforeWrite(definition, pass);
    const applied = await definition.apply(pass);
    if (object.wrote || pass.created) await definition.life.settle?.(pass, applied);
    if (!pass.created) object.keepUnsent(before);
    for (const field of [...object.declared.keys()]) if (!(field in raw.inputs)) object.declare(field, undefined);
    for (const [field, value] of Object.entries(raw.inputs)) {
      if (!object.waiting.has(field)) object.declare(field, value);
    }
    object.doubtful.clear();
    object.predecessor = undefined;
    await atEnd?.();
    object.rememberMove(before);
    return { id, outs: object.toState() };
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    if (!pass.created) object.keepUnsent(before);
    object.rememberMove(before);
    throw new PartialFailure(id, { ...object.toState(), __provider: raw.provider }, cause);
  }
}

export function withoutAdoption(inputs: JsonMap): JsonMap {
  const { adoptId, ...rest } = inputs;
  return rest;
}
