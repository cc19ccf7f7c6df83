/** What a deletion leaves in the account. Pure. */
import type { StepEventMetadata } from "../../engine/index.ts";
import type { Notice } from "../../provider/notices.ts";
import { definitionOf } from "../../provider/registry.ts";
import type { Change, Stay } from "./model.ts";

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

/** What another resource of the plan takes over by its id is neither deleted nor retired under its old name. */
export function withTakenOver(changes: readonly Change[]): Change[] {
  const taken = new Set(changes.flatMap(({ op, fields }) => (op === "delete" ? [] : adopted(fields))));
  return changes.map((change) => {
    const { op, id, stays } = change;
    if (op !== "delete" || stays === "in place" || id === undefined || !taken.has(id)) return change;
    return { ...change, stays: "in place", reason: { code: "stays", stay: "in place" } };
  });
}

function adopted(fields: Change["fields"]): string[] {
  return fields.flatMap(({ path, new: id }) => (path.join() === "adoptId" && typeof id === "string" ? [id] : []));
}
