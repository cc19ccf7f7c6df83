/** Everything that has to be read before an undo can be planned, and the undo that comes of it. */
import { isRootStack, type ResourceState } from "../../engine/index.ts";
import { WrongAccountError } from "../../provider/lifecycle/errors.ts";
import { CommandError, exitCodes, RefusedError, UsageError } from "../exit/codes.ts";
import { cantOpen } from "../history/find.ts";
import { KeyRing } from "../history/keys.ts";
import { historyOf } from "../history/place.ts";
import { openValues, type RunRecord, type RunValues } from "../history/run-file.ts";
import { definitionOf } from "../../provider/registry.ts";
import type { StackSession } from "../run/session.ts";
import { chosenRun } from "./choose.ts";
import { lookAt, type Finding } from "./look.ts";
import { planUndo } from "./plan.ts";
import type { UndoPlan } from "./undo-plan.ts";
import { settle, type Undo } from "./settle.ts";

export interface Prepared {
  readonly run: RunRecord;
  readonly plan: UndoPlan;
  readonly findings: ReadonlyMap<string, Finding>;
  readonly undo: Undo;
}

export async function prepare(session: StackSession, wanted: string | undefined): Promise<Prepared> {
  const { engine, folder } = session;
  const runs = await (await historyOf(engine, folder)).runs();
  const run = chosenRun(runs, wanted, folder.stack);
  const keys = new KeyRing(folder, engine);
  const opened = async (record: RunRecord): Promise<RunValues> => {
    const key = await keys.open(record.start.key);
    if (key === undefined) throw new UsageError(cantOpen(record));
    return openValues(record, key);
  };
  const values = await opened(run);
  const now = await engine.states();
  if (now === undefined) throw new CommandError(exitCodes.failed, "the state can't be read, so nothing can be undone");
  // What a run left that came to its end, it says itself.
  const later = values.after === undefined ? runs.slice(0, runs.indexOf(run)).reverse() : [];
  const since = await Promise.all(later.map(async (one) => ({ values: await opened(one), urns: one.start.urns })));
  const plan = planUndo({ values, urns: run.start.urns, later: since, now, definitionOf });
  const findings = await lookAt(session, plan.steps).catch((error: unknown) => {
    throw error instanceof WrongAccountError ? new RefusedError(error.message) : error;
  });
  const undo = settle(plan, findings, now, outputsOf(values));
  return { run, plan, findings, undo };
}

function outputsOf({ before, after }: RunValues): Parameters<typeof settle>[3] {
  const root = (states: readonly ResourceState[] | undefined): ResourceState | undefined =>
    states?.find(({ urn }) => isRootStack(urn));
  const left = root(after);
  return left && { before: root(before)?.outputs ?? {}, after: left.outputs ?? {} };
}
