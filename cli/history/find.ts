/** One run of a stack: by its id or the beginning of it, and what its file says of how it ended. */
import { UsageError } from "../exit/codes.ts";
import type { RunResultWord } from "../render/history.ts";
import type { RunRecord } from "./run-file.ts";

const MOST_NAMED = 10;

/** Refuses what names none, or several. */
export function findRun(runs: readonly RunRecord[], wanted: string, stack: string): RunRecord {
  const exact = runs.find(({ start }) => start.id === wanted);
  const found = exact ? [exact] : runs.filter(({ start }) => start.id.startsWith(wanted));
  const [run, second] = found;
  if (run !== undefined && second === undefined) return run;
  if (run === undefined) throw new UsageError(`the stack ${stack} has no run "${wanted}". ${existing(runs)}`);
  throw new UsageError(`"${wanted}" is the beginning of ${found.length} runs: ${idsOf(found)}. Write more of it`);
}

export function existing(runs: readonly RunRecord[]): string {
  return runs.length === 0
    ? "There is no history of it yet: npx landform up and destroy make it."
    : `It has ${idsOf(runs)}.`;
}

function idsOf(runs: readonly RunRecord[]): string {
  const ids = runs.slice(0, MOST_NAMED).map(({ start }) => start.id);
  const more = runs.length - ids.length;
  return `${ids.join(", ")}${more > 0 ? ` and ${more} older ones` : ""}`;
}

/** `isHeld`: another process works on the stack. Only the newest run can be that one's. */
export function resultOf(record: RunRecord, newest: RunRecord | undefined, isHeld: boolean): RunResultWord {
  if (record.end !== undefined) return record.end.result;
  return isHeld && record === newest ? "under way" : "interrupted";
}

export function cantOpen({ start: { id, key } }: RunRecord): string {
  return key.by === "machine"
    ? `the values of run ${id} are sealed with a key of the machine that ran it, and this is another`
    : `the values of run ${id} are sealed with the stack's secrets, which this passphrase doesn't open. Set PULUMI_CONFIG_PASSPHRASE to the one of that run`;
}
