import type { CallType, PendingCall, ResourceState } from "../model/types.ts";
import { arrange } from "./integrity.ts";

/**
 * One change to the state, with numbers in place of objects, as the journal keeps it. Resources of the base are numbered from 0 in their order. Each
 * `new` that takes no other's place gets the next number.
 */
export type JournalEntry =
  | { step: "begin"; operation: number; type: CallType; resource: ResourceState }
  | {
      step: "change";
      /** The operation that ends with this change. */
      operation?: number;
      old?: number;
      /** `"same"`: the old state moves on unchanged. */
      new?: ResourceState | "same";
      inPlace?: boolean;
      replaced?: number;
    }
  | { step: "settle"; pending: number };

/**
 * The resources of a stack while they change. Resources of this run come first, in the order of their steps, then the rest of the base. Both parts
 * keep dependencies before dependents. It works on decrypted and encrypted states alike, so a run and the replay of its journal share it. Pure.
 */
export class Ledger {
  readonly #base: Map<number, ResourceState>;
  readonly #current = new Map<number, ResourceState>();
  readonly #operations = new Map<number, PendingCall>();
  readonly #basePending: (PendingCall | undefined)[];
  #nextNumber: number;

  constructor(resources: readonly ResourceState[], pending: readonly PendingCall[]) {
    this.#base = new Map(resources.entries());
    this.#nextNumber = resources.length;
    this.#basePending = [...pending];
  }

  /** Applies a step. Returns the number of its `new` state. */
  apply(entry: JournalEntry): number | undefined {
    switch (entry.step) {
      case "begin":
        this.#operations.set(entry.operation, { resource: entry.resource, type: entry.type });
        return undefined;
      case "settle":
        this.#basePending[entry.pending] = undefined;
        return undefined;
      case "change":
        return this.#change(entry);
    }
  }

  state(number: number): ResourceState {
    const state = this.#current.get(number) ?? this.#base.get(number);
    if (state === undefined) throw new RangeError(`the ledger has no state number ${number}`);
    return state;
  }

  resources(): ResourceState[] {
    return arrange([...this.#current.values(), ...this.#base.values()]);
  }

  /** Returns the calls without a recorded end, and those of earlier runs that nobody settled. */
  pendingOperations(): PendingCall[] {
    return [...this.#operations.values(), ...this.#basePending.filter((call) => call !== undefined)];
  }

  #change(entry: JournalEntry & { step: "change" }): number | undefined {
    if (entry.operation !== undefined) this.#operations.delete(entry.operation);
    if (entry.replaced !== undefined) this.#put(entry.replaced, { ...this.state(entry.replaced), delete: true });
    const next = entry.new === "same" ? this.state(entry.old ?? -1) : entry.new;
    if (entry.inPlace === true && entry.old !== undefined && next !== undefined) {
      this.#put(entry.old, next);
      return entry.old;
    }
    if (entry.old !== undefined) this.#placeOf(entry.old).delete(entry.old);
    if (next === undefined) return undefined;
    const number = this.#nextNumber++;
    this.#current.set(number, next);
    return number;
  }

  #put(number: number, state: ResourceState): void {
    this.#placeOf(number).set(number, state);
  }

  #placeOf(number: number): Map<number, ResourceState> {
    this.state(number);
    return this.#current.has(number) ? this.#current : this.#base;
  }
}
