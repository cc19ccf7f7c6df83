import type { AnyDefinition } from "../../provider/define.ts";
import { registry } from "../../provider/registry.ts";

/** Of the type as reports show it. */
export function definitionNamed(type: string): AnyDefinition | undefined {
  return Object.values<AnyDefinition>(registry).find((definition) => definition.type === type);
}
