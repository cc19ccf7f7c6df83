/**
 * The account as one consistent layer: the only door to the service for kinds, lookups and the command line. A read shows what this client
 * wrote. Nothing above waits, looks again or guesses. How to use it:
 *
 * - `api` has the typed calls. Its reads by id never go back to older values, and they wait for new objects. Its lists show the newest
 *   known records. Every write notes itself, so a caller can forget nothing.
 * - `read` returns a record as it is now. It returns undefined only if both the read by id and the search say that the record is gone.
 * - `row` and `latest` do the same for many records at once, from shared lists: `row` for a refresh, `latest` after a write.
 * - `settled` returns the record that shows the values of a write. It throws a NotYetSeenError with the unchanged fields if nothing shows
 *   them in time.
 * - `documents` does the same for the document of a page: its texts, its metadata, its delay, and its public address.
 * - `remove` deletes. `make` creates, finds the object after a lost answer, or throws a LostAnswerError. `find` looks for an object that a
 *   list may show late. `orGone(api.pages.read(id))` returns a 404 as a value, without a second opinion.
 */
import { landform } from "../values/command-line.ts";
import { LandformApi, type ApiConfig } from "../api/index.ts";
import type { Collection, Identified } from "../definition/collection.ts";
import { DeleteError, NotYetSeenError } from "../messages/errors.ts";
import { LIST_SIZE, Bulk, type Source } from "./bulk.ts";
import { consistent, Memory } from "./memory.ts";
import { Documents } from "./documents.ts";
import { make, type Making } from "./making.ts";
import { patientLook, pause, recordOf, TIMES_FOR_GOOD } from "./presence.ts";
import { type End, removed, type Removal } from "./removal.ts";

/** Tells if a row of a list is no older than the caller knows. */
type Accept<Row> = (row: Row) => boolean;

export interface Settling<Shown> {
  readonly id: string;
  readonly call: string;
  /** Reads the object by its id, or repeats the write where no read shows the value. */
  readonly again: () => Promise<Shown>;
  readonly unmoved: (shown: Shown) => readonly string[];
}

/** A list of a part of a collection. It has no further pages. */
interface Shelf<Row> {
  readonly name: string;
  readonly list: () => Promise<readonly Row[]>;
}

export interface Finding {
  /** The API can't delete such an object, so a second one would stay for good. The search takes longer. */
  readonly forGood?: boolean;
  /** How long the list may lag behind here, if that is another time than the account's. */
  readonly longestMs?: number;
  /** Something that takes longer than this is no lag, however patient the account is. */
  readonly atMostMs?: number;
  /** Ends the looks with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export class Account {
  readonly api: LandformApi;
  readonly documents: Documents;
  readonly #patienceMs: number;
  readonly #onlyLooks: boolean;
  readonly #memory = new Memory();
  readonly #bulks = new Map<Collection, Map<string, Bulk<Identified>>>();

  /** `patienceMs`: how long answers may contradict each other. `onlyLooks`: a plan's questions read an object once. */
  constructor(config: ApiConfig, patienceMs = 0, onlyLooks = false) {
    this.#patienceMs = patienceMs;
    this.#onlyLooks = onlyLooks;
    this.#memory.onWrite = (id, isGone) => {
      this.forget(id, isGone);
    };
    this.api = new LandformApi(config, (call) => consistent(call, this.#memory, patienceMs));
    this.documents = new Documents(this.api, this);
  }

  read<Row extends Identified>(collection: Collection<Row>, id: string): Promise<Row | undefined> {
    return this.#bulkOf(collection).exact(id);
  }

  row<Row extends Identified>(
    collection: Collection<Row>,
    id: string,
    accept: Accept<Row> = () => true,
    shelf?: Shelf<Row>,
  ): Promise<Row | undefined> {
    return this.#bulkOf(collection, shelf).read(id, (row) => this.#isUpToDate(collection, row) && accept(row));
  }

  /** Returns the record after a write. Writes that end together share a look at the list. `accept` gets the other rows of that look. */
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

  /** Drops the listed rows of an object, so that they serve no further read. Every write calls it. */
  forget(id: string, isGone = false): void {
    for (const bulk of [...this.#bulks.values()].flatMap((shelves) => [...shelves.values()])) {
      if (isGone) bulk.forgetGone(id);
      else bulk.forget(id);
    }
  }

  async settled<Shown>(answer: Shown, { id, call, again, unmoved }: Settling<Shown>): Promise<Shown> {
    let fields = unmoved(answer);
    if (fields.length === 0) return answer;
    const later = await patientLook(async () => {
      const shown = await again();
      fields = unmoved(shown);
      return fields.length === 0 ? { shown } : undefined;
    }, this.#patienceMs);
    if (later === undefined) throw new NotYetSeenError(call, id, fields);
    return later.shown;
  }

  removed(removal: Removal): Promise<End> {
    return removed(removal, this.#patienceMs);
  }

  /** Deletes the object. Returns the reason if nobody can confirm that it is gone. */
  async remove(removal: Removal): Promise<string | undefined> {
    const { there, unconfirmed } = await this.removed(removal);
    if (there !== undefined) {
      throw new DeleteError(
        `${there} It stays in the state. Run again later; if it stays, delete it in the app and run "${landform("refresh")}".`,
      );
    }
    return unconfirmed;
  }

  make<Made>(making: Making<Made>): Promise<Made> {
    return make(making, this.#patienceMs);
  }

  /** Repeats a look until it shows something; undefined if it shows nothing in time. */
  find<Found>(look: () => Promise<Found | undefined>, finding: Finding = {}): Promise<Found | undefined> {
    const { forGood = false, longestMs = this.#patienceMs, atMostMs = Infinity, signal } = finding;
    return patientLook(look, Math.min(longestMs * (forGood ? TIMES_FOR_GOOD : 1), atMostMs), signal);
  }

  /** Waits longer than nearly every call takes, so calls that began at the same moment have ended. */
  letOthersEnd(): Promise<void> {
    return pause(this.#patienceMs);
  }

  #isUpToDate({ what }: Collection, row: Identified): boolean {
    return !this.#memory.isBehind({ noun: what, id: row.id }, row);
  }

  #bulkOf<Row extends Identified>(collection: Collection<Row>, shelf?: Shelf<Row>): Bulk<Row> {
    const shelves = this.#bulks.get(collection) ?? new Map<string, Bulk<Identified>>();
    this.#bulks.set(collection, shelves);
    // The questions of one plan share all rows.
    if (this.#onlyLooks && shelf) return this.#bulkOf(collection);
    const name = shelf?.name ?? "";
    const bulk = (shelves.get(name) as Bulk<Row> | undefined) ?? new Bulk<Row>(this.#sourceOf(collection, shelf));
    shelves.set(name, bulk as unknown as Bulk<Identified>);
    return bulk;
  }

  #sourceOf<Row extends Identified>(collection: Collection<Row>, shelf: Shelf<Row> | undefined): Source<Row> {
    const one = (id: string) => recordOf(collection, this.api, id, this.#patienceMs);
    if (shelf) return { one, list: (page) => (page === 0 ? shelf.list() : Promise.resolve([])), enough: 2 };
    const keeps = this.#onlyLooks;
    if (!collection.listPage) return { one, keeps };
    const list = async (page: number) => (await collection.listPage?.(this.api, { limit: LIST_SIZE, page })) ?? [];
    return { one, list, keeps };
  }
}
