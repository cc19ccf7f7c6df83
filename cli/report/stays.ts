/** What a deletion leaves in the account. Pure. */
import type { StepEventMetadata } from "../../engine/index.ts";
import type { Notice } from "../../provider/notices.ts";
import { definitionOf } from "../../provider/registry.ts";
import type { Stay } from "./model.ts";

/** Undefined where the object goes. The provider's host tells of an object that had to stay. */
export function stayOf(step: StepEventMetadata | undefined, notices: readonly Notice[]): Stay | undefined {
  if (step?.old === undefined) return undefined;
  if (step.old.retainOnDelete) return "in place";
  const definition = definitionOf(step.type);
  const { id } = step.old;
  const kept = notices.some(
    (notice) => notice.code === "stays" && notice.id === id && notice.kind === definition?.kind,
  );
  return kept ? "in place" : definition?.leaves;
}
