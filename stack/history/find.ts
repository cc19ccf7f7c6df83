/** Finds one run of a stack by its id or the start of it, and tells its result from its file. */
import { UsageError } from "../exit/codes.ts";
import type { RunRecord, UnreadRun } from "./run-file.ts";

const MOST_NAMED = 10;

/** An empty variable of a job would match every id. */
export function refuseBlankRun(wanted: string | undefined): void {
  if (wanted?.trim() === "")
    throw new UsageError("the id of the run is empty; undo without an id takes back the last one", {
      advice: [{ command: "history", arguments: [], reason: "lists the runs." }],
    });
}

/** Refuses a text that matches no run, or several. */
export function findRun(runs: readonly RunRecord[], wanted: string, stack: string): RunRecord {
  const exact = runs.find(({ start }) => start.id === wanted);
  const found = exact ? [exact] : runs.filter(({ start }) => start.id.startsWith(wanted));
  const [run, second] = found;
  if (run !== undefined && second === undefined) return run;
  if (run === undefined) throw new UsageError(`the stack ${stack} has no run "${wanted}". ${existing(runs)}`);
  throw new UsageError(`"${wanted}" is the beginning of ${found.length} runs: ${idsOf(found)}. Write more of it`);
}

/** Refuses if the wanted run may be one that can't be read: the named run, or else the last one. */
export function refuseUnread(
  runs: readonly RunRecord[],
  unread: readonly UnreadRun[],
  wanted: string | undefined,
): void {
  const [newest] = unread;
  const last = runs[0]?.start.id ?? "";
  const meant = wanted === undefined ? newest : unread.find(({ id }) => id.startsWith(wanted));
  if (meant === undefined || (wanted === undefined && meant.id < last)) return;
  const isOther = wanted !== undefined && runs.some(({ start }) => start.id.startsWith(wanted));
  if (!isOther) throw new UsageError(`${unreadText(meant)}. ${existing(runs)}`);
}

export function unreadText({ id, why }: UnreadRun): string {
  return `run ${id} can't be read: ${why}`;
}

const NONE_YET =
  "There is no history of it here yet: the first up begins it. Where the state came along from another place, LANDFORM_HISTORY names the history there. The history of a renamed stack keeps the stack's former name.";

export function existing(runs: readonly RunRecord[]): string {
  return runs.length === 0 ? NONE_YET : `It has ${idsOf(runs)}.`;
}

function idsOf(runs: readonly RunRecord[]): string {
  const ids = runs.slice(0, MOST_NAMED).map(({ start }) => start.id);
  const more = runs.length - ids.length;
  return `${ids.join(", ")}${more > 0 ? ` and ${more} older ones` : ""}`;
}

export type RunResultWord = "succeeded" | "failed" | "cancelled" | "interrupted" | "under way";

/** `isHeld`: another process works on the stack. Only the newest run can be its run. */
export function resultOf(record: RunRecord, newest: RunRecord | undefined, isHeld: boolean): RunResultWord {
  if (record.end !== undefined) return record.end.result;
  return isHeld && record === newest ? "under way" : "interrupted";
}

export function damaged({ start: { id } }: RunRecord): string {
  return `the values of run ${id} are damaged: its file was changed, or is not whole. Other runs can be undone`;
}

export function cantOpen({ start: { id, key } }: RunRecord): string {
  return key.by === "machine"
    ? `the values of run ${id} are sealed with a key of the machine that ran it, and this is another`
    : `the values of run ${id} are sealed with the stack's secrets, which this passphrase doesn't open. Set PULUMI_CONFIG_PASSPHRASE to the one of that run; where the stack's own was changed since (pulumi stack change-secrets-provider), what was run before can't be undone`;
}
