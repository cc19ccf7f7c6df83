/**
 * Bulk reads: many single reads become a few list calls.
 *
 * - `read(id, accept)` serves a refresh. It answers reads that come in together from list pages of 100. It never makes more list calls than
 *   there are reads. A lonely read goes by id, unless the lists have answered many before it: an engine asks for the objects of a state a few
 *   at a time. An object that the lists don't show is read by id, since a list may lag. So is a row that `accept` doubts.
 * - `fresh(id, accept)` serves the end of an apply, whose last answer carries no updated_at. Objects that finish together share one look at
 *   the list page where new objects last turned up. A record that doesn't show the last write yet is read by id. `accept` gets the other
 *   rows of the look. A look waits as long as two calls take, to serve objects that finish meanwhile, but only while there is work that may
 *   join it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { underWay } from "../api/gate.ts";

export interface Source<Row> {
  /** Reads one list page of 100, oldest or newest first. Absent if a list can't be continued: then each read goes by id. */
  readonly list?: (page: number) => Promise<readonly Row[]>;
  /** Returns undefined only if the service itself says that it is gone. */
  readonly one: (id: string) => Promise<Row | undefined>;
  readonly enough?: number;
  /** Nobody writes meanwhile, so a row that was read by its id serves later reads, too. */
  readonly keeps?: boolean;
}

type Accept<Row> = (row: Row, listed: readonly Row[]) => boolean;

interface Waiting<Row> {
  readonly accept: Accept<Row>;
  readonly resolve: (row: Row | undefined) => void;
  readonly reject: (reason: unknown) => void;
}

export const LIST_SIZE = 100;
const ENOUGH_FOR_A_LIST = 4;
const GATHER_MS = 5;
const LONGEST_GATHER_MS = 500;
const FRUITLESS_LOOKS = 2;

export class Bulk<Row extends { id: string }> {
  readonly #source: Source<Row>;
  readonly #known = new Map<string, Row>();
  /** Ids of rows that were read by their id and serve later reads. No reader doubts them. */
  readonly #sure = new Set<string>();
  readonly #reads = new Map<string, Waiting<Row>[]>();
  readonly #fresh = new Map<string, Waiting<Row>[]>();
  #nextPage = 0;
  #exhausted = false;
  #asked = 0;
  #listed = 0;
  /** The number of reads that listed rows have answered. */
  #served = 0;
  #reading = false;
  #refreshing = false;
  #hotPage = 0;
  #fruitless = 0;
  #lookMs = 0;
  /** The number of listed objects that were deleted since. The later rows of the list have moved up. */
  #gone = 0;

  constructor(source: Source<Row>) {
    this.#source = source;
  }

  read(id: string, accept: (row: Row) => boolean): Promise<Row | undefined> {
    if (!this.#source.list && this.#source.keeps !== true) return this.#source.one(id);
    const known = this.#known.get(id);
    this.#asked++;
    if (known && (this.#sure.has(id) || accept(known))) {
      this.#served++;
      return Promise.resolve(known);
    }
    const answer = enqueue(this.#reads, id, accept);
    if (!this.#reading) void this.#serveReads();
    return answer;
  }

  /** Reads an object by its id. If rows serve later reads, it is read once. */
  async exact(id: string): Promise<Row | undefined> {
    const known = this.#sure.has(id) ? this.#known.get(id) : undefined;
    return known ?? this.#keep(id, await this.#source.one(id));
  }

  #keep(id: string, row: Row | undefined): Row | undefined {
    if (row && this.#source.keeps === true) this.#sure.add(id);
    if (row && (this.#sure.has(id) || this.#known.has(id))) this.#known.set(id, row);
    return row;
  }

  fresh(id: string, accept: Accept<Row>): Promise<Row | undefined> {
    this.forget(id);
    const answer = enqueue(this.#fresh, id, accept);
    if (!this.#refreshing) void this.#serveFresh();
    return answer;
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  /** Drops the row of a deleted object. The later rows of the list move up. */
  forgetGone(id: string): void {
    if (this.#known.delete(id)) this.#gone++;
  }

  async #serveReads(): Promise<void> {
    this.#reading = true;
    await sleep(GATHER_MS);
    while (this.#reads.size > 0) {
      const doubted = this.#settleListed();
      if (doubted.length > 0) await this.#readEach(this.#reads, doubted);
      else if (this.#isWorthAList()) await this.#listNext();
      else await this.#readEach(this.#reads, [...this.#reads.keys()]);
    }
    this.#reading = false;
  }

  #isWorthAList(): boolean {
    if (this.#exhausted || this.#listed >= this.#asked || this.#reads.size === 0) return false;
    const enough = this.#source.enough ?? ENOUGH_FOR_A_LIST;
    return this.#reads.size >= enough || (this.#listed > 0 && this.#served >= this.#listed * enough);
  }

  #settleListed(): string[] {
    return [...this.#reads].flatMap(([id, waiting]) => {
      const row = this.#known.get(id);
      if (!row) return [];
      if (!waiting.every(({ accept }) => accept(row, []))) return [id];
      this.#served++;
      settle(this.#reads, id, row);
      return [];
    });
  }

  async #listNext(): Promise<void> {
    try {
      this.#listed++;
      const page = Math.max(0, this.#nextPage - Math.ceil(this.#gone / LIST_SIZE));
      this.#nextPage = page + 1;
      this.#gone = 0;
      const rows = (await this.#source.list?.(page)) ?? [];
      const before = this.#known.size;
      for (const row of rows) this.#known.set(row.id, row);
      if (rows.length < LIST_SIZE || this.#known.size === before) this.#exhausted = true;
    } catch {
      this.#exhausted = true; // the reads by id tell the cause
    }
  }

  async #serveFresh(): Promise<void> {
    this.#refreshing = true;
    while (this.#fresh.size > 0) {
      await this.#gatherFresh();
      const wanted = [...this.#fresh.keys()];
      const start = performance.now();
      if (wanted.length > 1 && this.#fruitless < FRUITLESS_LOOKS) await this.#lookAtHotPage(wanted);
      await this.#readEach(this.#fresh, wanted);
      this.#lookMs = performance.now() - start;
    }
    this.#refreshing = false;
  }

  async #gatherFresh(): Promise<void> {
    const until = performance.now() + Math.min(2 * this.#lookMs, LONGEST_GATHER_MS);
    do await sleep(GATHER_MS);
    while (performance.now() < until && underWay() > this.#fresh.size);
  }

  /** Looks at the hot page, and at the next one if several objects may be further on. */
  async #lookAtHotPage(wanted: readonly string[]): Promise<void> {
    let missing = wanted;
    let served: number | undefined;
    for (const page of [this.#hotPage, this.#hotPage + 1]) {
      const rows = (await this.#source.list?.(page).catch((): Row[] => [])) ?? [];
      if (this.#acceptAll(rows, missing) > 0) served ??= page;
      const listed = new Set(rows.map(({ id }) => id));
      missing = missing.filter((id) => !listed.has(id));
      if (rows.length < LIST_SIZE) break;
      // Oldest first: new objects are further on.
      if (served === undefined) this.#hotPage++;
      if (missing.length < 2) break;
    }
    this.#hotPage = served ?? this.#hotPage;
    this.#fruitless = served === undefined ? this.#fruitless + 1 : 0;
  }

  #acceptAll(rows: readonly Row[], wanted: readonly string[]): number {
    const byId = new Map(rows.map((row) => [row.id, row]));
    let served = 0;
    for (const id of wanted) {
      const row = byId.get(id);
      const waiting = this.#fresh.get(id);
      if (!row || !waiting?.every(({ accept }) => accept(row, rows))) continue;
      settle(this.#fresh, id, row);
      served++;
    }
    return served;
  }

  async #readEach(queue: Map<string, Waiting<Row>[]>, ids: readonly string[]): Promise<void> {
    await Promise.all(ids.filter((id) => queue.has(id)).map((id) => this.#readOne(queue, id)));
  }

  async #readOne(queue: Map<string, Waiting<Row>[]>, id: string): Promise<void> {
    try {
      settle(queue, id, this.#keep(id, await this.#source.one(id)));
    } catch (error) {
      for (const { reject } of taken(queue, id)) reject(error);
    }
  }
}

function enqueue<Row>(queue: Map<string, Waiting<Row>[]>, id: string, accept: Accept<Row>): Promise<Row | undefined> {
  return new Promise((resolve, reject) => {
    const waiting = queue.get(id) ?? [];
    waiting.push({ accept, resolve, reject });
    queue.set(id, waiting);
  });
}

function settle<Row>(queue: Map<string, Waiting<Row>[]>, id: string, row: Row | undefined): void {
  for (const { resolve } of taken(queue, id)) resolve(row);
}

function taken<Row>(queue: Map<string, Waiting<Row>[]>, id: string): Waiting<Row>[] {
  const waiting = queue.get(id) ?? [];
  queue.delete(id);
  return waiting;
}
