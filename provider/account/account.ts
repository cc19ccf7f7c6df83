/**
 * The account as one consistent layer: the only door to the service for kinds, lookups and the command line. What this client
 * wrote is what it reads, and nothing above waits, looks again or guesses. How to use it:
 *
 * - `api` has the typed calls. Its reads by id show nothing older than what was shown before, wait for what was just made, and its
 *   lists have the newer records that are known in the place of older ones. Every write is noted by itself: nothing is to be forgotten.
 * - `read` gives a record as it is now, undefined only where it is gone by both accounts (by its id, and by the search for it).
 * - `row` and `latest` are the same for many at once, from shared lists: of a refresh, and after a write.
 * - `write` sends, and gives the record that shows what was sent; `settled` does so where the answer is at hand. Where none shows it
 *   in time, both throw a NotYetSeenError with the fields that are as they were.
 * - `documents` does the same for what a page holds: its texts, its metadata, its delay, and where it is public.
 * - `remove` deletes; `make` creates, finds what a lost answer made, or throws a LostAnswerError; `find` looks for what a list may
 *   show late. A 404 as a value, without a second opinion, is `orGone(api.pages.read(id))`.
 */
import { LandformApi, type ApiConfig } from "../api/index.ts";
import type { Collection, Identified } from "../definition/collection.ts";
import { DeleteError, NotYetSeenError } from "../messages/errors.ts";
import { LIST_SIZE, Bulk, type Source } from "./bulk.ts";
import { consistent } from "./calls.ts";
import { Documents } from "./documents.ts";
import { make, type Making } from "./making.ts";
import { Memory } from "./memory.ts";
import { pause, patientLook, TIMES_FOR_GOOD } from "./patience.ts";
import { recordOf } from "./presence.ts";
import { removed, type Removal } from "./removal.ts";

/** Whether a row of a list is no older than what the caller knows. */
type Accept<Row> = (row: Row) => boolean;

export interface Settling<Shown> {
  readonly id: string;
  /** As messages name it, such as `PATCH /products`. */
  readonly call: string;
  /** Reads it by its id; of what no read shows, the same write tells. */
  readonly again: () => Promise<Shown>;
  /** The fields that it shows as they were before, though others were sent. */
  readonly unmoved: (shown: Shown) => readonly string[];
}

/** A list of a part of a collection, which has no further pages. */
interface Shelf<Row> {
  readonly name: string;
  readonly list: () => Promise<readonly Row[]>;
}

export interface Finding {
  /** A second one would stay for good, since the API can't delete it: it is looked for longer. */
  readonly forGood?: boolean;
  /** Ends it with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export class Account {
  readonly api: LandformApi;
  readonly documents: Documents;
  readonly #patienceMs: number;
  readonly #memory = new Memory();
  readonly #bulks = new Map<Collection, Map<string, Bulk<Identified>>>();

  /** `patienceMs`: how long answers may contradict each other, or what was written. */
  constructor(config: ApiConfig, patienceMs = 0) {
    this.#patienceMs = patienceMs;
    this.#memory.onWrite = (id, isGone) => {
      this.forget(id, isGone);
    };
    this.api = new LandformApi(config, (call) => consistent(call, this.#memory, patienceMs));
    this.documents = new Documents(this.api, this);
  }

  /** As it is now; undefined where it is gone. */
  read<Row extends Identified>(collection: Collection<Row>, id: string): Promise<Row | undefined> {
    return recordOf(collection, this.api, id, this.#patienceMs);
  }

  /** From a list that reads which come together share, where its row is no older than what is known; else by its id. */
  row<Row extends Identified>(
    collection: Collection<Row>,
    id: string,
    accept: Accept<Row> = () => true,
    shelf?: Shelf<Row>,
  ): Promise<Row | undefined> {
    return this.#bulkOf(collection, shelf).read(id, (row) => this.#isUpToDate(collection, row) && accept(row));
  }

  /** After a write: those that end together share a look at the list. `accept` gets what else that showed. */
  latest<Row extends Identified>(
    collection: Collection<Row>,
    id: string,
    accept: (row: Row, listed: readonly Row[]) => boolean,
  ): Promise<Row | undefined> {
    return this.#bulkOf(collection).fresh(
      id,
      (row, listed) => this.#isUpToDate(collection, row) && accept(row, listed),
    );
  }

  /** What was listed of an object serves no further read. Every write says so by itself. */
  forget(id: string, isGone = false): void {
    for (const bulk of [...this.#bulks.values()].flatMap((shelves) => [...shelves.values()])) {
      if (isGone) bulk.forgetGone(id);
      else bulk.forget(id);
    }
  }

  async write<Shown>({ send, ...settling }: Settling<Shown> & { readonly send: () => Promise<Shown> }): Promise<Shown> {
    return this.settled(await send(), settling);
  }

  /** The answer that shows what was written. */
  async settled<Shown>(answer: Shown, settling: Settling<Shown>): Promise<Shown> {
    return settling.unmoved(answer).length === 0 ? answer : this.#settled(settling);
  }

  /** Gives why nobody can say that it is gone, where that is so. */
  async remove(removal: Removal): Promise<string | undefined> {
    const { there, unconfirmed } = await removed(removal, this.#patienceMs);
    if (there !== undefined) {
      throw new DeleteError(
        `${there} It stays in the state. Run again later; if it stays, delete it in the app and run "npx landform refresh".`,
      );
    }
    return unconfirmed;
  }

  make<Made>(making: Making<Made>): Promise<Made> {
    return make(making, this.#patienceMs);
  }

  /** What a look shows, as soon as it shows anything; undefined where it does not in time. */
  find<Found>(
    look: () => Promise<Found | undefined>,
    { forGood = false, signal }: Finding = {},
  ): Promise<Found | undefined> {
    return patientLook(look, this.#patienceMs * (forGood ? TIMES_FOR_GOOD : 1), signal);
  }

  /** As long as hardly any call takes: what others do at the same moment is over then. */
  letOthersEnd(): Promise<void> {
    return pause(this.#patienceMs);
  }

  async #settled<Shown>({ id, call, again, unmoved }: Settling<Shown>): Promise<Shown> {
    let fields: readonly string[] = [];
    const later = await patientLook(async () => {
      const shown = await again();
      fields = unmoved(shown);
      return fields.length === 0 ? { shown } : undefined;
    }, this.#patienceMs);
    if (later === undefined) throw new NotYetSeenError(call, id, fields);
    return later.shown;
  }

  #isUpToDate({ what }: Collection, row: Identified): boolean {
    return !this.#memory.isBehind({ noun: what, id: row.id }, row);
  }

  #bulkOf<Row extends Identified>(collection: Collection<Row>, shelf?: Shelf<Row>): Bulk<Row> {
    const shelves = this.#bulks.get(collection) ?? new Map<string, Bulk<Identified>>();
    this.#bulks.set(collection, shelves);
    const name = shelf?.name ?? "";
    const bulk = (shelves.get(name) as Bulk<Row> | undefined) ?? new Bulk<Row>(this.#sourceOf(collection, shelf));
    shelves.set(name, bulk as unknown as Bulk<Identified>);
    return bulk;
  }

  #sourceOf<Row extends Identified>(collection: Collection<Row>, shelf: Shelf<Row> | undefined): Source<Row> {
    const one = (id: string) => this.read(collection, id);
    if (shelf) return { one, list: (page) => (page === 0 ? shelf.list() : Promise.resolve([])), enough: 2 };
    if (!collection.listPage) return { one };
    return { one, list: async (page) => (await collection.listPage?.(this.api, { limit: LIST_SIZE, page })) ?? [] };
  }
}
