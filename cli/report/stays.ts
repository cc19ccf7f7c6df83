/** What a deletion leaves in the account. Pure. */
import { isRecord, type Json, type StepEventMetadata } from "../../engine/index.ts";
import type { Notice } from "../../provider/notices.ts";
import { definitionOf } from "../../provider/registry.ts";
import { normalSlug } from "../../provider/resources/pages/path.ts";
import type { Change, Stay } from "./model.ts";
import { decisive } from "./steps.ts";
import type { Told } from "./told.ts";

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

/** Of a replacement, the old page makes way where the plan puts another one at its address. */
export function withMovedAside(changes: readonly Change[], told: ReadonlyMap<string, Told>): Change[] {
  const wanted = new Set(
    changes.flatMap(({ urn, op }) => placeOf(stepOf(told.get(urn), op)?.new?.inputs["publish"]) ?? []),
  );
  return changes.map((change) => {
    const { reason, urn, op } = change;
    if (reason?.code !== "old stays" && reason?.code !== "adopts instead") return change;
    if (reason.stay === undefined) return change;
    const { status, siteId, slug } = stepOf(told.get(urn), op)?.old?.outputs ?? {};
    const place = status === "published" ? placeOf({ siteId: siteId ?? null, slug: slug ?? null }) : undefined;
    if (place === undefined || !wanted.has(place)) return change;
    return { ...change, reason: { ...reason, movesAside: true } };
  });
}

function stepOf(told: Told | undefined, op: Change["op"]): StepEventMetadata | undefined {
  return told && op !== "delete" ? decisive(told.steps, op) : undefined;
}

/** Undefined where it isn't known yet. */
function placeOf(publish: Json | undefined): string | undefined {
  if (!isRecord(publish)) return undefined;
  const { siteId, slug } = publish;
  return typeof siteId === "string" ? `${siteId}/${normalSlug(typeof slug === "string" ? slug : "")}` : undefined;
}

function adopted(fields: Change["fields"]): string[] {
  return fields.flatMap(({ path, new: id }) => (path.join() === "adoptId" && typeof id === "string" ? [id] : []));
}
