/**
 * What an update may turn into when it is applied. An unknown is no reason to replace, so an engine plans an update; the
 * value that comes may be another one than before, and then the resource is replaced, or its change refused. Pure.
 */
import type { StepEventMetadata } from "../../engine/index.ts";
import { isMap, type Json, type JsonMap } from "../../provider/values/json.ts";
import { diffOf } from "../../provider/reconcile/diff.ts";
import { RefusedChangeError } from "../../provider/messages/errors.ts";
import { ObjectState, splitInputs } from "../../provider/reconcile/object-state.ts";
import { hasUnknown, UNKNOWN } from "../../provider/values/paths.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Reason } from "./model.ts";

const OTHER = "a value that is not known yet";

export function perhaps(step: StepEventMetadata | undefined): Reason | undefined {
  const definition = step && definitionOf(step.type);
  const outputs = step?.old?.outputs;
  if (!definition || step.new === undefined || outputs?.["__landform"] === undefined) return undefined;
  const { inputs } = splitInputs(step.new.inputs);
  const open = Object.keys(inputs).filter((field) => hasUnknown(inputs[field]));
  if (open.length === 0) return undefined;
  const old = ObjectState.fromState(definition, step.old?.id ?? "", outputs);
  try {
    const { replaces } = diffOf(definition, old, withOthers(inputs) as JsonMap);
    return replaces.length === 0 ? undefined : { code: "perhaps replaced", fields: [...replaces] };
  } catch (error) {
    if (!(error instanceof RefusedChangeError)) throw error;
    return { code: "perhaps refused", fields: open };
  }
}

function withOthers(value: Json): Json {
  if (value === UNKNOWN) return OTHER;
  if (Array.isArray(value)) return value.map(withOthers);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withOthers(item)]));
}
