/**
 * What somebody has edited since a plan was reviewed, where the plan changes it or takes it away: whoever reviewed it has seen
 * something else.
 */
import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { formatPath, typeOf } from "../../engine/index.ts";
import { editsDigest } from "../../provider/messages/foreign-edits.ts";
import type { RunRequest } from "../engines/types.ts";
import { PlanConflictError } from "../exit/codes.ts";
import { conflictText } from "../report/conflicts.ts";
import type { StateResource } from "../engines/recorded.ts";
import type { Planned } from "../report/build.ts";
import { SECRET, type Change, type Field, type Report } from "../report/model.ts";
import { fieldsBetween } from "../report/values.ts";
import { draftsOfOthers } from "./foreign-edits.ts";
import type { Conflict } from "./agreement.ts";
import type { StackSession } from "../run/session.ts";

/** Of a plan as it was reviewed: what was edited then, by resource. */
interface Reviewed {
  /** On what goes: the digest of each field. */
  goes?: Record<string, Record<string, string>> | undefined;
  /** In drafts: the digest of all. */
  edits?: Record<string, string> | undefined;
}

/** For the plan: what goes takes along what somebody has edited on it, which has to have been there for the reviewer to see. */
export function goingEdits(changes: readonly Change[], told: Planned["told"]): Record<string, Record<string, string>> {
  const going = changes.filter(({ op }) => op === "delete" || op === "replace");
  const edits = going.map(({ urn }) => [urn, editsOn(urn, told)] as const);
  return Object.fromEntries(
    edits.map(([urn, fields]) => [urn, Object.fromEntries(fields.map((one) => [formatPath(one.path), digestOf(one)]))]),
  );
}

function editsOn(urn: string, told: Planned["told"]): Field[] {
  const live = told.get(urn)?.live;
  return live ? fieldsBetween(live.before, live.after) : [];
}

function digestOf({ new: now }: Field): string {
  return createHash("sha256")
    .update(JSON.stringify(now ?? null))
    .digest("hex");
}

/** Of a run that has looked at what exists: refuses where what goes was edited after the review. */
export function refuseGoingEdits({ goes = {} }: Reviewed, { changes }: Report, told: Planned["told"]): void {
  const going = changes.filter(({ op }) => op === "delete" || op === "replace");
  const found = going.flatMap(({ urn, type, name }): Conflict[] =>
    editsOn(urn, told)
      .filter((field) => goes[urn]?.[formatPath(field.path)] !== digestOf(field))
      .map(({ path, old, new: now }) => ({
        ...{ urn, type, name, path, code: "changed by hand" },
        ...(old === undefined ? {} : { reviewed: old }),
        ...(now === undefined ? {} : { now }),
      })),
  );
  if (found.length === 0) return;
  throw new PlanConflictError(
    `somebody has changed by hand what the plan takes away:\n${listed(found)}\n${AGAIN}, with --refresh.`,
    found,
  );
}

/**
 * Refuses where somebody has meanwhile changed by hand what the plan is to change or to take away. Other hand edits are left alone by an update, and are drift. A report that is given back tells why
 * nobody knows.
 */
export async function refuseHandEdits(session: StackSession, plan: Report): Promise<Report | undefined> {
  const touched = plan.changes.filter(({ op }) => TOUCHING.has(op));
  if (touched.length === 0) return undefined;
  const recorded = (await session.engine.records()) ?? [];
  const at = new Map(touched.map((change) => [recordedUrn(change, recorded), change]));
  const request: RunRequest = { kind: "refresh", dryRun: true, targets: [...at.keys()] };
  const { report } = await session.run("refresh", request, { quiet: true });
  if (report.result !== "succeeded") return report;
  const edits = report.changes.flatMap((live): Conflict[] => {
    const change = at.get(live.urn);
    const { urn, type, name, op, fields } = live;
    if (op === "delete") return change?.op === "delete" ? [] : [{ urn, type, name, code: "gone" }];
    const planned = new Set(
      [...(change?.fields ?? []), ...(change?.rendered ?? [])].map(({ path }) => formatPath(path)),
    );
    const changed = change?.op === "update" ? fields.filter(({ path }) => planned.has(formatPath(path))) : fields;
    return changed
      .filter((field) => !isThereAlready(field, change))
      .map(({ path, old, new: now }) => ({
        ...{ urn, type, name, path },
        code: "changed by hand",
        ...(old === undefined ? {} : { reviewed: old }),
        ...(now === undefined ? {} : { now }),
      }));
  });
  if (edits.length === 0) return undefined;
  throw new PlanConflictError(
    `somebody has changed by hand what the plan is to change:\n${listed(edits)}\n${AGAIN}, with --refresh.`,
    edits,
  );
}

/** A refresh knows what is in the state, where one that the plan renames has its former name. */
function recordedUrn({ urn, id }: Change, recorded: readonly StateResource[]): string {
  if (id === undefined || recorded.some((one) => one.urn === urn)) return urn;
  return recorded.find((one) => one.id === id && typeOf(one.urn) === typeOf(urn))?.urn ?? urn;
}

/** The edit was taken over into the code, and that was reviewed: what the update brings is live. */
function isThereAlready({ path, new: live }: Field, change: Change | undefined): boolean {
  const becomes = change?.fields.find((field) => isDeepStrictEqual(field.path, path))?.new;
  if (change?.op !== "update" || live === undefined || JSON.stringify(live).includes(SECRET)) return false;
  return isDeepStrictEqual(becomes, live);
}

/**
 * The same of texts that the content map doesn't show as somebody left them, since it shows what is live: the draft no longer
 * holds what the plan is to change there. A draft that was like that when the plan was made was reviewed with it, and edits
 * beside what the plan changes are held back or included, as the stack's word says.
 */
export function refuseDraftEdits({ edits: reviewed = {} }: Reviewed, plan: Report): void {
  const found = [...draftsOfOthers(plan).values()]
    .filter(({ urn, edits }) => reviewed[urn] !== editsDigest(edits))
    .flatMap(({ urn, type, name, edits }): Conflict[] => {
      const replacing = edits.filter((edit) => edit.kind === "node" && edit.insteadOf !== undefined);
      const keys = new Set(replacing.flatMap((edit) => (edit.kind === "node" ? (edit.insteadOf ?? []) : [])));
      return [...keys].map((key) => ({
        ...{ urn, type, name, path: ["content", key] },
        ...{ code: "edited in its draft", edits: replacing },
      }));
    });
  if (found.length === 0) return;
  throw new PlanConflictError(
    `somebody has edited in drafts what the plan is to change:\n${listed(found)}\n${AGAIN}.`,
    found,
  );
}

const TOUCHING: ReadonlySet<string> = new Set(["update", "replace", "delete"]);

export const AGAIN = "Nothing was sent. Preview again and review the new plan";
const MOST_NAMED = 20;

export function listed(conflicts: readonly Conflict[]): string {
  const more = conflicts.length - MOST_NAMED;
  const lines = conflicts.slice(0, MOST_NAMED).map((conflict) => `  ${conflictText(conflict)}`);
  return [...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n");
}
