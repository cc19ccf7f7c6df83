/** The ledger of a stack's creations (docs/decisions/exactly-once.md), reconciled with the state for the command line. */
import { isInterrupted, nameOf, type StackRef } from "../../engine/index.ts";
import { isFoundByName, creationDigestOfName } from "../../provider/reconcile/creation.ts";
import { identityFor, nameDigest, type ObjectKey, resourceKeyIn, stackOf } from "../../provider/ledger/identity.ts";
import {
  type Change,
  changed,
  creationsAmong,
  crossedOut,
  type Entry,
  isRemoval,
  type Kept,
  NOTHING_KEPT,
  reconcile,
  type StateOfCreations,
  type Unended,
} from "../../provider/ledger/ledger.ts";
import { FileStore, ledgerFileIn } from "../../provider/ledger/file-store.ts";
import { ledgerFolderOf } from "../../provider/ledger/place.ts";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import { definitionOf, keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { identityOf, objectsHeld, type RecordedState, type StateResource } from "./recorded.ts";

export interface StackLedger {
  /** Creations that no state has, oldest first. */
  readonly entries: readonly Entry[];
  /** Objects that a run has begun to remove and whose run has not come to its end. */
  readonly removed: ReadonlySet<ObjectKey>;
  /** A run of Landform that has not come to its end. */
  readonly run: Unended | undefined;
  /** Keys of creations that the state calls unfinished. A run of plain Pulumi may have been killed, and nothing else tells that. */
  readonly begun: ReadonlySet<string>;
  readonly change: (changes: readonly Change[]) => Promise<void>;
}

type Creations = Pick<RecordedState, "resources" | "pending">;

export function stateOfCreations({ resources, pending }: Creations): StateOfCreations {
  const held = objectsHeld(resources);
  const heldAs = (key: string, object: ObjectKey): boolean =>
    resources.some(
      (one) => one.id !== undefined && keyOfType(one.type, one.id) === object && resourceKeyIn(identityOf(one)) === key,
    );
  const named = new Set(resources.flatMap(namedIn));
  return {
    holds: (kind, id, key) => {
      const object = keyOfKind(kind, id);
      return held.has(object) && (key === undefined || heldAs(key, object));
    },
    holdsNamed: (key, digest) => named.has(`${key} ${digest ?? ""}`),
    pending: pending.flatMap(({ type, resource }) => (type === "creating" ? entryOf(resource, resources) : [])),
  };
}

function namedIn({ urn, type, id, inputs }: StateResource): string[] {
  const definition = definitionOf(type);
  const name = inputs?.["name"];
  const isNamed = definition !== undefined && id !== undefined && isFoundByName(definition);
  return isNamed && typeof name === "string" ? [`${keyOf(urn)} ${creationDigestOfName(name)}`] : [];
}

/** Makes an entry for a creation whose begin nobody wrote down. */
function entryOf(begun: StateResource, resources: readonly StateResource[]): Entry[] {
  const definition = definitionOf(begun.type);
  const isTakenOver = typeof begun.inputs?.["adoptId"] === "string";
  if (definition === undefined || isTakenOver || (definition.leaves === "in place" && !isFoundByName(definition)))
    return [];
  const name = begun.inputs?.["name"];
  const alike = resources.filter(({ type, inputs }) => type === begun.type && inputs?.["name"] === name);
  const others = alike.flatMap(({ id }) => id ?? []);
  return [
    {
      key: keyOf(begun.urn),
      at: new Date().toISOString(),
      kind: definition.kind,
      name: nameOf(begun.urn),
      state: "unknown",
      ...(typeof name === "string" && { called: nameDigest(name) }),
      ...(others.length > 0 && { others }),
    },
  ];
}

export const LOOKS_FIRST = "An earlier run did not come to its end: this run first looks at what exists.";

/**
 * Tells if a run looks at everything first, because the state may be wrong after an earlier one: the embedded engine's rule, for both engines, and
 * what the ledger knows. Pulumi can look at everything first, but not at a part (3.245, 2026-11). Pure.
 */
export function looksFirst(
  { kind, refresh }: { readonly kind: string; readonly refresh?: boolean | undefined },
  { pending, resources }: Creations,
  { run }: Pick<Kept, "run">,
): boolean {
  if ((kind !== "up" && kind !== "preview") || refresh === true) return false;
  return run === "unsaved" || run === "aside" || isInterrupted({ pendingOperations: pending, resources });
}

export function keyOf(urn: string): string {
  return resourceKeyIn(identityFor(urn));
}

export interface RunBegins {
  readonly changesNothing: boolean;
  /** The engine saves the state once, at the end of the run. */
  readonly savesAtEnd: boolean;
}

export interface RunEnds {
  readonly read: () => Promise<Pick<RecordedState, "manifest" | "resources">>;
  /** The run may have added entries. */
  readonly writesLedger: boolean;
  /** The run was to cover the whole stack. */
  readonly isWhole: boolean;
  readonly succeeded: boolean;
}

export type LedgerFacts = Pick<RunFacts, "ledger" | "isNewLedger" | "tags" | "pending">;

/** The place of a stack's ledger: a file beside the state (FolderLedger), or tags of the stack (pulumi/stack-tags.ts). */
export interface LedgerPlace {
  read(): Promise<Kept>;
  write(changes: readonly Change[]): Promise<void>;
  /** Reconciles the ledger for a run, and tells the provider's host where it is. */
  begin(recorded: RecordedState, run: RunBegins): Promise<LedgerFacts>;
  end(run: RunEnds): Promise<void>;
}

/** `read` is called only if the ledger has entries or may lack some. */
export async function openLedger(place: LedgerPlace, read: () => Promise<Creations>): Promise<StackLedger> {
  const kept = await place.read();
  const isEmpty = kept.isWhole && kept.entries.length === 0;
  const state = stateOfCreations(isEmpty ? { resources: [], pending: [] } : await read());
  return {
    entries: creationsAmong(changed(kept.entries, reconcile(kept, state))),
    removed: new Set(kept.entries.filter(isRemoval).map(({ kind, id = "" }) => keyOfKind(kind, id))),
    run: kept.run,
    begun: new Set(state.pending.map(({ key }) => key)),
    change: (changes) => place.write(changes),
  };
}

/** The knowledge that the end of a run needs of its begin. */
export interface Begun {
  readonly savesAtEnd: boolean;
  /** The earlier run that had not come to its end. */
  readonly before: Unended | undefined;
  readonly savedAt: string;
}

export const NOT_BEGUN: Begun = { savesAtEnd: false, before: undefined, savedAt: "" };

export function begunWith(kept: Kept, { manifest }: RecordedState, { savesAtEnd }: RunBegins): Begun {
  return { savesAtEnd, before: kept.run, savedAt: manifest.time };
}

/** Returns what a run that has ended settles: entries, and the note of a run that has not saved the state. Pure. */
export function settledBy(
  kept: Kept,
  { manifest, resources }: Pick<RecordedState, "manifest" | "resources">,
  { isWhole, succeeded }: Pick<RunEnds, "isWhole" | "succeeded">,
  { savesAtEnd, before, savedAt }: Begun,
): { readonly changes: Change[]; readonly ended: boolean } {
  const isSaved = savesAtEnd && manifest.time !== savedAt;
  // A run that has covered the whole stack has redone everything that a killed run had not saved, and has looked at what the state holds.
  const isRedone = isWhole && succeeded;
  const removals = isRedone ? kept.entries.filter(isRemoval) : [];
  const changes = reconcile({ ...kept, isWhole: true }, stateOfCreations({ resources, pending: [] }));
  const isAllSaved = isSaved && (isWhole || before !== "unsaved") && ![before, kept.run].includes("aside");
  // Where the run itself has moved objects out of the way, and has succeeded, all of them have come to their places.
  const isInPlace = succeeded && before === undefined && kept.run === "aside";
  const ended = kept.run !== undefined && (isRedone || isAllSaved || isInPlace);
  return { changes: [...changes, ...removals.map(crossedOut)], ended };
}

/** The ledger beside the state. `root` holds the backend's `.pulumi`. */
export class FolderLedger implements LedgerPlace {
  readonly #store: FileStore;
  readonly #folder: string;
  #begun = NOT_BEGUN;

  constructor(root: string, { project, stack }: StackRef) {
    this.#folder = ledgerFolderOf(root);
    this.#store = new FileStore(ledgerFileIn(this.#folder, stackOf(project, stack)));
  }

  read(): Promise<Kept> {
    return Promise.resolve(this.#store.read());
  }

  write(changes: readonly Change[]): Promise<void> {
    return this.#store.write(changes);
  }

  /** A run that changes nothing leaves the ledger as it is. */
  begin(recorded: RecordedState, run: RunBegins): Promise<LedgerFacts> {
    const kept = this.#store.read();
    this.#begun = begunWith(kept, recorded, run);
    if (!run.changesNothing) this.#store.begin(reconcile(kept, stateOfCreations(recorded)));
    return Promise.resolve({ ledger: this.#folder, ...(!kept.isThere && { isNewLedger: true as const }) });
  }

  async end({ read, ...run }: RunEnds): Promise<void> {
    const kept = this.#store.read();
    if (kept.entries.length === 0 && kept.run === undefined) return;
    const { changes, ended } = settledBy(kept, await read(), run, this.#begun);
    this.#store.note(changes);
    if (ended) await this.#store.mark("ended");
  }
}

/** A state that no ledger goes along with: the host keeps one on this machine. */
export const KEPT_ON_MACHINE: LedgerPlace = {
  read: () => Promise.resolve(NOTHING_KEPT),
  write: () => Promise.resolve(),
  begin: (recorded, { changesNothing }) =>
    Promise.resolve(changesNothing ? {} : { pending: stateOfCreations(recorded).pending }),
  end: () => Promise.resolve(),
};
