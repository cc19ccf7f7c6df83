/** Killed runs right before an undone run: their work is taken back with it. Pure. */
import type { ResourceState } from "../../engine/index.ts";
import type { Kept } from "../../provider/history/kept.ts";
import { resourceKeyOf } from "../history/changes.ts";
import type { RunRecord, RunValues } from "../history/run-file.ts";
import type { RunOfHistory } from "./plan.ts";

/** Returns the runs right before it that have no end, the last one first. An up continues ups, and an undo continues the same undo. */
export function killedBefore(runs: readonly RunRecord[], run: RunRecord): RunRecord[] {
  const earlier = runs.slice(runs.indexOf(run) + 1);
  const ended = earlier.findIndex(({ end }) => end !== undefined);
  const killed = earlier.slice(0, ended === -1 ? earlier.length : ended);
  return killed.filter(({ start }) => start.undoes === run.start.undoes);
}

/**
 * Adds what killed runs had done before it, the last one first: the undo goes back to before the first of them. The first run that writes has
 * the original values, so the last entry counts.
 */
export function carriedOver(values: RunValues, killed: readonly RunOfHistory[]): RunValues {
  const before = killed.reduce((states, one) => statesBefore(one, states), values.before);
  const objects = (states: readonly ResourceState[]): Set<string> =>
    new Set(states.flatMap((state) => objectOf(resourceKeyOf(state), state.id)));
  const [then, left] = [objects(before), objects(values.after ?? [])];
  const carried = objects(killed.flatMap((one) => one.values.before));
  const isSame = ({ resourceKey, id, step }: Kept): boolean => {
    const [object = ""] = objectOf(resourceKey, id);
    return step === "delete" ? then.has(object) && !left.has(object) : left.has(object) || carried.has(object);
  };
  return { ...values, before, kept: [...values.kept, ...killed.flatMap((one) => one.values.kept.filter(isSame))] };
}

/** Returns the states before a killed run, and of the resources that it did not touch, those before the run after it. */
function statesBefore(killed: RunOfHistory, next: readonly ResourceState[]): ResourceState[] {
  const touched = new Set(urnsOf(killed));
  const { before } = killed.values;
  const isThere = ({ type, id = "" }: ResourceState): boolean =>
    id !== "" && before.some((one) => one.type === type && one.id === id);
  return [...before, ...next.filter((state) => !touched.has(state.urn) && !isThere(state))];
}

export function urnsOf({ values, urns = [] }: RunOfHistory): string[] {
  return [...urns, ...values.before.map(({ urn }) => urn)];
}

function objectOf(own: string | undefined, id: string | undefined): string[] {
  return own === undefined || own === "" || id === undefined ? [] : [`${own} ${id}`];
}
