import { isDeepStrictEqual } from "node:util";
import type { Deployment, PendingCall, ResourceState, SecretsProvider } from "../model/types.ts";
import { newManifest } from "./checkpoint.ts";
import type { JournalWriter } from "./journal.ts";
import { type JournalEntry, Ledger } from "./ledger.ts";
import { encodeResource } from "./resources.ts";
import type { SecretCodec } from "./secret-values.ts";
import type { StackLock, StateChange, UpdateSummary } from "./types.ts";

export interface SessionParts {
  base: Deployment;
  secretsProvider: SecretsProvider | undefined;
  codec: SecretCodec;
  journal: JournalWriter;
  lock: StackLock;
  finish(deployment: Deployment, summary: UpdateSummary): Promise<void>;
}

/**
 * The state during one operation on one stack: a ledger in memory and a journal on disk, which get every change in the same order. Every change is
 * durable before its promise resolves; concurrent calls share one disk flush. Objects passed in belong to the session: to change one, pass a new object.
 */
export class UpdateSession {
  /** The stack when the session began, with the journal of a killed run folded in. */
  readonly base: Deployment;
  readonly #parts: SessionParts;
  readonly #ledger: Ledger;
  readonly #numbers = new WeakMap<ResourceState, number>();
  readonly #unsettled: PendingCall[];
  #operations = 0;

  constructor(parts: SessionParts) {
    this.base = parts.base;
    this.#parts = parts;
    this.#ledger = new Ledger(parts.base.resources, parts.base.pendingOperations);
    this.#unsettled = [...parts.base.pendingOperations];
    for (const [number, state] of parts.base.resources.entries()) this.#numbers.set(state, number);
  }

  /** Records a call before it is made. `commit` ends it by the returned number. */
  async begin(call: PendingCall): Promise<number> {
    this.#parts.lock.check();
    const number = ++this.#operations;
    const entry: JournalEntry = { step: "begin", operation: number, type: call.type, resource: call.resource };
    this.#ledger.apply(entry);
    await this.#parts.journal.add({ ...entry, resource: encodeResource(call.resource, this.#parts.codec) });
    return number;
  }

  /** Records the effect of a call: none if it certainly did nothing. A call may succeed in part, with `initErrors`. */
  async commit(operation: number, change: StateChange): Promise<void> {
    await this.#parts.journal.add(this.#apply(change, operation));
  }

  /** Records a step without a call: same, a component and its outputs, a refresh, a dropped state. */
  async note(change: StateChange): Promise<void> {
    const entry = this.#apply(change);
    if (entry.new === "same") this.#parts.journal.addLazily(entry);
    else await this.#parts.journal.add(entry);
  }

  /** Clears an operation of `base.pendingOperations`. Others stay recorded. */
  async settle(call: PendingCall): Promise<void> {
    const pending = this.#unsettled.indexOf(call);
    if (pending === -1) return;
    const entry: JournalEntry = { step: "settle", pending };
    this.#ledger.apply(entry);
    await this.#parts.journal.add(entry);
  }

  snapshot(): Deployment {
    return {
      manifest: newManifest(),
      secretsProvider: this.#parts.secretsProvider,
      resources: this.#ledger.resources(),
      pendingOperations: this.#ledger.pendingOperations(),
      metadata: this.base.metadata,
    };
  }

  /** Writes the checkpoint atomically, then history and backup, and removes the journal. The caller keeps the lock. */
  async end(summary: UpdateSummary): Promise<void> {
    try {
      await this.#parts.finish(this.snapshot(), summary);
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  /** Gives up the session without a checkpoint. The journal stays, and the next session folds it. */
  async abandon(): Promise<void> {
    await this.#parts.journal.close();
  }

  /** Changes the ledger at once. Returns the same entry in the journal's form. */
  #apply(change: StateChange, operation?: number): JournalEntry & { step: "change" } {
    const old = this.#numberOf(change.old);
    const replaced = this.#numberOf(change.replaced);
    const { new: next } = change;
    const stays = old !== undefined && next !== undefined && replaced === undefined;
    const same = stays && isSameState(this.#ledger.state(old), next);
    const inPlace = change.inPlace === true ? true : undefined;
    const entry = { step: "change" as const, operation, old, inPlace, replaced };
    const number = this.#ledger.apply({ ...entry, new: next });
    if (number !== undefined && next !== undefined) this.#numbers.set(next, number);
    return { ...entry, new: same ? "same" : next && encodeResource(next, this.#parts.codec) };
  }

  #numberOf(state: ResourceState | undefined): number | undefined {
    if (state === undefined) return undefined;
    const number = this.#numbers.get(state);
    if (number === undefined)
      throw new TypeError(`${state.urn}: not an object of this session; pass the one from base or an earlier change`);
    return number;
  }
}

/** Tells if two states are equal apart from the place of the registration, which is not worth a flush. */
function isSameState(before: ResourceState, after: ResourceState): boolean {
  const essence = (state: ResourceState): object => ({ ...state, sourcePosition: undefined, stackTrace: undefined });
  return isDeepStrictEqual(essence(before), essence(after));
}
