/** A run that is taken back, as what an engine is to run in place of the program. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nameOf } from "../../engine/index.ts";
import { newKey, seal } from "../../provider/history/kept.ts";
import { type Replay, REPLAY_VARIABLE } from "../../provider/pulumi/replayed.ts";
import type { RunRequest } from "../engines/contract.ts";
import { CommandError, NothingLeftError, RefusedError, UsageError } from "../exit/codes.ts";
import { ownModule } from "../project/package.ts";
import type { Report, UndoneRun } from "../report/model.ts";
import { failureCode } from "../exit/report.ts";
import type { StackSession } from "../run/session.ts";
import { prepare, type Prepared } from "./prepare.ts";
import { conflictText, shownUndo, undoneRun } from "./shown.ts";
import { type SettledStep, UNKEPT } from "./undo-plan.ts";

export interface Undoing {
  /** Of the run. */
  readonly id: string;
  readonly steps: readonly SettledStep[];
  readonly request: Pick<RunRequest, "program" | "targets" | "restore">;
  /** The engine's report with what is written beside what the state declares. */
  readonly shown: (report: Report) => Report;
}

interface PreparedUndo extends Prepared {
  readonly undone: UndoneRun;
  /** The plan that takes the run back was reviewed. */
  readonly isReviewed: boolean;
}

/** `reviewed`: the run that a reviewed plan takes back; `wanted`: the one that was asked for, or else the last. */
export async function prepareUndo(
  session: StackSession,
  wanted: string | undefined,
  reviewed: string | undefined,
): Promise<PreparedUndo> {
  const isReviewed = reviewed !== undefined;
  const prepared = await prepare(session, reviewed ?? wanted).catch((error: unknown) => {
    // A run that the history no longer has is no fault of who applies what was reviewed.
    throw isReviewed && error instanceof UsageError ? new RefusedError(error.message) : error;
  });
  const { run, plan, undo } = prepared;
  if (isReviewed && wanted !== undefined && !run.start.id.startsWith(wanted))
    throw new RefusedError(`the plan takes back the run ${run.start.id}, and not ${wanted}`);
  const lost = plan.lost.map((one) => ({ ...one, text: session.advised(one.text) }));
  return { ...prepared, isReviewed, undone: session.redactor.value(undoneRun(run, undo.conflicts, lost)) };
}

/** Undefined where nothing is left to undo. `isLook`: the state is told nothing, either. */
export async function withUndoing<Result>(
  session: StackSession,
  prepared: PreparedUndo,
  { isLook, skipConflicts }: { isLook: boolean; skipConflicts: boolean },
  work: (undoing: Undoing) => Promise<Result>,
): Promise<Result | undefined> {
  const { undo: settled, findings, undone } = prepared;
  if (undone.conflicts.length > 0 && !skipConflicts) throw new RefusedError(conflictsText(undone));
  if (settled.steps.length > 0) await forgetGone(session, settled.gone, isLook);
  // Without targets it would be all of the stack.
  if (settled.steps.length === 0 || settled.targets.length === 0) {
    await refuseOpen(session, prepared);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), "landform-undo-"));
  try {
    const shown = (report: Report): Report =>
      session.redactor.value({ ...shownUndo(report, settled, findings), undone });
    return await work({ id: undone.id, steps: settled.steps, request: replayIn(folder, prepared), shown });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run that was killed may have deleted what the state still holds. That is no change of the account. */
async function forgetGone(session: StackSession, gone: readonly string[], isLook: boolean): Promise<void> {
  if (gone.length === 0) return;
  const request: RunRequest = { kind: "refresh", targets: [...gone], dryRun: isLook };
  const { report } = await session.run("refresh", request, { quiet: true });
  if (report.result === "succeeded") return;
  const reasons = report.failures.map(({ message }) => message);
  throw new CommandError(failureCode(report, { sent: false }), reasons.join("\n") || "the refresh was stopped");
}

/** One key for the replay, for what is put back, and for the history of the undo itself. */
function replayIn(folder: string, { undo: { replay, restore, targets } }: Prepared): Undoing["request"] {
  const key = newKey();
  const file = join(folder, "replay");
  writeFileSync(file, seal(key, replay satisfies Replay), { mode: 0o600 });
  const program = { entry: ownModule("provider/pulumi/replay"), typescript: false, env: { [REPLAY_VARIABLE]: file } };
  return { program, targets: [...targets], restore: { values: restore, key } };
}

export function nothingLeftOf({ id }: UndoneRun): string {
  return `There is nothing left of run ${id} to undo.`;
}

/** What a killed run was at, no state tells: an undo can't take that back. */
async function refuseOpen({ engine, advised }: StackSession, { undone, isReviewed }: PreparedUndo): Promise<void> {
  const nothing = nothingLeftOf(undone);
  const creations = await engine.underWay();
  const namesOf = (all: typeof creations): string => all.map(({ urn }) => nameOf(urn)).join(", ");
  const adopted = creations.filter(({ inputs }) => typeof inputs?.["adoptId"] === "string");
  if (adopted.length > 0) {
    const ways = advised(
      "npx landform up carries on with it, and npx landform undo then gives back what was there before.",
    );
    throw new RefusedError(
      `${nothing.replace("nothing left", "nothing in the state")} But a killed run was taking over ${namesOf(adopted)}, and may have written to it: ${ways}`,
    );
  }
  if (creations.length > 0) {
    const ways = advised(
      "npx landform up carries on with it, or removes it where the code no longer declares it; npx landform destroy takes it along.",
    );
    throw new RefusedError(
      `${nothing} But a killed run was creating ${namesOf(creations)}, and no state tells what became of it: ${ways}`,
    );
  }
  if (isReviewed) throw new NothingLeftError(`${nothing} Nothing was sent`);
}

function conflictsText({ conflicts }: UndoneRun): string {
  const lines = conflicts.map((conflict) => `  - ${conflictText(conflict)}`);
  const unkept = conflicts.filter(({ why }) => why === UNKEPT);
  return [
    "what is to be undone was changed since, and nothing was sent:",
    ...lines,
    ...(unkept.length > 0 ? [NOT_IN_HISTORY] : []),
    unkept.length === conflicts.length
      ? "Or undo the rest with --skip-conflicts."
      : "Undo that first (npx landform history tells of later runs), or undo the rest with --skip-conflicts.",
  ].join("\n");
}

const NOT_IN_HISTORY =
  "Plain pulumi keeps no history, and a run with another place for it (LANDFORM_HISTORY, landform:history) has it there: undo can't take that back from here. " +
  "Put the values that are to be into the code, and npx landform up brings them.";
