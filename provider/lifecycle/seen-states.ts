/**
 * What the states that were handed to this process tell. A creation gets none: that its resource has an object already,
 * which the new one is to replace, is known from an earlier call alone.
 */
import type { CreationRecord } from "./creation-record.ts";
import { ownIn } from "./identity.ts";
import type { ObjectState } from "./object-state.ts";

export class SeenStates {
  readonly #record: CreationRecord;
  readonly #holders = new Map<string, string>();

  constructor(record: CreationRecord) {
    this.#record = record;
  }

  /** What a state holds need not be in our own record any longer. */
  note({ identity, id, predecessor }: ObjectState): void {
    if (identity === undefined || id === undefined) return;
    this.#record.settled(ownIn(identity), id);
    this.#holders.set(identity, predecessor ?? id);
  }

  forget(identity: string | undefined): void {
    if (identity !== undefined) this.#holders.delete(identity);
  }

  /** The object that may hold a path which the resource's new one is to have. */
  predecessorOf(identity: string | undefined): string | undefined {
    return identity === undefined ? undefined : this.#holders.get(identity);
  }
}
