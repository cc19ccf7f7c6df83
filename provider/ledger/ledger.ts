/**
 * A creation is an entry. A run writes it down durably before its call, and crosses it out once a state holds the object, or nothing is
 * left of it. The object of a killed run is then found by the id in its entry, or by our marker, and by nothing else
 * (docs/decisions/exactly-once.md). A removal that no later look proves is an entry, too, until the state has let the object go. Pure.
 */
import { resourceKeyIn, stackIn } from "./identity.ts";

export interface Entry {
  /** STACK and OWN of the resource's identity (identity.ts). */
  readonly key: string;
  /** With the key, it tells this creation from others of the resource. ISO-8601. */
  readonly at: string;
  readonly kind: string;
  /** The program's name for the resource. */
  readonly name: string;
  /**
   * intended: its call is about to be sent, or was under way when a run was killed. With an id: an object that could not be deleted. The next
   * creation takes it in, and until then no run removes it.
   * made: the answer has come.
   * unknown: a run has ended, or has gone on, without knowing what became of it.
   * unwanted: no run takes in the object that it made.
   */
  readonly state: "intended" | "made" | "unknown" | "unwanted";
  readonly id?: string;
  /** A digest of a state's object before a run began to remove it. If it differs later, it is somebody else's. */
  readonly removedAs?: string;
  readonly account?: string;
  /** Tells what it is made from: SPEC of the marker, or a digest of the name that alone finds it. Absent if no run has written down that it began. */
  readonly creationDigest?: string;
  readonly called?: string;
  /** Tells it from others of its kind to a person who looks for it in the app: nothing else finds it. */
  readonly searchHint?: string;
  /** Ids that look like it and are known to be something else. */
  readonly others?: readonly string[];
  /** The things that were done to the object on its way, sealed. */
  readonly note?: string;
  /** No command line told this run what the state holds. */
  readonly alone?: true;
}

export interface Settled {
  readonly key: string;
  readonly at: string;
  readonly settled: true;
}

export type Change = Entry | Settled;

/** aside: it failed, and an object that no plan need change is not where the state says. */
export type Unended = "begun" | "unsaved" | "aside";

export interface Kept {
  readonly entries: readonly Entry[];
  /** unsaved: the run saves the state at its end alone. */
  readonly run?: Unended | undefined;
  /** Earlier runs have kept the ledger. A marker is then ours if an entry is open for it, and otherwise may be in somebody's copy of a name. */
  readonly isThere: boolean;
  /** Each run that wrote the state kept the ledger. A creation that the state calls unfinished and that the ledger doesn't know was not begun. */
  readonly isWhole: boolean;
}

export const NOTHING_KEPT: Kept = { entries: [], isThere: false, isWhole: false };

export interface StateOfCreations {
  /** Tells if the state holds this object of a kind. `key`: as the object of this resource. */
  readonly holds: (kind: string, id: string, key?: string) => boolean;
  /** Tells if the state holds an object of this resource with this name (a digest). For kinds that Landform finds only by name. */
  readonly holdsNamed: (key: string, creationDigest: string | undefined) => boolean;
  readonly pending: readonly Entry[];
}

/** Runs at the start of each run. Returns the entries that the state settles, and those that only the state tells of. */
export function reconcile({ entries, isWhole }: Kept, { holds, holdsNamed, pending }: StateOfCreations): Change[] {
  const leaves = (one: Entry): boolean => isRemoval(one) && holds(one.kind, one.id ?? "", one.key);
  // Where the state holds an object as another resource's that a run took it from, it doesn't hold it as the new one's.
  const leaving = new Set(entries.filter(leaves).map(({ id }) => id));
  const isSettled = (one: Entry): boolean => {
    const { key, kind, id, creationDigest } = one;
    if (isRemoval(one)) return !leaving.has(id);
    return id === undefined ? holdsNamed(key, creationDigest) : holds(kind, id) && !leaving.has(id);
  };
  const settledKeys = new Set(entries.flatMap((one) => (one.id === undefined && isSettled(one) ? [one.key] : [])));
  const settled = entries.filter((one) => isSettled(one) || settledKeys.has(one.key));
  const known = new Set(entries.map(({ key }) => key));
  const untold = isWhole ? [] : pending.filter(({ key }) => !known.has(key));
  return [...settled.map(crossedOut), ...untold];
}

export function crossedOut({ key, at }: Entry): Settled {
  return { key, at, settled: true };
}

export function isRemoval({ removedAs }: Entry): boolean {
  return removedAs !== undefined;
}

export function creationsAmong(entries: readonly Entry[]): Entry[] {
  return entries.filter((one) => !isRemoval(one));
}

/** Tells if its object could not be deleted, and waits for the next creation. */
export function isLeft({ state, id }: Entry): boolean {
  return state === "intended" && id !== undefined;
}

/** Tells if nobody knows if it made an object: a run was killed, its answer was lost, or only the state tells of it. */
export function isOpen({ state, id }: Entry): boolean {
  return id === undefined && (state === "intended" || state === "unknown");
}

/** Lists lag by seconds or a minute. No run looks for an object that shows up later than this. */
const LATE_MS = 10 * 60_000;

export function isLongAgo({ at }: Entry, now = Date.now()): boolean {
  return !(now - Date.parse(at) < LATE_MS);
}

export function changed(entries: readonly Entry[], changes: readonly Change[]): Entry[] {
  const all = new Map(entries.map((one) => [entryId(one), one]));
  for (const one of changes) {
    if ("settled" in one) all.delete(entryId(one));
    else all.set(entryId(one), one);
  }
  return [...all.values()];
}

function entryId({ key, at }: Pick<Entry, "key" | "at">): string {
  return `${key} ${at}`;
}

// The ledger, as one process has it. A process may work on several stacks: each has a store of its own.

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

export type Removed = Readonly<Record<"id" | "identity", string | undefined>>;

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

  withId(id: string): Entry | undefined {
    const all = [...this.#stacks.values()].flatMap(({ entries }) => entries);
    return creationsAmong(all).findLast((one) => one.id === id);
  }

  removal({ id, identity }: Removed): Entry | undefined {
    if (id === undefined || identity === undefined) return undefined;
    return this.#ofKey(resourceKeyIn(identity)).findLast((one) => isRemoval(one) && one.id === id);
  }

  /**
   * Returns how many objects with the resource's marker may come from runs, and were taken in by nobody. A ledger that was not kept by all
   * runs knows this only where it has the object's id: a person may have duplicated that object while it had its marker.
   */
  open(key: string): number {
    const entries = this.of(key);
    const isKept = this.#of(key).isThere || entries.some(({ id }) => id !== undefined);
    return isKept ? entries.filter(isOpen).length : Infinity;
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

  /** Notes that an object is not where the state says, so that the next run reads everything first. Durable when the promise resolves. */
  async markAside(key: string): Promise<void> {
    await this.#of(key).store.mark("aside");
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

export function unkeptLedger(): Ledger {
  const kept = (): Promise<void> => Promise.resolve();
  return new Ledger(() => ({ read: () => NOTHING_KEPT, write: kept, note: () => undefined, mark: kept }));
}
