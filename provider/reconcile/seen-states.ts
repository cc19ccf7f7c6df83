/**
 * What the states that were handed to this process tell. A creation gets none: that its resource has an object already,
 * which the new one is to replace, is known from an earlier call alone.
 */
import type { Ledger } from "../ledger/ledger.ts";
import { afterMove, publicAddress, type FormerAddress } from "../values/addresses.ts";
import { ownIn } from "./identity.ts";
import type { AnyDefinition } from "../definition/define.ts";
import type { JsonMap } from "../values/json.ts";
import { objectKey, type ObjectKey } from "../definition/object-key.ts";
import { isFoundByName, specOfName } from "./creation.ts";
import type { ObjectState } from "./object-state.ts";

/** As its state has it, and as it is declared now; of what is deleted, as it was. */
export interface SeenObject {
  readonly state: ObjectState;
  readonly inputs: JsonMap;
}

export class SeenStates {
  readonly #ledger: Ledger;
  readonly #holders = new Map<string, string>();
  readonly #addresses = new Map<string, readonly FormerAddress[]>();
  readonly #objects = new Map<ObjectKey, SeenObject>();
  /** Who has an object: a state may have it twice, under two names. */
  readonly #owners = new Map<ObjectKey, string[]>();

  /** `shared`: what the state has several times, for each of its entries its identity. */
  constructor(ledger: Ledger, shared: Readonly<Record<ObjectKey, readonly string[]>> = {}) {
    this.#ledger = ledger;
    for (const [key, identities] of Object.entries(shared)) this.#owners.set(key as ObjectKey, [...identities]);
  }

  note(definition: AnyDefinition, state: ObjectState, inputs: JsonMap = Object.fromEntries(state.declared)): void {
    const { identity, id, predecessor, former, answer } = state;
    if (id === undefined) return;
    const key = objectKey(definition, id);
    this.#objects.set(key, { state, inputs });
    if (identity === undefined) return;
    const owners = this.#owners.get(key) ?? [];
    if (!owners.includes(identity)) this.#owners.set(key, [...owners, identity]);
    this.#settle(definition, ownIn(identity), state);
    this.#holders.set(identity, predecessor ?? id);
    const left = afterMove(former, publicAddress(answer), undefined, new Date().toISOString());
    this.#addresses.set(identity, left);
  }

  /** What a state holds need not be in the ledger any longer. */
  #settle(definition: AnyDefinition, key: string, { id, declared }: ObjectState): void {
    const name = declared.get("name");
    const spec = isFoundByName(definition) && typeof name === "string" ? specOfName(name) : undefined;
    const entries = this.#ledger.of(key);
    const isNamed = spec !== undefined && entries.some((one) => one.spec === spec);
    this.#ledger.settle(isNamed ? entries : entries.filter((one) => one.id === id));
  }

  /** One resource lets go of its object; the answer is another one that has it, and keeps it. */
  letGo(key: ObjectKey, identity: string | undefined): string | undefined {
    const owners = this.#owners.get(key) ?? [];
    const left = identity === undefined ? -1 : owners.indexOf(identity);
    const others = owners.filter((_, index) => index !== left);
    this.#owners.set(key, others);
    return others[0];
  }

  objectOf(key: ObjectKey): SeenObject | undefined {
    return this.#objects.get(key);
  }

  forget(identity: string | undefined): void {
    if (identity !== undefined) this.#holders.delete(identity);
  }

  /** The object that may hold a path which the resource's new one is to have. */
  predecessorOf(identity: string | undefined): string | undefined {
    return identity === undefined ? undefined : this.#holders.get(identity);
  }

  /** Where the resource's objects were public, the latest last: a new one that is public elsewhere has moved from there. */
  addressesOf(identity: string | undefined): readonly FormerAddress[] {
    return (identity === undefined ? undefined : this.#addresses.get(identity)) ?? [];
  }
}
