/**
 * The history of one stack for one machine. It has the runs as files, and, if the state is in no folder, the place that other machines get
 * them from. A run is sent there before its first write, while it grows, and at its end.
 */
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

  /** Tells it once. */
  #lose(why: string): void {
    if (!this.#isLost) this.#tell(`the history of this run stays on this machine: ${why}`);
    this.#isLost = true;
  }

  #keyOf(id: string): string {
    return `${this.#prefix}/${RunStore.fileName(id)}`;
  }
}
