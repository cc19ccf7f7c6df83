/** Everything that has to be read before an undo can be planned, and the undo that comes of it. */
import { isRootStack, type ResourceState } from "../../engine/index.ts";
import { UnknownAccountError, WrongAccountError } from "../../provider/messages/errors.ts";
import { CommandError, exitCodes, RefusedError, UsageError } from "../exit/codes.ts";
import { pairsOf, ownOf } from "../history/changes.ts";
import { refuseUnread, unreadText, existing, findRun } from "../history/find.ts";
import { KeyRing, valuesOf } from "../history/keys.ts";
import { historyOf } from "../history/place.ts";
import type { RunRecord, RunValues } from "../history/run-file.ts";
import { secretTextsIn } from "../project/secrets.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { StackSession } from "../run/session.ts";
import { followersOf } from "./followers.ts";
import { lookAt, type Finding } from "./look.ts";
import { planUndo, withNewIds } from "./plan.ts";
import { onlyPublished, publishedFor, staysPublic } from "./published-for.ts";
import { UNKEPT, type Conflict, type UndoPlan } from "./undo-plan.ts";
import { settle, type Undo } from "./settle.ts";
import { staysUnknown, stillThere, unknownText, withHeld, withUndeleted } from "./still-there.ts";
import type { Kept } from "../../provider/history/kept.ts";

export interface Prepared {
  readonly run: RunRecord;
  readonly plan: UndoPlan;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly undo: Undo;
}

export async function prepare(session: StackSession, wanted: string | undefined): Promise<Prepared> {
  const { engine, folder } = session;
  const { runs, unread } = await (await historyOf(engine, folder)).runs();
  refuseUnread(runs, unread, wanted);
  const run = chosenRun(runs, wanted, folder.stack);
  const keys = new KeyRing(folder, engine);
  const now = await engine.states();
  if (now === undefined) throw new CommandError(exitCodes.failed, "the state can't be read, so nothing can be undone");
  const own = await refusing(withUndeleted(session, await valuesOf(run, keys), now));
  // What was secret then, no state has any more.
  session.redactor.learn(secretTextsIn([own.before, own.after], undefined));
  const killed = killedBefore(runs, run);
  const values = carriedOver(own, await Promise.all(killed.map((one) => valuesOf(one, keys))));
  // What a run left that came to its end, it says itself.
  const later = values.after === undefined ? runs.slice(0, runs.indexOf(run)).reverse() : [];
  const [hidden] = values.after === undefined ? unread.filter(({ id }) => id > run.start.id) : [];
  if (hidden) throw new UsageError(`${unreadText(hidden)}, and what it changed is not known`);
  const since = await Promise.all(
    later.map(async (one) => ({ values: await valuesOf(one, keys), urns: one.start.urns })),
  );
  const undone = runs.filter(({ start }) => start.undoes === run.start.id);
  const remade = new Set(undone.flatMap(remadeBy));
  const isRemade = (type: string, name: string): boolean => remade.has(`${type}/${name}`);
  const undoing = withNewIds({ values, urns: run.start.urns, later: since, now, isRemade, definitionOf });
  const plan = planUndo(undoing);
  const published = publishedFor(values, runs.slice(runs.indexOf(run) + 1), now).filter(
    ({ writtenBy }) => writtenBy === undefined || !runs.some(({ start }) => start.undoes === writtenBy),
  );
  if (plan.steps.length + plan.conflicts.length === 0 && published.length > 0)
    throw new UsageError(onlyPublished(run, published));
  const isHidden = unread.some(({ id }) => id > run.start.id);
  const newer = runs.slice(0, runs.indexOf(run));
  const there = isHidden ? [] : await refusing(stillThere(session, undoing.values, now, knownOf(plan, newer)));
  if (plan.steps.length + plan.conflicts.length === 0 && there.length > 0)
    throw new RefusedError(unknownText(run.start.id, there));
  const findings = await refusing(lookAt(session, plan.steps));
  const { followers, lost } = await refusing(withHeld(session, followersOf(plan.steps, now, definitionOf)));
  const following = { followers, findings: await refusing(lookAt(session, followers)) };
  const settled = settle(plan, findings, now, outputsOf(values), following);
  const known = isHidden ? settled.conflicts : withUnkept(settled.conflicts, newer, values);
  const undo = { ...settled, conflicts: known };
  const told = [...plan.lost, ...lost, ...undo.staying, ...published.map(staysPublic), ...there.map(staysUnknown)];
  return { run, plan: { ...plan, lost: told }, findings, undo };
}

/** A run of plain `pulumi` changes the state, and keeps no history that could be undone. `later`: the runs that it could have been. */
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

/** Without a plan a run may have come to anything. */
function isReached(urn: string, runs: readonly RunRecord[]): boolean {
  return runs.some(({ start: { urns } }) => urns?.includes(urn) ?? true);
}

function knownOf({ steps, conflicts }: UndoPlan, later: readonly RunRecord[]): (urn: string) => boolean {
  const told = new Set([...steps, ...conflicts].map(({ urn }) => urn));
  return (urn) => told.has(urn) || isReached(urn, later);
}

function refusing<T>(look: Promise<T>): Promise<T> {
  return look.catch((error: unknown) => {
    const isOther = error instanceof WrongAccountError || error instanceof UnknownAccountError;
    throw isOther ? new RefusedError(error.message) : error;
  });
}

/** `Page/offer` */
function remadeBy({ start: { planned = [] } }: RunRecord): string[] {
  const made = planned.filter(({ op, perhaps }) => op === "create" || op === "replace" || perhaps === "replace");
  return made.map(({ type, name }) => `${type}/${name}`);
}

function outputsOf({ before, after }: RunValues): Parameters<typeof settle>[3] {
  const root = (states: readonly ResourceState[] | undefined): ResourceState | undefined =>
    states?.find(({ urn }) => isRootStack(urn));
  const left = root(after);
  return left && { before: root(before)?.outputs ?? {}, after: left.outputs ?? {} };
}

/**
 * The last run, where none is named. An undo that did not come to its end is carried on with: what it is about is the run
 * that it was about. `runs`: the last one first.
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

/** Those right before it that came to no end, the last one first. An undo carries on with the same undo alone: what it is about, it takes back. */
function killedBefore(runs: readonly RunRecord[], run: RunRecord): RunRecord[] {
  const { undoes } = run.start;
  const earlier = runs.slice(runs.indexOf(run) + 1);
  const ended = earlier.findIndex(({ end }) => end !== undefined);
  const killed = earlier.slice(0, ended === -1 ? earlier.length : ended);
  return undoes === undefined ? killed : killed.filter(({ start }) => start.undoes === undoes);
}

/** The first to write has the values that were there: what stands last counts. */
function carriedOver(values: RunValues, killed: readonly RunValues[]): RunValues {
  const objects = new Set((values.after ?? []).flatMap((state) => objectOf(ownOf(state), state.id)));
  const isSame = ({ own, id, step }: Kept): boolean =>
    step !== "delete" && objectOf(own, id).some((object) => objects.has(object));
  return { ...values, kept: [...values.kept, ...killed.flatMap(({ kept }) => kept.filter(isSame))] };
}

function objectOf(own: string | undefined, id: string | undefined): string[] {
  return own === undefined || own === "" || id === undefined ? [] : [`${own} ${id}`];
}
