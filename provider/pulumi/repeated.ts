/** The inputs of a kind that outputs of other names show, and what of other objects its outputs show. */
import type { AnyDefinition } from "../definition/define.ts";

export interface Repeated {
  readonly path: readonly string[];
  readonly outputs: readonly string[];
}

export function placesRepeated({ repeats = {} }: AnyDefinition): Repeated[] {
  return Object.entries(repeats).map(([place, outputs]) => ({ path: place.split("."), outputs }));
}

export interface Shown {
  readonly input: string;
  /** Outputs that show what of the object that the input refers to is secret. */
  readonly outputsFor: (secretsOfOther: readonly string[]) => string[];
}

export function inputsShown({ shows = {} }: AnyDefinition): Shown[] {
  return Object.entries(shows).map(([input, table]) => ({
    input,
    outputsFor: (secrets) => secrets.flatMap((name) => table[name] ?? []),
  }));
}
