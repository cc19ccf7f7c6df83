import type { AnyDefinition } from "../definition/define.ts";

/** The module that states name as the home of our providers; never to be renamed. */
export const ENTRY_POINT = "landform/dynamic";

/** What a resource's `__provider` says: the handler of its kind, by name. */
export function handlerReference(kind: string): string {
  return `exports.handler=()=>require("${ENTRY_POINT}").${kind}`;
}

/**
 * Outputs that the state keeps encrypted. `released`: of a page that a release publishes. `repeated`: those that show an
 * input that is secret.
 */
export function secretOutputs(
  { secrets = [] }: AnyDefinition,
  released: readonly string[],
  repeated: readonly string[] = [],
): string[] {
  return ["__declared", ...released, ...secrets, ...repeated];
}
