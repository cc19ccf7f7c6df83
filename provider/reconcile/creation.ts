import type { AnyDefinition } from "../definition/define.ts";
import { ApplyError } from "../messages/errors.ts";
import { type Entry, isLongAgo, isOpen } from "../ledger/ledger.ts";
import { isMap, type Json, type JsonMap } from "../values/json.ts";
import {
  digest,
  folded,
  markedName,
  type Marker,
  markerIn,
  markerOf,
  nameDigest,
  nameIn,
  resourceKeyIn,
  creationDigestIn,
} from "../ledger/identity.ts";
import { type KindInRun, type ObjectState, type Raw, withoutAdoption } from "./object-state.ts";
import type { RunContext } from "./run-context.ts";
import { hasUnknown } from "../values/paths.ts";
import { seal, unseal } from "../history/kept.ts";

function fixedIn(definition: AnyDefinition, { inputs }: Raw): string[] {
  return Object.keys(definition.inputs.shape).filter(
    (field) => definition.rule(field).onChange === "replace" && inputs[field] !== undefined,
  );
}

function markerFor(definition: AnyDefinition, raw: Raw): Marker | undefined {
  if (!definition.marked || raw.identity === undefined) return undefined;
  return markerOf(
    raw.identity,
    fixedIn(definition, raw).map((field): Json => [field, raw.inputs[field] as Json]),
  );
}

/** The new object can't become the declared one, whatever later runs send. It is removed again. */
export class Unfit extends ApplyError {}

/** Tells if neither a list nor a read by name shows the object of a creation. */
export const isUnfindable = ({ definition }: Pick<Creation, "definition">): boolean =>
  !definition.marked && !definition.collection && !definition.life.refind && !definition.life.reuse;

/** Tells if only the name that the user gave shows the object of a creation. */
export const isFoundByName = ({ marked, life }: Pick<AnyDefinition, "marked" | "life">): boolean =>
  !marked && life.reuse !== undefined;

/** Returns the digest of an object that is found by its name, as the ledger keeps it: the name may be a secret. */
export const creationDigestOfName = (name: string): string => digest(name, 10);

/** Returns the digest as the ledger would keep it; undefined if a fixed input is not known yet. */
export function creationDigestOf(definition: AnyDefinition, raw: Raw): string | undefined {
  const isKnown = fixedIn(definition, raw).every((field) => !hasUnknown(raw.inputs[field]));
  return isKnown ? creationDigestIn(markerFor(definition, raw)) : undefined;
}

export class Creation implements KindInRun {
  readonly definition: AnyDefinition;
  readonly run: RunContext;
  readonly raw: Raw;
  readonly account: string | undefined;
  readonly inputs: Record<string, unknown>;
  readonly fixed: readonly string[];
  readonly marker: Marker | undefined;

  constructor({ definition, run }: KindInRun, raw: Raw, account: string | undefined) {
    this.definition = definition;
    this.run = run;
    this.raw = raw;
    this.account = account;
    this.inputs = definition.inputs.parse(withoutAdoption(raw.inputs));
    this.fixed = fixedIn(definition, raw);
    this.marker = markerFor(definition, raw);
  }

  get identity(): string | undefined {
    return this.raw.identity;
  }

  /** The resource of the creation in the ledger. An object that stays in place is found again by its id or its name, which the user gave. */
  get key(): string | undefined {
    const { definition, identity } = this;
    const isKept = definition.leaves !== "in place" || isFoundByName(definition);
    return identity !== undefined && isKept ? resourceKeyIn(identity) : undefined;
  }

  /** The creations that earlier runs began for the resource, and that no state holds. */
  get earlier(): readonly Entry[] {
    return this.key === undefined ? [] : this.run.settings.ledger.of(this.key);
  }

  /** Those that may have made an object unseen. If no call deletes or finds it, each run asks again. */
  get open(): readonly Entry[] {
    const isForGood = this.definition.leaves === "in place" || isUnfindable(this);
    const isAsked = (one: Entry): boolean => one.state === "intended" || isForGood || !isLongAgo(one);
    return this.earlier.filter((one) => isOpen(one) && isAsked(one));
  }

  /** The number of marked objects that they may have made: any number, if nobody kept a ledger. */
  get mayBeLeft(): number {
    return this.key === undefined ? 0 : this.run.settings.ledger.open(this.key);
  }

  get creationDigest(): string {
    return isFoundByName(this.definition) ? creationDigestOfName(this.plainName) : creationDigestIn(this.marker);
  }

  /** Returns the entry as the ledger keeps it before the call. `others`: ids that look like the new object's, and are somebody's. */
  entry(key: string, others: readonly string[]): Entry {
    const { definition, run, raw, identity = "", account, creationDigest } = this;
    const { name } = raw.inputs;
    const searchHint = isUnfindable(this) ? definition.life.searchHint?.(raw.inputs) : undefined;
    return {
      key,
      at: run.settings.ledger.beginning(key),
      kind: definition.kind,
      name: nameIn(identity),
      state: "intended",
      creationDigest,
      ...(typeof name === "string" && { called: nameDigest(name) }),
      ...(account !== undefined && { account }),
      ...(searchHint !== undefined && { searchHint }),
      ...(others.length > 0 && { others }),
      ...(run.settings.knowsStack !== true && { alone: true as const }),
    };
  }

  get name(): string {
    return this.marker ? markedName(this.plainName, this.marker) : this.plainName;
  }

  get plainName(): string {
    const { name } = this.raw.inputs;
    return typeof name === "string" ? name : "";
  }

  get called(): string {
    const { definition, raw, identity } = this;
    const name = typeof raw.inputs["name"] === "string" ? raw.inputs["name"] : identity && nameIn(identity);
    return name === undefined ? `the ${definition.kind}` : `${definition.kind} "${name}"`;
  }

  /** Finds an answer about somebody else's object, which we would rename, fill and in the end delete. */
  nameOfAnother(answered: unknown): string | undefined {
    if (this.marker === undefined || typeof answered !== "string" || markerIn(answered) === this.marker.full)
      return undefined;
    return this.isCut(answered) ? undefined : answered;
  }

  /** Tells if a name is the beginning of the name under which it is created, as a service that cuts names shows it. */
  isCut(name: string): boolean {
    return this.marker !== undefined && markerIn(name) === undefined && folded(this.name).startsWith(beginningOf(name));
  }

  /** Tells if a name is cut, and has a piece of the marker: nobody else gives such a name. */
  hasCutMarker(name: string): boolean {
    return this.isCut(name) && beginningOf(name).length > folded(this.plainName).length;
  }

  /** False if a begun object can't be carried on with, and has to be made anew. */
  get resumes(): boolean {
    return this.definition.life.resumes?.(this.raw.inputs) ?? true;
  }
}

/** Returns a name without the mark that a service puts where it has cut. */
function beginningOf(name: string): string {
  return folded(name.replace(/(…|\.\.\.)$/, ""));
}

/** The ledger's notes of an object that no state has yet. They are sealed, since the ledger is no secret. */
type Created = Pick<ObjectState, "id" | "identity">;

function entryOf(run: RunContext, { id, identity }: Created): Entry | undefined {
  if (id === undefined || identity === undefined) return undefined;
  return run.settings.ledger.of(resourceKeyIn(identity)).find((one) => one.id === id);
}

export function isInLedgerAlone(run: RunContext, object: Created): boolean {
  return entryOf(run, object) !== undefined;
}

/** Adds to the notes. They are durable when the promise resolves. */
export async function noteCreation(run: RunContext, object: Created, notes: JsonMap): Promise<void> {
  const entry = entryOf(run, object);
  if (entry)
    await run.settings.ledger.put({ ...entry, note: seal(run.noteKey(), { ...unsealed(run, entry), ...notes }) });
}

/** Returns the notes of an object; nothing if the account's key is another one by now. */
export function notedOf(run: RunContext, object: Created): JsonMap {
  return unsealed(run, entryOf(run, object));
}

export function halfMadeBefore(run: RunContext, { id, identity }: Created): string | undefined {
  if (identity === undefined) return undefined;
  return run.settings.ledger.of(resourceKeyIn(identity)).findLast((one) => one.id !== undefined && one.id !== id)?.id;
}

export function notesOfHalfMade(run: RunContext, id: string): JsonMap {
  return unsealed(run, run.settings.ledger.withId(id));
}

function unsealed(run: RunContext, { note }: Partial<Entry> = {}): JsonMap {
  if (note === undefined) return {};
  try {
    const notes = unseal(run.noteKey(), note) as Json;
    return isMap(notes) ? notes : {};
  } catch {
    return {};
  }
}
