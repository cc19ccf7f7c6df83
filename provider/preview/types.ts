/** What stands in the state of a preview beside the resources of its program. */
import { resourceType } from "../kinds/registry.ts";
import { ENVIRONMENT } from "./environment.ts";
import { EXISTING, LEFT_OUT } from "./stand-ins.ts";

export const ENVIRONMENT_TYPE = resourceType({ type: ENVIRONMENT });

const TYPES: ReadonlySet<string> = new Set([
  ENVIRONMENT_TYPE,
  ...[EXISTING, LEFT_OUT].map((type) => resourceType({ type })),
]);

/** Whether nothing of the account comes or goes with a resource of this type. */
export function isOfPreview(type: string): boolean {
  return TYPES.has(type);
}
