/**
 * A creation is an entry. A run writes it down durably before its call, and crosses it out once a state holds the object, or nothing is
 * left of it. The object of a killed run is then found by the id in its entry, or by our marker, and by nothing else
 * (docs/decisions/exactly-once.md). A removal that no later look proves is an entry, too, until the state has let the object go. Pure.
 */
export interface Entry {
  /** STACK and OWN of the resource's identity (identity.ts). */
  readonly key: string;
  /** The time at which it was begun (ISO-8601). With the key, it tells this creation from others of the resource. */
  readonly at: string;
  readonly kind: string;
  /** The program's name for the resource. */
  readonly name: string;
  /**
   * intended: its call is about to be sent, or was under way when a run was killed.
   * made: the answer has come.
   * unknown: a run has ended, or has gone on, without knowing what became of it.
   * unwanted: no run takes in the object that it made.
   * left: the object that it made could not be deleted. The next creation takes it in, and until then no run removes it.
   * removed: no creation. A run has begun to remove the object of a state, and `spec` tells how it was then.
   */
  readonly state: "intended" | "made" | "unknown" | "unwanted" | "left" | "removed";
  readonly id?: string;
  readonly account?: string;
  /** Tells what it is made from: SPEC of the marker, or a digest of the name that alone finds it. Absent if no run has written down that it began. */
  readonly spec?: string;
  /** A digest of the name before the marker. */
  readonly called?: string;
  /** Tells it from others of its kind to a person who looks for it in the app: nothing else finds it. */
  readonly sketch?: string;
  /** Ids that look like it and are known to be something else. */
  readonly others?: readonly string[];
  /** The things that were done to the object on its way, sealed. */
  readonly note?: string;
  /** No command line told this run what the state holds. */
  readonly alone?: true;
}

/** An entry that nobody need know of any longer. */
export interface Settled {
  readonly key: string;
  readonly at: string;
  readonly settled: true;
}

export type Change = Entry | Settled;

/** A run of ours that has not come to its end: it was killed, or is under way. */
export type Unended = "begun" | "unsaved";

export interface Kept {
  /** The older ones first. */
  readonly entries: readonly Entry[];
  /** unsaved: the run saves the state at its end alone. */
  readonly run?: Unended | undefined;
  /** Earlier runs have kept the ledger. A marker is then ours if an entry is open for it, and otherwise may be in somebody's copy of a name. */
  readonly isThere: boolean;
  /** Each run that wrote the state kept the ledger. A creation that the state calls unfinished and that the ledger doesn't know was not begun. */
  readonly isWhole: boolean;
}

export const NOTHING_KEPT: Kept = { entries: [], isThere: false, isWhole: false };

/** The knowledge of a state about the creations of a stack. */
export interface StateOfCreations {
  /** Tells if the state holds this object of a kind. `key`: as the object of this resource. */
  readonly holds: (kind: string, id: string, key?: string) => boolean;
  /** Tells if the state holds an object of this resource with this name (a digest). For kinds that Landform finds only by name. */
  readonly holdsNamed: (key: string, spec: string | undefined) => boolean;
  /** Creations that the state calls unfinished. */
  readonly pending: readonly Entry[];
}

/** Runs at the start of each run. Returns the entries that the state settles, and those that only the state tells of. */
export function reconcile({ entries, isWhole }: Kept, { holds, holdsNamed, pending }: StateOfCreations): Change[] {
  const leaves = ({ key, kind, id = "", state }: Entry): boolean => state === "removed" && holds(kind, id, key);
  // Where the state holds an object as another resource's that a run took it from, it doesn't hold it as the new one's.
  const leaving = new Set(entries.filter(leaves).map(({ id }) => id));
  const isSettled = ({ key, kind, id, spec, state }: Entry): boolean => {
    if (state === "removed") return !leaving.has(id);
    return id === undefined ? holdsNamed(key, spec) : holds(kind, id) && !leaving.has(id);
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

/** Returns the entries that are creations. */
export function creationsAmong(entries: readonly Entry[]): Entry[] {
  return entries.filter(({ state }) => state !== "removed");
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

/** Returns the entries as these changes leave them. */
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
