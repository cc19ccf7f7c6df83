/** What a deletion leaves in the account. Pure. */
import { shortType, type StepEventMetadata } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/define.ts";
import { registry } from "../../provider/registry.ts";
import type { Stay } from "./model.ts";

/** Undefined where the object goes. The provider's host tells by a warning of a project that had to stay. */
export function stayOf(step: StepEventMetadata | undefined, warnings: Iterable<string>): Stay | undefined {
  if (step?.old === undefined) return undefined;
  if (step.old.retainOnDelete) return "in place";
  const definition = definitionOf(step.type);
  const start = `${definition?.type ?? ""} ${step.old.id} stays in the account`;
  const kept = [...warnings].some((warning) => warning.startsWith(start));
  return kept ? "in place" : definition?.leaves;
}

function definitionOf(type: string): AnyDefinition | undefined {
  return Object.values<AnyDefinition>(registry).find((definition) => shortType(type) === `landform:${definition.type}`);
}
