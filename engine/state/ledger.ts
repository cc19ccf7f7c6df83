import { arrange } from "./integrity.ts";
import type { Operation, OperationType, ResourceState } from "./types.ts";

/**
 * One change to the state, with numbers in place of objects, as the journal keeps it. Resources of the base are
 * numbered from 0 in their order; each `new` that takes no other's place gets the next number.
 */
export type Step =
  | { step: "begin"; operation: number; type: OperationType; resource: ResourceState }
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
 * The resources of a stack while they change. Those that this run has dealt with come first, in the order of their
 * steps, then what is left of the base: both parts keep dependencies before dependents. Works the same on decrypted
 * and on encrypted states, so that a run and the replay of its journal share it. Pure.
 */
export class Ledger {
  readonly #base: Map<number, ResourceState>;
  readonly #current = new Map<number, ResourceState>();
  readonly #operations = new Map<number, Operation>();
  readonly #basePending: (Operation | undefined)[];
  #nextNumber: number;

  constructor(resources: readonly ResourceState[], pending: readonly Operation[]) {
    this.#base = new Map(resources.entries());
    this.#nextNumber = resources.length;
    this.#basePending = pending.filter((operation) => operation.type === "creating");
  }

  /** Applies a step; the answer is the number of its `new` state. */
  apply(step: Step): number | undefined {
    switch (step.step) {
      case "begin":
        this.#operations.set(step.operation, { resource: step.resource, type: step.type });
        return undefined;
      case "settle":
        this.#basePending[step.pending] = undefined;
        return undefined;
      case "change":
        return this.#change(step);
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

  /** Calls whose end is not recorded, and creates of earlier runs that nobody settled. */
  pendingOperations(): Operation[] {
    return [...this.#operations.values(), ...this.#basePending.filter((operation) => operation !== undefined)];
  }

  #change(step: Step & { step: "change" }): number | undefined {
    if (step.operation !== undefined) this.#operations.delete(step.operation);
    if (step.replaced !== undefined) this.#put(step.replaced, { ...this.state(step.replaced), delete: true });
    const next = step.new === "same" ? this.state(step.old ?? -1) : step.new;
    if (step.inPlace === true && step.old !== undefined && next !== undefined) {
      this.#put(step.old, next);
      return step.old;
    }
    if (step.old !== undefined) this.#placeOf(step.old).delete(step.old);
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
