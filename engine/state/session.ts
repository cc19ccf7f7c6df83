import { isDeepStrictEqual } from "node:util";
import { newManifest } from "./checkpoint.ts";
import type { JournalWriter } from "./journal.ts";
import { Ledger } from "./ledger.ts";
import type { Step } from "./ledger.ts";
import { encodeResource } from "./resources.ts";
import type {
  Deployment,
  Operation,
  Recovery,
  ResourceState,
  SecretsProvider,
  StackRef,
  StateChange,
  UpdateSession,
  UpdateSummary,
} from "./types.ts";
import type { SecretCodec } from "./values.ts";

export interface SessionParts {
  ref: StackRef;
  base: Deployment;
  recovered: Recovery | undefined;
  secretsProvider: SecretsProvider | undefined;
  codec: SecretCodec;
  journal: JournalWriter;
  /** Writes the checkpoint, then history and backup. */
  finish(deployment: Deployment, summary: UpdateSummary): Promise<void>;
}

/** Keeps the ledger in memory and the journal on disk in step: both see every change in the same order. */
export class JournaledSession implements UpdateSession {
  readonly ref: StackRef;
  readonly base: Deployment;
  readonly recovered: Recovery | undefined;
  readonly #parts: SessionParts;
  readonly #ledger: Ledger;
  readonly #numbers = new WeakMap<ResourceState, number>();
  readonly #unsettled: Operation[];
  #operations = 0;

  constructor(parts: SessionParts) {
    this.ref = parts.ref;
    this.base = parts.base;
    this.recovered = parts.recovered;
    this.#parts = parts;
    this.#ledger = new Ledger(parts.base.resources, parts.base.pendingOperations);
    this.#unsettled = parts.base.pendingOperations.filter((operation) => operation.type === "creating");
    for (const [number, state] of parts.base.resources.entries()) this.#numbers.set(state, number);
  }

  async begin(operation: Operation): Promise<number> {
    const number = ++this.#operations;
    const step: Step = { step: "begin", operation: number, type: operation.type, resource: operation.resource };
    this.#ledger.apply(step);
    await this.#parts.journal.add({ ...step, resource: this.#encode(operation.resource) });
    return number;
  }

  async commit(operation: number, change: StateChange): Promise<void> {
    await this.#parts.journal.add(this.#apply(change, operation));
  }

  async fail(operation: number): Promise<void> {
    await this.commit(operation, {});
  }

  async note(change: StateChange): Promise<void> {
    const step = this.#apply(change);
    if (step.new === "same") this.#parts.journal.addLazily(step);
    else await this.#parts.journal.add(step);
  }

  async settle(operation: Operation): Promise<void> {
    const pending = this.#unsettled.indexOf(operation);
    if (pending === -1) return;
    const step: Step = { step: "settle", pending };
    this.#ledger.apply(step);
    await this.#parts.journal.add(step);
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

  async end(summary: UpdateSummary): Promise<void> {
    try {
      await this.#parts.finish(this.snapshot(), summary);
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  async abandon(): Promise<void> {
    await this.#parts.journal.close();
  }

  /** Changes the ledger at once; the answer is the same step as the journal has to keep it. */
  #apply(change: StateChange, operation?: number): Step & { step: "change" } {
    const old = this.#numberOf(change.old);
    const same =
      old !== undefined &&
      change.new !== undefined &&
      change.replaced === undefined &&
      isSameState(this.#ledger.state(old), change.new);
    const step = {
      step: "change" as const,
      operation,
      old,
      inPlace: change.inPlace === true ? true : undefined,
      replaced: this.#numberOf(change.replaced),
    };
    const number = this.#ledger.apply({ ...step, new: change.new });
    if (number !== undefined && change.new !== undefined) this.#numbers.set(change.new, number);
    return { ...step, new: same ? "same" : change.new && this.#encode(change.new) };
  }

  #numberOf(state: ResourceState | undefined): number | undefined {
    if (state === undefined) return undefined;
    const number = this.#numbers.get(state);
    if (number === undefined)
      throw new TypeError(`${state.urn}: not an object of this session; pass the one from base or an earlier change`);
    return number;
  }

  #encode(state: ResourceState): ResourceState {
    return encodeResource(state, this.#parts.codec);
  }
}

/** Where the program registers a resource says nothing about the resource, so moving it is no change worth a flush. */
function isSameState(before: ResourceState, after: ResourceState): boolean {
  const essence = (state: ResourceState): object => ({ ...state, sourcePosition: undefined, stackTrace: undefined });
  return isDeepStrictEqual(essence(before), essence(after));
}
