/** The ledger of a stack's creations (docs/decisions/exactly-once.md), reconciled with the state for the command line. */
import { nameOf, type StackRef } from "../../engine/index.ts";
import { isFoundByName, specOfName } from "../../provider/reconcile/creation.ts";
import { identityFor, nameDigest, type ObjectKey, ownIn, stackOf } from "../../provider/ledger/identity.ts";
import {
  type Change,
  changed,
  creationsAmong,
  crossedOut,
  type Entry,
  type Kept,
  reconcile,
  type StateOfCreations,
  type Unended,
} from "../../provider/ledger/entry.ts";
import { FileStore, ledgerFileIn } from "../../provider/ledger/file-store.ts";
import { ledgerFolderOf } from "../../provider/ledger/place.ts";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import { definitionOf, keyOfKind, keyOfType } from "../../provider/kinds/registry.ts";
import { identityOf, objectsHeld, type RecordedState, type StateResource } from "./recorded.ts";

export interface StackLedger {
  /** Creations that no state has, oldest first. */
  readonly entries: readonly Entry[];
  /** A run of Landform that has not come to its end. */
  readonly run: Unended | undefined;
  /** Keys of creations that the state calls unfinished. A run of plain Pulumi may have been killed, and nothing else tells that. */
  readonly begun: ReadonlySet<string>;
  readonly change: (changes: readonly Change[]) => Promise<void>;
}

type Creations = Pick<RecordedState, "resources" | "pending">;

export function ledgerFrom(
  kept: Kept,
  recorded: Creations,
  change: (changes: readonly Change[]) => Promise<void>,
): StackLedger {
  const state = stateOfCreations(recorded);
  return {
    entries: creationsAmong(changed(kept.entries, reconcile(kept, state))),
    run: kept.run,
    begun: new Set(state.pending.map(({ key }) => key)),
    change,
  };
}

export function stateOfCreations({ resources, pending }: Creations): StateOfCreations {
  const held = objectsHeld(resources);
  const heldAs = (key: string, object: ObjectKey): boolean =>
    resources.some(
      (one) => one.id !== undefined && keyOfType(one.type, one.id) === object && ownIn(identityOf(one)) === key,
    );
  const named = new Set(resources.flatMap(namedIn));
  return {
    holds: (kind, id, key) => {
      const object = keyOfKind(kind, id);
      return held.has(object) && (key === undefined || heldAs(key, object));
    },
    holdsNamed: (key, spec) => named.has(`${key} ${spec ?? ""}`),
    pending: pending.flatMap(({ type, resource }) => (type === "creating" ? entryOf(resource, resources) : [])),
  };
}

function namedIn({ urn, type, id, inputs }: StateResource): string[] {
  const definition = definitionOf(type);
  const name = inputs?.["name"];
  const isNamed = definition !== undefined && id !== undefined && isFoundByName(definition);
  return isNamed && typeof name === "string" ? [`${keyOf(urn)} ${specOfName(name)}`] : [];
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

/** Returns the key of a resource in the ledger. */
export function keyOf(urn: string): string {
  return ownIn(identityFor(urn));
}

/** The ledger beside the state. `root` holds the backend's `.pulumi`. */
export class FolderLedger {
  readonly #store: FileStore;
  readonly #folder: string;

  constructor(root: string, { project, stack }: StackRef) {
    this.#folder = ledgerFolderOf(root);
    this.#store = new FileStore(ledgerFileIn(this.#folder, stackOf(project, stack)));
  }

  get kept(): Kept {
    return this.#store.read();
  }

  /** Reconciles the ledger. A run that changes nothing leaves it as it is. */
  begin(recorded: Creations, changesNothing: boolean): Pick<RunFacts, "ledger" | "isNewLedger"> {
    const kept = this.#store.read();
    if (!changesNothing) this.#store.begin(reconcile(kept, stateOfCreations(recorded)));
    return { ledger: this.#folder, ...(!kept.isThere && { isNewLedger: true as const }) };
  }

  /** Tidies the ledger up once the state is written. `read` is called only if something was created. */
  async end(read: () => Promise<Pick<Creations, "resources">>): Promise<void> {
    const kept = this.#store.read();
    if (kept.entries.length === 0) return;
    const { resources } = await read();
    this.#store.note(reconcile({ ...kept, isWhole: true }, stateOfCreations({ resources, pending: [] })));
  }

  /** Notes that the state is not saved until `mark("ended")`. */
  mark(run: Unended | "ended"): void {
    this.#store.mark(run);
  }

  /** A run has covered the whole stack, so it has redone everything that a killed run had not saved. */
  endUnsaved(): void {
    const { entries, run } = this.#store.read();
    // An object that the state still holds is ours, since that run has looked at it.
    const removals = entries.filter(({ state }) => state === "removed");
    if (removals.length > 0) this.#store.note(removals.map(crossedOut));
    if (run === "unsaved") this.mark("ended");
  }

  get isUnsaved(): boolean {
    return this.#store.read().run === "unsaved";
  }

  /** `read` is called only if the ledger has entries or is damaged. */
  async open(read: () => Promise<Creations>): Promise<StackLedger> {
    const kept = this.#store.read();
    const isEmpty = kept.isWhole && kept.entries.length === 0;
    const recorded = isEmpty ? { resources: [], pending: [] } : await read();
    return ledgerFrom(kept, recorded, (changes) => this.#store.write(changes));
  }
}
