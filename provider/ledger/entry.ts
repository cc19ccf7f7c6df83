/**
 * A creation is an entry: written down durably before its call, and crossed out once a state holds what it made, or nothing is
 * left of it. What a run that was killed has made is then found by the id in its entry, or by our marker, and by nothing else
 * (docs/decisions/exactly-once.md). Pure.
 */
export interface Entry {
  /** STACK and OWN of the resource's identity (identity.ts). */
  readonly key: string;
  /** When it was begun (ISO-8601): with the key, it tells this creation from others of the resource. */
  readonly at: string;
  readonly kind: string;
  /** What the program calls the resource. */
  readonly name: string;
  /**
   * intended: its call is about to be sent, or was under way when a run was killed.
   * made: the answer has come.
   * unknown: a run has ended, or has gone on, without knowing what became of it.
   * unwanted: no run takes in what it made.
   * left: what it made could not be deleted. The next creation takes it in, and until then no run removes it.
   */
  readonly state: "intended" | "made" | "unknown" | "unwanted" | "left";
  readonly id?: string;
  readonly account?: string;
  /** What it is made from: SPEC of the marker, or a digest of the name that alone finds it. Absent where no run has written down that it began. */
  readonly spec?: string;
  /** A digest of the name before the marker. */
  readonly called?: string;
  /** What tells it from others of its kind, for who looks for it in the app: nothing else finds it. */
  readonly sketch?: string;
  /** Ids that look like it and are known to be something else. */
  readonly others?: readonly string[];
  /** What was done to the object on its way, sealed. */
  readonly note?: string;
  /** No command line told this run what the state holds. */
  readonly alone?: true;
}

/** Nobody need know of it any longer. */
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
  /** unsaved: it saves the state at its end alone. */
  readonly run?: Unended | undefined;
  /** Earlier runs have kept it: a marker is ours where an entry is open for it, and may be in somebody's copy of a name otherwise. */
  readonly isThere: boolean;
  /** Each run that wrote the state kept it: what the state calls unfinished, and is not told of here, was not begun. */
  readonly isWhole: boolean;
}

export const NOTHING_KEPT: Kept = { entries: [], isThere: false, isWhole: false };

/** What a state tells of the creations of a stack. */
export interface StateOfCreations {
  /** Whether it holds this object of a kind. */
  readonly holds: (kind: string, id: string) => boolean;
  /** Whether it holds an object of this resource that was made from this name (a digest), where the name alone finds it. */
  readonly holdsNamed: (key: string, spec: string | undefined) => boolean;
  /** Creations that it calls unfinished. */
  readonly pending: readonly Entry[];
}

/** At the start of each run: what the state settles, and what it alone tells of. */
export function reconcile({ entries, isWhole }: Kept, { holds, holdsNamed, pending }: StateOfCreations): Change[] {
  const isSettled = ({ key, kind, id, spec }: Entry): boolean =>
    id === undefined ? holdsNamed(key, spec) : holds(kind, id);
  const settledKeys = new Set(entries.flatMap((one) => (one.id === undefined && isSettled(one) ? [one.key] : [])));
  const settled = entries.filter((one) => isSettled(one) || settledKeys.has(one.key));
  const known = new Set(entries.map(({ key }) => key));
  const untold = isWhole ? [] : pending.filter(({ key }) => !known.has(key));
  return [...settled.map(crossedOut), ...untold];
}

export function crossedOut({ key, at }: Entry): Settled {
  return { key, at, settled: true };
}

/** Whether nobody knows if it made something: a run was killed, its answer was lost, or the state alone tells of it. */
export function isOpen({ state, id }: Entry): boolean {
  return id === undefined && (state === "intended" || state === "unknown");
}

/** Lists are behind by seconds or a minute: what shows up later than this is no longer looked for. */
const LATE_MS = 10 * 60_000;

export function isLongAgo({ at }: Entry, now = Date.now()): boolean {
  return !(now - Date.parse(at) < LATE_MS);
}

/** The entries as these changes leave them. */
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
