/** Turns a run that is taken back into a program for the engine. */
import { refuseUnread, unreadText, existing, findRun } from "../history/history.ts";
import { ownModule } from "../project/package.ts";
import { secretTextsIn } from "../engines/secret-texts.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REPLAY_VARIABLE, type Replay } from "../../provider/pulumi/replayed.ts";
import { NothingLeftError, RefusedError, UsageError, CommandError, exitCodes } from "../exit/codes.ts";
import {
  isDefaultProvider,
  isRootStack,
  nameOf,
  type PropertyMap,
  type ResourceState,
  typeOf,
} from "../../engine/index.ts";
import { newKey, seal } from "../../provider/history/kept.ts";
import type { RunRequest } from "../engines/contract.ts";
import type { Advice, Report, UndoneRun } from "../report/model.ts";
import type { StackSession } from "../run/session.ts";
import { conflictText, shownUndo, undoneRun } from "./shown.ts";
import { isRestored, UNKEPT, type SettledStep, type Conflict, type Lost, type UndoPlan } from "./undo-plan.ts";
import { UnknownAccountError, WrongAccountError } from "../../provider/messages/errors.ts";
import { pairsOf } from "../history/changes.ts";
import { KeyRing, valuesOf } from "../history/keys.ts";
import { historyOf } from "../history/place.ts";
import type { RunRecord, RunValues } from "../history/run-file.ts";
import { followersOf } from "./followers.ts";
import { lookAt, stillEdited } from "./look.ts";
import { asWritten, shortName } from "../report/steps.ts";
import { titleOf } from "../report/words.ts";
import { listed } from "../../provider/values/wording.ts";
import { carriedOver, killedBefore, urnsOf } from "./killed-before.ts";
import { planUndo, type RunOfHistory } from "./plan.ts";
import {
  forgotten,
  forgottenIn,
  onlyPublished,
  publishedFor,
  staysForgotten,
  staysPublic,
  withHeld,
} from "./still-there.ts";
import { settle, type Undo } from "./settle.ts";

export interface Undoing {
  /** The id of the run. */
  readonly id: string;
  readonly steps: readonly SettledStep[];
  readonly request: Pick<RunRequest, "program" | "targets" | "restore">;
  /** True if it goes back to the result of a program's last run, so that the program has to say nothing else. A manifest tells that itself. */
  readonly isAsCode: boolean;
  /** Adds the values that are written beside the declared ones to the engine's report. */
  readonly shown: (report: Report) => Report;
}

/** `run`: the last one by default. `skipsConflicts`: undoes the rest where something was changed since. */
export interface Undoes {
  readonly run: string | undefined;
  readonly skipsConflicts: boolean;
}

/** Finds out what to take back, and refuses what stands against it. Without steps, nothing is left to undo. */
export async function undoingFor(
  session: StackSession,
  { saved, undoes }: { readonly saved?: { readonly undoes?: string | undefined }; readonly undoes?: Undoes },
): Promise<Undoing> {
  const [wanted, reviewed] = [undoes?.run, saved?.undoes];
  const prepared = await prepare(session, reviewed ?? wanted).catch((error: unknown) => {
    if (error instanceof WrongAccountError || error instanceof UnknownAccountError)
      throw new RefusedError(error.message);
    // The history may have dropped the run. The person who applies the reviewed plan did nothing wrong.
    throw reviewed !== undefined && error instanceof UsageError
      ? new RefusedError(error.message, { advice: error.advice })
      : error;
  });
  const { run, lost, undo, findings, waiting, isAsCode } = prepared;
  const { id } = run.start;
  if (reviewed !== undefined && wanted !== undefined && !id.startsWith(wanted))
    throw new RefusedError(`the plan takes back the run ${id}, and not ${wanted}`);
  const whole = session.redactor.value(undoneRun(run, undo.conflicts, lost));
  if (whole.conflicts.length > 0 && undoes?.skipsConflicts !== true)
    throw new RefusedError(conflictsText(whole), { advice: whole.conflicts.every(isUnkept) ? [] : [LATER_RUNS] });
  // Without targets it would cover the whole stack.
  const steps = undo.targets.length === 0 ? [] : undo.steps;
  if (steps.length === 0 && reviewed !== undefined)
    throw new NothingLeftError(`There is nothing left of run ${id} to undo. Nothing was sent`);
  const undone: UndoneRun = { ...whole, ...(steps.length === 0 && { nothingLeft: true, waiting }) };
  const shown = (report: Report): Report => session.redactor.value({ ...shownUndo(report, undo, findings), undone });
  return { id, steps, isAsCode, shown, request: steps.length === 0 ? {} : replayIn(session, undo) };
}

/** One key seals the replay, the values that go back, and the history of the undo itself. */
function replayIn(session: StackSession, { replay, restore, targets }: Undo): Undoing["request"] {
  const folder = mkdtempSync(join(tmpdir(), "landform-undo-"));
  session.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const key = newKey();
  const file = join(folder, "replay");
  writeFileSync(file, seal(key, replay satisfies Replay), { mode: 0o600 });
  const program = { entry: ownModule("provider/pulumi/replay"), typescript: false, env: { [REPLAY_VARIABLE]: file } };
  return { program, targets: [...targets], restore: { values: restore, key } };
}

function conflictsText({ conflicts }: UndoneRun): string {
  const lines = conflicts.map((conflict) => `  - ${conflictText(conflict)}`);
  const unkept = conflicts.filter(isUnkept);
  return [
    "somebody or a later run has changed what this undo would take back. Nothing was sent:",
    ...lines,
    ...(unkept.length > 0 ? [NOT_IN_HISTORY] : []),
    unkept.length === conflicts.length
      ? "Or undo the rest with --skip-conflicts."
      : "Undo that first, or undo the rest with --skip-conflicts.",
  ].join("\n");
}

function isUnkept({ why }: UndoneRun["conflicts"][number]): boolean {
  return why === UNKEPT;
}

const LATER_RUNS: Advice = { command: "history", arguments: [], reason: "tells of later runs." };

const NOT_IN_HISTORY =
  "Plain pulumi keeps no history, and a run with another place for it (LANDFORM_HISTORY, landform:history) has it there: undo can't take that back from here. " +
  "Put the values that you want into the code, and run up.";

/**
 * `lost`: the values and objects that do not come back. `waiting`: the pages that the last undo of the run held back. `isAsCode`: as in
 * Undoing.
 */
async function prepare(session: StackSession, wanted: string | undefined) {
  const { engine, folder } = session;
  const { runs, unread } = await (await historyOf(engine, folder)).runs();
  refuseUnread(runs, unread, wanted);
  const run = chosenRun(runs, wanted, folder.stack);
  const keys = new KeyRing(folder, engine);
  const states = await engine.states();
  if (states === undefined)
    throw new CommandError(exitCodes.failed, "the state can't be read, so nothing can be undone");
  const now = states.map(asWritten);
  await refuseInterrupted(session);
  session.unsaved.refuse("undo");
  const kept = async (one: RunRecord): Promise<RunValues> => asWrittenIn(await valuesOf(one, keys));
  const own = await kept(run);
  // No state has the secrets of that time any more.
  session.redactor.learn(secretTextsIn([own.before, own.after], undefined));
  const withUrns = async (one: RunRecord): Promise<RunOfHistory> => ({ values: await kept(one), urns: one.start.urns });
  const killed = await Promise.all(killedBefore(runs, run).map(withUrns));
  const values = carriedOver(own, killed);
  // A run that ended has recorded its own result, but not that of the killed runs before it.
  const isWhole = values.after !== undefined && killed.length === 0;
  const later = isWhole ? [] : runs.slice(0, runs.indexOf(run)).reverse();
  const [hidden] = values.after === undefined ? unread.filter(({ id }) => id > run.start.id) : [];
  if (hidden) throw new UsageError(`${unreadText(hidden)}, and what it changed is not known`);
  const since = await Promise.all(later.map(withUrns));
  const carried = killed.flatMap(urnsOf);
  const undone = runs.filter(({ start }) => start.undoes === run.start.id);
  const remade = new Set(undone.flatMap(remadeBy));
  const isRemade = (type: string, name: string): boolean => remade.has(`${type}/${name}`);
  const isReplaced = (type: string, name: string): boolean =>
    run.end?.changes.some((one) => one.op === "replace" && one.type === type && one.name === name) === true;
  const isDeclared = declaredBefore(runs, run);
  const plan = planUndo({ values, urns: run.start.urns, carried, later: since, now, isRemade, isReplaced, isDeclared });
  const published = publishedFor(values, runs.slice(runs.indexOf(run) + 1), now).filter(
    ({ writtenBy }) => writtenBy === undefined || !runs.some(({ start }) => start.undoes === writtenBy),
  );
  if (plan.steps.length + plan.conflicts.length === 0 && published.length > 0) throw onlyPublished(run, published);
  const isHidden = unread.some(({ id }) => id > run.start.id);
  const newer = runs.slice(0, runs.indexOf(run));
  const lostToState = isHidden ? [] : forgottenIn(plan.values, now, knownOf(plan, newer));
  if (plan.steps.length + plan.conflicts.length === 0 && lostToState.length > 0)
    throw forgotten(run.start.id, lostToState);
  const findings = await lookAt(session, plan.steps);
  const { followers, lost } = await withHeld(session, followersOf(plan.steps, now));
  const following = { followers, findings: await lookAt(session, followers) };
  const settled = settle(plan, findings, now, outputsOf(plan.values), following);
  const undo = isHidden ? settled : { ...settled, conflicts: withUnkept(settled.conflicts, newer, values) };
  const stays = [
    ...undo.staying,
    ...published.filter((one) => !comesBack(one, undo.steps)).map((one) => staysPublic(one, session.advised)),
    ...lostToState.map(staysForgotten),
  ];
  const held = (undone[0]?.end?.changes ?? []).filter(
    ({ type, held: by }) => by !== undefined && definitionOf(type)?.gathers === undefined,
  );
  const named = held.map(({ type, name }) => ({ type, name }));
  const waiting = undo.targets.length === 0 ? await stillEdited(session, named, now) : named;
  const isAsCode = folder.manifest === undefined && isAfterCode(runs, run);
  return { run, lost: [...plan.lost, ...lost, ...stays], findings, undo, waiting, isAsCode };
}

function asWrittenIn({ before, after, ...values }: RunValues): RunValues {
  return { ...values, before: before.map(asWritten), after: after?.map(asWritten) };
}

/** Tells if the undo gives visitors the page's earlier values again. */
function comesBack({ type, name }: Pick<Lost, "type" | "name">, steps: readonly SettledStep[]): boolean {
  return steps.some((step) => step.type === type && step.name === name && step.due.some(isRestored));
}

/** Refuses after a killed run: neither the state nor the history tells what became of its open operations. The next run looks and finishes them. */
async function refuseInterrupted({ engine }: StackSession): Promise<void> {
  const open = [...(await engine.underWay()).map(({ urn }) => urn), ...(await engine.looksFirstAt())];
  if (open.length === 0) return;
  const objects = [...new Set(open)].filter((urn) => !isRootStack(urn) && !isDefaultProvider(urn));
  const names = listed(
    objects.map((urn) => titleOf({ type: shortName(typeOf(urn)), name: nameOf(urn) })),
    MOST_NAMED,
  );
  throw new RefusedError(
    `a run did not come to its end, and only the next run can tell what became of ${objects.length === 0 ? "its work" : names}. Nothing was sent`,
    {
      advice: [
        { command: "up", arguments: [], reason: "carries on with it, and applies the code as it is." },
        {
          command: "undo",
          arguments: [],
          reason: "then takes back that up; with the id of the killed run, it takes back the killed run.",
        },
      ],
    },
  );
}

const MOST_NAMED = 5;

/**
 * Adds conflicts with a run of plain `pulumi`, which changes the state and keeps no history. `later`: the runs that could have made the
 * change instead.
 */
function withUnkept(conflicts: readonly Conflict[], later: readonly RunRecord[], values: RunValues): Conflict[] {
  const pairs = pairsOf(values.before, values.after ?? []);
  const renamed = new Map(
    pairs.flatMap(({ before, after }) => (before && after ? [[before.urn, after.urn] as const] : [])),
  );
  const isKept = (urn: string): boolean => isReached(urn, later) || isReached(renamed.get(urn) ?? urn, later);
  return conflicts.map((one) =>
    one.code === "changed by a later run" && !isKept(one.urn) ? { ...one, code: UNKEPT } : one,
  );
}

/** A run without a plan may have reached anything. */
function isReached(urn: string, runs: readonly RunRecord[]): boolean {
  return runs.some(({ start: { urns } }) => urns?.includes(urn) ?? true);
}

function knownOf({ steps, conflicts }: UndoPlan, later: readonly RunRecord[]): (urn: string) => boolean {
  const told = new Set([...steps, ...conflicts].map(({ urn }) => urn));
  return (urn) => told.has(urn) || isReached(urn, later);
}

/** `Page/offer` */
function remadeBy({ start: { planned = [] } }: RunRecord): string[] {
  const made = planned.filter(({ op, perhaps }) => op === "create" || op === "replace" || perhaps === "replace");
  return made.map(({ type, name }) => `${type}/${name}`);
}

/**
 * Tells of resources that the run deleted if the last run of the code declared them. To destroy and to undo runs no code: the code declared
 * what was there when they began. `runs`: the last one first.
 */
function declaredBefore(runs: readonly RunRecord[], run: RunRecord): (type: string, name: string) => boolean {
  const last = runs.findIndex(({ start }) => start.command === "up");
  const since = runs.slice(runs.indexOf(run), last === -1 ? runs.length : last);
  return (type, name) => {
    const changes = since.toReversed().flatMap(({ start, end }) => end?.changes ?? start.planned ?? []);
    const first = changes.find((one) => one.type === type && one.name === name);
    return first !== undefined && first.op !== "create" && first.op !== "adopt";
  };
}

/** Tells if the run before was the last one of the code, and put all of it into the account. `runs`: the last one first. */
function isAfterCode(runs: readonly RunRecord[], run: RunRecord): boolean {
  const last = runs.findIndex(({ start }) => start.command === "up");
  const { end } = runs[last] ?? {};
  return last === runs.indexOf(run) + 1 && end?.result === "succeeded" && (end.held ?? 0) === 0;
}

/** The stack has no outputs before its first run and after a destroy. Nobody knows those that a killed run left. */
function outputsOf({ before, after }: RunValues): Parameters<typeof settle>[3] {
  const outputs = (states: readonly ResourceState[]): PropertyMap =>
    states.find(({ urn }) => isRootStack(urn))?.outputs ?? {};
  return after && { before: outputs(before), after: outputs(after) };
}

/**
 * Returns the last run if none is named. An undo that did not end is continued: the run that it was undoing is chosen. `runs`: the last one
 * first.
 */
function chosenRun(runs: readonly RunRecord[], wanted: string | undefined, stack: string): RunRecord {
  if (wanted !== undefined) return findRun(runs, wanted, stack);
  const [last] = runs;
  if (last === undefined) throw new UsageError(`there is nothing to undo in the stack ${stack}. ${existing(runs)}`);
  const { start, end } = last;
  const isDone = end?.result === "succeeded" && (end.held ?? 0) === 0;
  const carriedOn = start.undoes !== undefined && !isDone;
  return (carriedOn ? runs.find((run) => run.start.id === start.undoes) : undefined) ?? last;
}
