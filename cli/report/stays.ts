/** What a deletion leaves in the account. Pure. */
import { shortType, type StepEventMetadata } from "../../engine/index.ts";
import type { Stay } from "./model.ts";

/** Kinds that the API can't delete, by what their definitions do instead. */
const KINDS: Readonly<Record<string, Stay>> = {
  "landform:Site": "in place",
  "landform:VideoPlayer": "in place",
  "landform:Funnel": "retired",
};

/** Undefined where the object goes. The provider's host tells by a warning of a project that had to stay. */
export function stayOf(step: StepEventMetadata | undefined, warnings: Iterable<string>): Stay | undefined {
  if (step?.old === undefined) return undefined;
  if (step.old.retainOnDelete) return "in place";
  const start = `Project ${step.old.id} stays in the account`;
  const kept = [...warnings].some((warning) => warning.startsWith(start));
  return kept ? "in place" : KINDS[shortType(step.type)];
}
