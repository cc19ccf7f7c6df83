/**
 * What killed runs had written over when the run that is undone carried on with them: it found their values in place, and
 * what was there before is kept with them alone. Pure.
 */
import type { Kept } from "../../provider/history/kept.ts";
import { ownOf } from "../history/changes.ts";
import type { RunRecord, RunValues } from "../history/run-file.ts";

/** Those right before it that came to no end, the last one first. An undo carries on with the same undo alone: what it is about, it takes back. */
export function killedBefore(runs: readonly RunRecord[], run: RunRecord): RunRecord[] {
  const { undoes } = run.start;
  const earlier = runs.slice(runs.indexOf(run) + 1);
  const ended = earlier.findIndex(({ end }) => end !== undefined);
  const killed = earlier.slice(0, ended === -1 ? earlier.length : ended);
  return undoes === undefined ? killed : killed.filter(({ start }) => start.undoes === undoes);
}

/** The first to write has the values that were there: what stands last counts. */
export function carriedOver(values: RunValues, killed: readonly RunValues[]): RunValues {
  const objects = new Set((values.after ?? []).flatMap((state) => objectOf(ownOf(state), state.id)));
  const isSame = ({ own, id, step }: Kept): boolean =>
    step !== "delete" && objectOf(own, id).some((object) => objects.has(object));
  return { ...values, kept: [...values.kept, ...killed.flatMap(({ kept }) => kept.filter(isSame))] };
}

function objectOf(own: string | undefined, id: string | undefined): string[] {
  return own === undefined || own === "" || id === undefined ? [] : [`${own} ${id}`];
}
