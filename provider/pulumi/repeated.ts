/** The inputs of a kind that outputs of other names show, too. */
import type { AnyDefinition } from "../define.ts";

export interface Repeated {
  readonly path: readonly string[];
  readonly outputs: readonly string[];
}

export function placesRepeated({ repeats = {} }: AnyDefinition): Repeated[] {
  return Object.entries(repeats).map(([place, outputs]) => ({ path: place.split("."), outputs }));
}
