/** What a deletion leaves in the account. Pure. */
import { isRecord, type Json, nameOf, type PropertyMap, type StepEventMetadata } from "../../engine/index.ts";
import type { Notice } from "../../provider/messages/notices.ts";
import { definitionOf, keyOfType } from "../../provider/kinds/registry.ts";
import { normalSlug } from "../../provider/values/addresses.ts";
import type { Change, Report, Stay } from "./model.ts";
import { decisive, type Told } from "./steps.ts";
import type { ObjectKey } from "../../provider/ledger/identity.ts";

/** Undefined where the object goes. The provider's host tells of an object that had to stay. */
export function stayOf(step: StepEventMetadata | undefined, notices: readonly Notice[]): Stay | undefined {
  if (step?.old === undefined) return undefined;
  if (step.old.retainOnDelete) return "in place";
  const definition = definitionOf(step.type);
  const { id } = step.old;
  const kept = notices.some(
    (notice) =>
      notice.code === "stays" &&
      notice.id === id &&
      notice.kind === definition?.kind &&
      (notice.name === undefined || notice.name === nameOf(step.urn)),
  );
  return kept ? "in place" : definition?.leaves;
}

/** A plan whose deletions leave these where they are. */
export function withStays(report: Report, urns: readonly string[]): Report {
  if (urns.length === 0) return report;
  const { counts } = report;
  const changes = report.changes.map((change) =>
    urns.includes(change.urn) ? { ...change, stays: STAY, reason: { code: "stays" as const, stay: STAY } } : change,
  );
  const left = counts.left + urns.length;
  return { ...report, changes, counts: { ...counts, delete: counts.delete - urns.length, left } };
}

const STAY = "in place" as const;

/**
 * What another resource has, or takes over by its id, is neither deleted nor retired under its old name. `shared`: the
 * URNs of the state's entries that have one object; where all of them go, the last one takes it along.
 */
export function withTakenOver(
  changes: readonly Change[],
  shared: ReadonlyMap<ObjectKey, readonly string[]>,
  told: ReadonlyMap<string, Told>,
): Change[] {
  const taken = new Set(changes.flatMap(({ op, type, fields }) => (op === "delete" ? [] : adopted(type, fields))));
  const leaving = changes.flatMap((change) => leavesGoing(change, told) ?? []);
  const left = new Map([...shared].map(([key, { length }]) => [key, length]));
  return changes.map((change) => {
    const key = leavesGoing(change, told);
    if (key === undefined) return change;
    const all = shared.get(key)?.length ?? 1;
    const rest = (left.get(key) ?? 1) - 1;
    left.set(key, rest);
    const isKept = taken.has(key) || all > leaving.filter((other) => other === key).length || rest > 0;
    if (!isKept) return change;
    if (change.op === "replace") return { ...change, reason: change.reason ?? { code: "old stays", stay: "in place" } };
    return { ...change, stays: "in place", reason: { code: "stays", stay: "in place" } };
  });
}

/**
 * With the option `deletedWith` an engine makes no call for what goes together with what it names. Nothing of this service
 * takes anything else along, so the object stays.
 */
export function withLeftBehind(changes: readonly Change[], goesWith: ReadonlyMap<string, string>): Change[] {
  if (goesWith.size === 0) return [...changes];
  const going = new Set(changes.flatMap(({ op, urn }) => (op === "delete" || op === "replace" ? [urn] : [])));
  return changes.map((change) => {
    const isLeft = going.has(change.urn) && going.has(goesWith.get(change.urn) ?? "");
    if (!isLeft || change.stays !== undefined) return change;
    if (change.op === "replace") return { ...change, reason: change.reason ?? { code: "old stays", stay: STAY } };
    return { ...change, stays: STAY, reason: { code: "stays", stay: STAY } };
  });
}

/** What of the old objects a plan leaves in the account. */
export function leftBy(changes: readonly Change[]): Set<string> {
  return new Set(
    changes.flatMap(({ urn, stays, reason }) => (stays === STAY || reason?.code === "old stays" ? [urn] : [])),
  );
}

/** The object that a change takes away; undefined where it takes none, or what is gone already. */
function leavesGoing(change: Change, told: ReadonlyMap<string, Told>): ObjectKey | undefined {
  const { op, type, stays, urn } = change;
  const isGone = told.get(urn)?.live === null;
  const goes = op === "delete" && stays !== "in place" && !isGone;
  const id = op === "replace" ? stepOf(told.get(urn), op)?.old?.id : goes ? change.id : undefined;
  return id === undefined ? undefined : keyOfType(type, id);
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
    const place = publicPlaceOf(stepOf(told.get(urn), op)?.old?.outputs ?? {});
    if (place === undefined || !wanted.has(place)) return change;
    return { ...change, reason: { ...reason, movesAside: true } };
  });
}

function stepOf(told: Told | undefined, op: Change["op"]): StepEventMetadata | undefined {
  return told && op !== "delete" ? decisive(told.steps, op) : undefined;
}

/** Of outputs; undefined where it isn't public. */
export function publicPlaceOf({ status, siteId, slug }: PropertyMap): string | undefined {
  return status === "published" ? placeOf({ siteId: siteId ?? null, slug: slug ?? null }) : undefined;
}

/** Undefined where it isn't known yet. */
export function placeOf(publish: Json | undefined): string | undefined {
  if (!isRecord(publish)) return undefined;
  const { siteId, slug } = publish;
  return typeof siteId === "string" ? `${siteId}/${normalSlug(typeof slug === "string" ? slug : "")}` : undefined;
}

function adopted(type: string, fields: Change["fields"]): ObjectKey[] {
  return fields.flatMap(({ path, new: id }) =>
    path.join() === "adoptId" && typeof id === "string" ? [keyOfType(type, id)] : [],
  );
}
