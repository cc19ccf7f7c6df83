/** Shows the engine's plan of an undo together with the values that are written beside the declared ones. Pure. */
import type { RunRecord } from "../history/run-file.ts";
import { formatPath } from "../../engine/index.ts";
import { type Learned, withLearned } from "../report/decide.ts";
import type { Change, Field, Report, UndoneRun } from "../report/model.ts";
import { cut } from "../report/text.ts";
import { shown } from "../report/values.ts";
import type { Finding } from "./look.ts";
import { leafKey, type Leaf } from "./leaves.ts";
import type { Conflict, Lost, SettledStep, Write } from "./undo-plan.ts";
import type { Undo } from "./settle.ts";

export function shownUndo(report: Report, undo: Undo, findings: ReadonlyMap<string, Finding>): Report {
  const steps = new Map(undo.steps.map((step) => [step.now?.urn ?? step.urn, step]));
  const rows = report.changes.flatMap((change) => {
    const step = steps.get(change.urn);
    return step === undefined ? [] : [[change.urn, restoredIn(change, step, findings)] as const];
  });
  const { unmanaged, ...rest } = report;
  return withLearned(rest, new Map(rows));
}

function restoredIn(change: Change, step: SettledStep, findings: ReadonlyMap<string, Finding>): Learned {
  const restored = step.due.flatMap((write) => [
    ...(write.restore && !write.unpublished ? [fieldOf(write, findings.get(step.urn))] : []),
    ...draftField(write),
  ]);
  const paths = new Set(restored.map(({ path }) => formatPath(path)));
  const others = change.fields.filter(({ path, stays }) => stays !== true && !paths.has(formatPath(path)));
  const fields = [...others, ...restored];
  if (step.kind === "let go") return { fields, stays: "in place", reason: { code: "given back" } };
  const code = change.reason?.code;
  const carriesOn = (code === "carries on" || code === "publishes held") && restored.length > 0;
  return { fields, ...(carriesOn && { reason: undefined }) };
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
  return now === undefined ? `${what} was ${why}` : `${what} was ${why} (${cut(JSON.stringify(now), LONGEST)})`;
}

const LONGEST = 80;
