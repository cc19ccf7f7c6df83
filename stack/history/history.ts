/**
 * The history of one stack for one machine. It has the runs as files, and, if the state is in no folder, the place that other machines get
 * them from. A run is sent there before its first write, while it grows, and at its end.
 */
import type { RunRecord, UnreadRun } from "./run-file.ts";
import { UsageError } from "../exit/codes.ts";
import type { Place } from "../places/place.ts";
import { PlaceError } from "../places/place.ts";
import { isForgotten, RunStore, type Runs } from "./store.ts";

const SENT_EVERY_MS = 1_000;
/** The longest wait at the end of a run. It is shorter if the place has failed before. */
const LAST_MS = 30_000;
const LOST_MS = 5_000;

export interface Following {
  /** Resolves when the whole run is in the place. */
  end(): Promise<void>;
}

export class History {
  readonly store: RunStore;
  /** Undefined if this machine, or the state's own folder, has everything. */
  readonly #place: Place | undefined;
  readonly #tell: (line: string) => void;
  readonly #prefix: string;
  #isLost = false;

  constructor(store: RunStore, place: Place | undefined, prefix: string, tell: (line: string) => void) {
    this.store = store;
    this.#place = place;
    this.#prefix = prefix;
    this.#tell = tell;
  }

  get hasPlace(): boolean {
    return this.#place !== undefined;
  }

  /** The runs of all machines, newest first. */
  async runs(): Promise<Runs> {
    for (const id of await this.#there()) if (!this.#isWhole(id)) await this.#bring(id);
    return this.store.list();
  }

  /** Sends a run until it ends. A place that takes nothing stops no run: then only this machine has it. */
  async follow(id: string): Promise<Following> {
    await this.#send(id);
    let sending: Promise<void> | undefined;
    let size = this.store.sizeOf(id);
    const timer = setInterval(() => {
      const now = this.store.sizeOf(id);
      // A failing send takes minutes of tries, so no other send waits behind it.
      if (now === size || sending !== undefined || this.#isLost) return;
      size = now;
      sending = this.#send(id).finally(() => (sending = undefined));
    }, SENT_EVERY_MS).unref();
    return {
      end: async () => {
        clearInterval(timer);
        await this.#within(
          this.#isLost ? LOST_MS : LAST_MS,
          Promise.resolve(sending).then(() => this.#send(id)),
        );
      },
    };
  }

  async remove(id: string): Promise<void> {
    this.store.remove(id);
    await this.#kindly(() => this.#place?.delete(this.#keyOf(id)));
  }

  async forgetOld(now: number): Promise<void> {
    this.store.forgetOld(now);
    const ids = (await this.#kindly(() => this.#there())) ?? [];
    for (const id of ids) if (isForgotten(id, ids, now)) await this.remove(id);
  }

  async #there(): Promise<string[]> {
    const keys = (await this.#place?.list(`${this.#prefix}/`)) ?? [];
    return keys.flatMap((key) => RunStore.idIn(key.slice(this.#prefix.length + 1)) ?? []);
  }

  /** A run that has ended doesn't change any more. */
  #isWhole(id: string): boolean {
    const run = this.store.has(id) ? this.store.read(id) : "";
    return typeof run !== "string" && run.end !== undefined;
  }

  /** If a run was killed here, this machine may have more of it than it had sent. */
  async #bring(id: string): Promise<void> {
    const content = await this.#place?.get(this.#keyOf(id));
    if (content === undefined) return;
    if (content.length >= this.store.sizeOf(id)) this.store.replace(id, content);
    else await this.#send(id);
  }

  async #send(id: string): Promise<void> {
    if (this.store.has(id)) await this.#kindly(() => this.#place?.put(this.#keyOf(id), this.store.bytesOf(id)));
    else await this.#kindly(() => this.#place?.delete(this.#keyOf(id)));
  }

  async #kindly<T>(work: () => Promise<T> | undefined): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PlaceError)) throw error;
      this.#lose(error.message);
      return undefined;
    }
  }

  /** The result of the run waits no longer than this. */
  async #within(milliseconds: number, work: Promise<void>): Promise<void> {
    const late = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => late.resolve(true), milliseconds);
    const isLate = await Promise.race([late.promise, work.then(() => false)]);
    clearTimeout(timer);
    if (isLate) this.#lose(`${this.#place?.name} did not take it within ${milliseconds / 1_000} s`);
  }

  #lose(why: string): void {
    if (!this.#isLost) this.#tell(`the history of this run stays on this machine: ${why}`);
    this.#isLost = true;
  }

  #keyOf(id: string): string {
    return `${this.#prefix}/${RunStore.fileName(id)}`;
  }
}

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
