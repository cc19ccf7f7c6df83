import type { ResourceState } from "./types.ts";
import { markSecretOutputs } from "./values.ts";

/** Makers of finished resource states. */

type Loose = { [Key in keyof ResourceState]: ResourceState[Key] | undefined };

/** Returns the state without undefined fields, and with its secret outputs marked. */
export function completeState(loose: Loose): ResourceState {
  const { urn, custom, type, outputs } = loose;
  if (urn === undefined || custom === undefined || type === undefined) throw new TypeError("a state without a URN");
  const rest: Partial<ResourceState> = Object.fromEntries(
    Object.entries(loose).filter(([, value]) => value !== undefined),
  );
  const state: ResourceState = { ...rest, urn, custom, type };
  if (outputs === undefined) return state;
  return { ...state, outputs: markSecretOutputs(outputs, loose.inputs ?? {}, loose.additionalSecretOutputs ?? []) };
}

/** Returns the present time in RFC 3339, as the checkpoint has its times. */
export function timestamp(): string {
  return new Date().toISOString();
}
