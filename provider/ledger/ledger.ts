/** The ledger, as one process has it. A process may work on several stacks: each has a store of its own. */
import { stackIn } from "./identity.ts";
import {
  type Change,
  changed,
  creationsAmong,
  crossedOut,
  type Entry,
  isOpen,
  type Kept,
  NOTHING_KEPT,
  type Unended,
} from "./entry.ts";

/** The place where the entries of a stack are kept: a file (file-store.ts), or tags (tag-store.ts). */
export interface Store {
  read(): Kept;
  /** The changes are durable when the promise resolves. */
  write(changes: readonly Change[]): Promise<void>;
  /** Writes changes that need not be durable: the next run finds them out once more. Where nothing can be written, it writes nothing. */
  note(changes: readonly Change[]): void;
  /** Notes a run that has not come to its end. The note is durable when the promise resolves. */
  mark(run: Unended): Promise<void>;
}

interface Opened {
  readonly store: Store;
  readonly isThere: boolean;
  entries: readonly Entry[];
  /** The note that this process has made of a run whose state is saved at its end alone. */
  unsaved?: Promise<void>;
}

export class Ledger {
  readonly #open: (stack: string) => Store;
  readonly #stacks = new Map<string, Opened>();

  constructor(open: (stack: string) => Store) {
    this.#open = open;
  }

  /** Returns the creations of a resource that no state holds, as far as is known; the older ones first. */
  of(key: string): Entry[] {
    return creationsAmong(this.#ofKey(key));
  }

  /** Returns the creation of the object with this id, of whatever resource. */
  withId(id: string): Entry | undefined {
    const all = [...this.#stacks.values()].flatMap(({ entries }) => entries);
    return creationsAmong(all).findLast((one) => one.id === id);
  }

  /** Returns the removal of a resource's object that a run has begun. */
  removal(key: string, id: string): Entry | undefined {
    return this.#ofKey(key).findLast((one) => one.state === "removed" && one.id === id);
  }

  /** Returns how many objects with the resource's marker may come from runs, and were taken in by nobody. */
  open(key: string): number {
    return this.#of(key).isThere ? this.of(key).filter(isOpen).length : Infinity;
  }

  /** The changes are durable when the promise resolves. */
  async put(...entries: readonly Entry[]): Promise<void> {
    const [first] = entries;
    if (first === undefined) return;
    const stack = this.#of(first.key);
    stack.entries = changed(stack.entries, entries);
    await stack.store.write(entries);
  }

  /** Notes that a run begins to change the account, and saves the state at its end alone. Durable when the promise resolves. */
  async markUnsaved(key: string): Promise<void> {
    const stack = this.#of(key);
    await (stack.unsaved ??= stack.store.mark("unsaved"));
  }

  settle(entries: readonly Entry[]): void {
    const [first] = entries;
    if (first === undefined) return;
    const stack = this.#of(first.key);
    const changes = entries.map(crossedOut);
    stack.entries = changed(stack.entries, changes);
    stack.store.note(changes);
  }

  /** Returns the time for a creation that begins now: no other creation of the resource has the same. */
  beginning(key: string): string {
    const times = this.#ofKey(key).map(({ at }) => Date.parse(at));
    return new Date(Math.max(Date.now(), ...times.map((time) => time + 1))).toISOString();
  }

  #ofKey(key: string): Entry[] {
    return this.#of(key).entries.filter((one) => one.key === key);
  }

  #of(key: string): Opened {
    const stack = stackIn(key);
    const known = this.#stacks.get(stack);
    if (known !== undefined) return known;
    const store = this.#open(stack);
    const { entries, isThere } = store.read();
    const opened = { store, isThere, entries };
    this.#stacks.set(stack, opened);
    return opened;
  }
}

/** Returns a ledger that writes nothing down, for work without a state. */
export function unkeptLedger(): Ledger {
  const kept = (): Promise<void> => Promise.resolve();
  return new Ledger(() => ({ read: () => NOTHING_KEPT, write: kept, note: () => undefined, mark: kept }));
}
