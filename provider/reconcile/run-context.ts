/** The things that all resources of one run share: the client, bulk reads, the account behind the key, and what the run knows. */
import { Account } from "../account/account.ts";
import { type ApiConfig, ForbiddenError, type LandformApi } from "../api/index.ts";
import { revealed } from "../api/config.ts";
import { PublicPages } from "../api/public-page.ts";
import type { Collection, Found, Identified } from "../definition/collection.ts";
import type { AnyDefinition } from "../definition/define.ts";
import type { ForeignEditsSettings } from "../messages/foreign-edits.ts";
import { type Keeper, keyFrom, type Restore } from "../history/kept.ts";
import { camelKeys, type JsonMap } from "../values/json.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Notice } from "../messages/notices.ts";
import { UnknownAccountError, WrongAccountError } from "../messages/errors.ts";
import { afterMove, type FormerAddress } from "../values/addresses.ts";
import { type ObjectKey, objectKey, resourceKeyIn } from "../ledger/identity.ts";
import { isFoundByName, creationDigestOfName } from "./creation.ts";
import type { ObjectState } from "./object-state.ts";

export interface Settings {
  /** Read everything on refresh, even where updated_at did not move. */
  readonly full: boolean;
  /** How long the run looks for a lost answer before it gives up. */
  readonly patienceMs: number;
  /** It is no run: a plan asks the account. */
  readonly onlyLooks?: boolean;
  /** By object, the inputs that a killed run was writing, with the values that it was asked for. */
  readonly halfWritten?: ReadonlyMap<ObjectKey, JsonMap>;
  /** The run reads objects only because an earlier one was killed, or published a release. */
  readonly goesOn?: boolean;
  /** Objects that are the stack's own, or become it, and that this run works on or deletes. */
  readonly ours?: Set<ObjectKey>;
  /** Objects that the run gives up and leaves in the account, as its plan says. */
  readonly leaves?: ReadonlySet<ObjectKey>;
  /** The command line told what the stack holds and what becomes of it. Under plain `pulumi up` nobody does. */
  readonly knowsStack?: boolean;
  readonly savesAtEnd?: boolean;
  readonly seen?: SeenStates;
  /** Kinds that the run creates, where its plan is known. */
  readonly creates?: readonly AnyDefinition[];
  /** Ids of objects that no interrupted run made, as the user said. */
  readonly foreign: ReadonlySet<string>;
  readonly ledger: Ledger;
  /** The decision of a publication about edits in the draft that are not the program's. */
  readonly foreignEdits?: ForeignEditsSettings;
  /** By id, the pages that make way for another page and are deleted, with the date of the last edit that the plan has decided about. */
  readonly makesWay?: Readonly<Record<string, string>>;
  /** Keeps the values of objects before they are written over; absent if nothing is to be kept. */
  readonly keeper?: Keeper | undefined;
  readonly restore?: Restore | undefined;
  /** Look at the public page after each publication. */
  readonly verify?: boolean;
  /** How long a page may take to show what was published. */
  readonly verifyWaitMs?: number;
  /** The account of the key, where the plan of the same command has asked just now. */
  readonly accountOfKey?: string | undefined;
  readonly warn: (notice: Notice) => void;
}

/** Returns a name of the key at its address. It doesn't tell the key. */
export function nameOfKey(config: ApiConfig): string {
  return keyFrom(revealed(config), `landform: account at ${config.baseUrl}`);
}

export class RunContext {
  readonly account: Account;
  readonly api: LandformApi;
  readonly publicPages: PublicPages;
  readonly settings: Settings;
  /** Returns the key that seals the ledger's notes on objects: a reader without the account's key learns nothing. */
  readonly noteKey: () => string;
  readonly nameOfKey: () => string;
  /** Bulk looks for unfinished objects, one a kind and process. */
  readonly looks = new Map<string, Promise<Found[]>>();
  /** The ids of the objects that this run made, by the OWN of their resources. */
  readonly made = new Map<string, string>();
  /** Objects that this run took over: a list may show them as free for a while. */
  readonly taken = new Set<ObjectKey>();
  /** Objects that are resources of this run by their adoptId: nothing of them is deleted, whatever an engine makes of it. */
  readonly adopted = new Set<ObjectKey>();
  /** Public addresses of the sites that this run made: no later read shows them. */
  readonly siteAddresses = new Map<string, string>();
  /** Objects that this run deleted or retired: a list may show them for a while, and the service may count them as in use. */
  readonly deleted = new Set<ObjectKey>();
  /** By kind and id, the reason why a deletion had to leave an object in the account. */
  readonly #staying = new Map<string, string>();
  /** The program runs as a preview environment: nobody but its readers visits its pages. */
  isPreview = false;
  /** Ids of pages whose drafts hold edits of others that nobody said may go live. */
  readonly heldBack = new Set<string>();
  /** For an undo, by id of a page that it makes again: the values that only its draft had, until its release has published it. */
  readonly draftsToCome = new Map<string, JsonMap>();
  /** Ids of pages whose drafts this run has searched for edits of others. */
  readonly looked = new Set<string>();
  /** Ids of pages that this run published elsewhere, because another one took their address. */
  readonly putAside = new Set<string>();
  readonly #parts = new Map<new (run: RunContext) => unknown, unknown>();
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #warned = new Set<string>();
  #accountId: Promise<string | undefined> | undefined;
  #seenAccount: string | undefined;
  #told: { readonly id: string; readonly at: number } | undefined;

  constructor(config: ApiConfig, settings: Settings) {
    this.account = new Account(config, settings.patienceMs, settings.onlyLooks);
    this.api = this.account.api;
    this.publicPages = new PublicPages(config.baseUrl);
    this.settings = settings;
    this.noteKey = () => keyFrom(revealed(config), "landform: notes of creations");
    this.nameOfKey = () => nameOfKey(config);
    if (settings.accountOfKey !== undefined) this.#accountId = Promise.resolve(settings.accountOfKey);
  }

  /** Returns the row of a list if that is no older than the state knows, and reads it by its id otherwise. */
  row<Row extends Identified>(collection: Collection<Row>, id: string, old: ObjectState): Promise<Row | undefined> {
    return this.account.row(collection, id, (row) => old.isTold(camelKeys(row)));
  }

  /** Returns something else that the passes of this run know of each other: one object of a class. */
  part<Part>(made: new (run: RunContext) => Part): Part {
    const part = this.#parts.get(made) ?? new made(this);
    this.#parts.set(made, part);
    return part as Part;
  }

  /** Waits for something that may follow: a run comes to its objects one after another. */
  comesTo<Found>(look: () => Found | undefined, atMostMs: number): Promise<Found | undefined> {
    return this.account.find(() => Promise.resolve(look()), { atMostMs });
  }

  /** Runs work on one page that must not overlap with other such work on it. */
  async inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.#turns.get(id) ?? Promise.resolve()).then(work, work);
    this.#turns.set(
      id,
      turn.catch(() => undefined),
    );
    return turn;
  }

  warn(notice: Notice): void {
    if (notice.code === "stays") this.#staying.set(`${notice.kind} ${notice.id}`, notice.text);
    this.settings.warn(notice);
  }

  whyStaying(kind: string, id: string): string | undefined {
    return this.#staying.get(`${kind} ${id}`);
  }

  /** Tells one notice of its code and topic for each object. */
  warnOnce(notice: Notice): void {
    const { code, kind, id } = notice;
    const subject = [code, kind, id, topicOf(notice)].join(" ");
    if (this.#warned.has(subject)) return;
    this.#warned.add(subject);
    this.warn(notice);
  }

  /** Notes the account that the state belongs to, so that a creation in the same run can be compared with it. */
  expectAccount(account: string | undefined): void {
    this.#seenAccount ??= account;
  }

  /** Refuses a key of another account than the state's, and one that may not tell its account (scope account:read). */
  async accountId(expected?: string): Promise<string | undefined> {
    this.#accountId ??= this.#ask();
    const actual = await this.#accountId;
    const wanted = expected ?? this.#seenAccount;
    if (wanted === undefined || actual === wanted) return actual;
    const { keyVariable } = this.api;
    throw actual === undefined
      ? new UnknownAccountError(wanted, keyVariable)
      : new WrongAccountError(wanted, actual, keyVariable);
  }

  accountToldWithin(ms: number): string | undefined {
    return this.#told && performance.now() - this.#told.at < ms ? this.#told.id : undefined;
  }

  async #ask(): Promise<string | undefined> {
    try {
      const { id } = await this.api.account.me();
      this.#told = { id, at: performance.now() };
      return id;
    } catch (error) {
      if (error instanceof ForbiddenError) return undefined;
      this.#accountId = undefined;
      throw error;
    }
  }
}

function topicOf(notice: Notice): string {
  if (notice.code === "of-kind") return notice.topic;
  return notice.code === "foreign-edits" ? notice.outcome : "";
}

/** An object as its state has it, and as it is declared now. A deleted object is as it was. */
interface SeenObject {
  readonly state: ObjectState;
  readonly inputs: JsonMap;
}

/** The states that this process was handed. A creation gets none: an earlier call tells which object its new one replaces. */
export class SeenStates {
  readonly #ledger: Ledger;
  readonly #holders = new Map<string, string>();
  readonly #addresses = new Map<string, readonly FormerAddress[]>();
  readonly #objects = new Map<ObjectKey, SeenObject>();
  /** The resources that have an object: a state may have it twice, under two names. */
  readonly #owners = new Map<ObjectKey, string[]>();

  /** `shared`: the objects that the state has several times, with the identity of each entry. */
  constructor(ledger: Ledger, shared: Readonly<Record<ObjectKey, readonly string[]>> = {}) {
    this.#ledger = ledger;
    for (const [key, identities] of Object.entries(shared)) this.#owners.set(key as ObjectKey, [...identities]);
  }

  /** `named`: the identity that the code gives the object now. A resource that was renamed is replaced under its new name. */
  note(
    definition: AnyDefinition,
    state: ObjectState,
    inputs: JsonMap = Object.fromEntries(state.declared),
    named?: string,
  ): void {
    const { identity, id, replacedId, former } = state;
    if (id === undefined) return;
    const key = objectKey(definition, id);
    this.#objects.set(key, { state, inputs });
    if (identity === undefined) return;
    const owners = this.#owners.get(key) ?? [];
    if (!owners.includes(identity)) this.#owners.set(key, [...owners, identity]);
    this.#settle(definition, resourceKeyIn(identity), state);
    const left = afterMove(former, state.knownAddress(), undefined, new Date().toISOString());
    this.#holders.set(named ?? identity, replacedId ?? id);
    this.#addresses.set(named ?? identity, left);
  }

  /** Settles the entries of an object that a state holds: it need not be in the ledger any longer. */
  #settle(definition: AnyDefinition, key: string, { id, declared }: ObjectState): void {
    const name = declared.get("name");
    const creationDigest =
      isFoundByName(definition) && typeof name === "string" ? creationDigestOfName(name) : undefined;
    const entries = this.#ledger.of(key);
    const isNamed = creationDigest !== undefined && entries.some((one) => one.creationDigest === creationDigest);
    this.#ledger.settle(isNamed ? entries : entries.filter((one) => one.id === id));
  }

  /** Lets one resource's object go. Returns another resource that has the object, and keeps it. */
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

  /** Tells if a killed run has begun to remove the object, and nothing shows if it did. */
  mayBeRemoved(object: ObjectState): boolean {
    return this.#ledger.removal(object) !== undefined;
  }

  forget(identity: string | undefined): void {
    if (identity !== undefined) this.#holders.delete(identity);
  }

  /** Returns the object that may hold a path which the resource's new one is to have. */
  replacedIdOf(identity: string | undefined): string | undefined {
    return this.#holders.get(identity ?? "");
  }

  /** Returns the addresses where the resource's objects were public, the latest last. A new object that is public elsewhere has moved from there. */
  addressesOf(identity: string | undefined): readonly FormerAddress[] {
    return this.#addresses.get(identity ?? "") ?? [];
  }
}
