/** Which run an undo is about. Pure. */
import { UsageError } from "../exit/codes.ts";
import { existing, findRun } from "../history/find.ts";
import type { RunRecord } from "../history/run-file.ts";

/**
 * The last run, where none is named. An undo that did not come to its end is carried on with: what it is about is the run
 * that it was about. `runs`: the last one first.
 */
export function chosenRun(runs: readonly RunRecord[], wanted: string | undefined, stack: string): RunRecord {
  if (wanted !== undefined) return findRun(runs, wanted, stack);
  const [last] = runs;
  if (last === undefined) throw new UsageError(`there is nothing to undo in the stack ${stack}. ${existing(runs)}`);
  const { start, end } = last;
  const isDone = end?.result === "succeeded" && (end.held ?? 0) === 0;
  const carriedOn = start.undoes !== undefined && !isDone;
  return (carriedOn ? runs.find((run) => run.start.id === start.undoes) : undefined) ?? last;
}
