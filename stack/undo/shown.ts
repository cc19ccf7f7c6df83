/** Shows the engine's plan of an undo together with the values that are written beside the declared ones. Pure. */
import type { RunRecord } from "../history/run-file.ts";
import { formatPath } from "../../engine/index.ts";
import type { Change, Counts, Field, Report, UndoneRun } from "../report/model.ts";
import { shown } from "../report/values.ts";
import type { Finding } from "./look.ts";
import { leafKey, type Leaf } from "./leaves.ts";
import type { Conflict, Lost, SettledStep, Write } from "./undo-plan.ts";
import type { Undo } from "./settle.ts";

export function shownUndo(report: Report, undo: Undo, findings: ReadonlyMap<string, Finding>): Report {
  const steps = new Map(undo.steps.map((step) => [step.now?.urn ?? step.urn, step]));
  const changes = report.changes.map((change) => withRestored(change, steps.get(change.urn), findings));
  const given = changes.filter(({ reason }) => reason?.code === "given back").length;
  const { unmanaged, ...rest } = report;
  return { ...rest, changes, counts: moved(report.counts, report.changes, changes, given) };
}

function withRestored(change: Change, step: SettledStep | undefined, findings: ReadonlyMap<string, Finding>): Change {
  if (step === undefined) return change;
  const restored = step.due.flatMap((write) => [
    ...(write.restore && !write.unpublished ? [fieldOf(write, findings.get(step.urn))] : []),
    ...draftField(write),
  ]);
  const paths = new Set(restored.map(({ path }) => formatPath(path)));
  const others = change.fields.filter(({ path, stays }) => stays !== true && !paths.has(formatPath(path)));
  const fields = [...others, ...restored];
  const { reason, ...rest } = change;
  if (step.kind === "let go") return { ...rest, fields, stays: "in place", reason: { code: "given back" } };
  const carriesOn = reason?.code === "carries on" && restored.length > 0;
  return { ...rest, fields, ...(reason === undefined || carriesOn ? {} : { reason }) };
}

function fieldOf({ leaf, live, sent }: Write, finding: Finding | undefined): Field {
  const now = finding?.shown.get(leafKey(leaf))?.live ?? sent;
  return {
    path: pathOf(leaf),
    kind: "update",
    ...(now !== undefined && { old: shown(now) }),
    new: shown(live ?? null),
  };
}

/** Shows a text that stays in the draft. Visitors don't see it. */
function draftField({ leaf, live, restore, unpublished, draft }: Write): Field[] {
  const text = draft ?? (restore && unpublished ? live : undefined);
  return text === undefined ? [] : [{ path: ["draft", leaf.key ?? leaf.field], kind: "add", new: shown(text) }];
}

/** Corrects the counts: an object that is given back was counted as deleted. */
function moved(counts: Counts, before: readonly Change[], after: readonly Change[], given: number): Counts {
  const counted = before.filter(
    ({ op, stays }, index) => op === "delete" && stays === undefined && after[index]?.stays !== undefined,
  );
  const delta = Math.min(given, counted.length);
  return { ...counts, delete: counts.delete - delta, left: counts.left + delta };
}

export function pathOf({ field, key }: Leaf): string[] {
  return key === undefined ? [field] : [field, key];
}

export function undoneRun({ start }: RunRecord, conflicts: readonly Conflict[], lost: readonly Lost[]): UndoneRun {
  return {
    ...{ id: start.id, command: start.command, at: start.at, by: start.by.name },
    conflicts: conflicts.map(({ type, name, leaf, code, now }) => ({
      ...{ type, name, ...(leaf && { field: formatPath(pathOf(leaf)) }), why: code },
      ...(now !== undefined && { now: shown(now) }),
    })),
    lost: lost.map(({ type, name, text }) => ({ type, name, text })),
  };
}

/** Returns a conflict as one line. */
export function conflictText({ type, name, field, why, now }: UndoneRun["conflicts"][number]): string {
  const what = field === undefined ? `${type} ${name}` : `${type} ${name}: ${field}`;
  return now === undefined ? `${what} was ${why}` : `${what} was ${why} (${shortened(JSON.stringify(now))})`;
}

const LONGEST = 80;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text;
}
