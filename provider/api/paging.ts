/**
 * Reads whole lists page by page. They are async generators, so that a caller who stops early asks for no further page.
 *
 * A page shorter than requested is the last one. A record that moves from one page to the next while the list is read comes once. No list
 * is read for ever: a list that can't be read to its end is an error with the list's path, never a list that looks whole.
 */
import { type OperationName, operations } from "./operations.ts";
import { EndlessListError } from "./errors.ts";
import type { Counts } from "./records.ts";

export interface IterateOptions {
  /** The most records to read. */
  readonly limit?: number;
}

interface Identified {
  readonly id: string;
}

/** The records of a list. `complete`: these are certainly all. */
export interface Capped<T> {
  readonly records: T[];
  readonly complete: boolean;
}

/** The most records that the service returns in one answer. */
export const pageSize = 100;

export interface Pager {
  /** Lists that take `page`, the index of a page from 0. */
  pages<T extends Identified>(
    list: OperationName,
    fetchPage: (paging: { limit: number; page: number }) => Promise<T[]>,
    options?: IterateOptions,
  ): AsyncGenerator<T, void, undefined>;
  /** Lists that take `skip`, the number of records to leave out. */
  skips<T extends Identified>(
    list: OperationName,
    fetchPage: (paging: { limit: number; skip: number }) => Promise<T[]>,
    options?: IterateOptions,
  ): AsyncGenerator<T, void, undefined>;
}

export function createPager(limits: ListLimits): Pager {
  return {
    pages: (list, fetchPage, options) =>
      iterate(new ListBounds(list, limits), (limit, index) => fetchPage({ limit, page: index }), options),
    skips: (list, fetchPage, options) =>
      iterate(new ListBounds(list, limits), (limit, index) => fetchPage({ limit, skip: index * limit }), options),
  };
}

/** The first answer of a list that cannot be continued. */
export async function readCapped<T>(fetchList: (paging: { limit: number }) => Promise<T[]>): Promise<Capped<T>> {
  const records = await fetchList({ limit: pageSize });
  return { records, complete: records.length < pageSize };
}

/** Records by id, in the order in which they came first. */
export function distinct<T extends Identified>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

async function* iterate<T extends Identified>(
  bounds: ListBounds,
  fetchPage: (limit: number, index: number) => Promise<T[]>,
  options: IterateOptions = {},
): AsyncGenerator<T, void, undefined> {
  const wanted = options.limit ?? Infinity;
  if (wanted <= 0) return;
  const limit = Math.min(pageSize, wanted);
  const seen = new Set<string>();
  for (let index = 0; ; index++) {
    const records = await bounds.timed(() => fetchPage(limit, index));
    const before = seen.size;
    for (const record of records) {
      if (seen.has(record.id)) continue;
      seen.add(record.id);
      yield record;
      if (seen.size >= wanted) return;
    }
    if (records.length < limit) return;
    // A list that returns more records than requested, and then the same again, has no pages and is whole.
    if (seen.size === before && records.length > limit) return;
    const fetchFirst = () => fetchPage(limit, 0);
    await bounds.continue({ index, seen, added: seen.size - before, fetchFirst });
  }
}

/**
 * The bounds of a list that has no end of its own: pages that bring nothing new, a first page that changes each time, more records than the
 * account counts, more pages than any account fills, and a deadline for all of it. Each bound ends in an error that names the list. The
 * records read until then are no list, and a record that is not among them is not absent.
 */
interface ListLimits {
  /** For all calls of one list together. The time that a caller spends between two pages doesn't count. */
  readonly deadlineMs: number;
  /** Reads the account's own counts. A client asks for them once, and only for a long list. */
  readonly counts: () => Promise<Counts>;
}

interface Progress {
  /** The index of the page that was read last. */
  readonly index: number;
  readonly seen: ReadonlySet<string>;
  /** The number of records that this page added. */
  readonly added: number;
  readonly fetchFirst: () => Promise<readonly { readonly id: string }[]>;
}

/** One page without news may come from a list that moved by a whole page between two calls. */
const MOST_FRUITLESS = 2;
/** From this page on, and whenever the list has doubled, it is compared with the first page and the counts. */
const LONG = 16;
/** The counts may leave out listed records (drafts, say), but not nearly all of them. */
const FAR_OFF = 10;
/** A hundred thousand records. */
export const MOST_PAGES = 1_000;

class ListBounds {
  readonly #list: OperationName;
  readonly #limits: ListLimits;
  #spentMs = 0;
  #fruitless = 0;
  #nextReview = LONG;

  constructor(list: OperationName, limits: ListLimits) {
    this.#list = list;
    this.#limits = limits;
  }

  async timed<T>(read: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const answer = await read();
    this.#spentMs += performance.now() - start;
    return answer;
  }

  /** Checks the bounds before the next page is requested. */
  async continue({ index, seen, added, fetchFirst }: Progress): Promise<void> {
    const pages = index + 1;
    this.#fruitless = added === 0 ? this.#fruitless + 1 : 0;
    if (this.#fruitless >= MOST_FRUITLESS) throw this.#endless("its pages repeat: a further one brings nothing new");
    if (this.#spentMs > this.#limits.deadlineMs) {
      const seconds = this.#limits.deadlineMs / 1000;
      throw this.#endless(`${pages} pages took longer than the ${seconds} s that a list may take`);
    }
    if (pages >= MOST_PAGES) throw this.#endless(`it has no end after ${pages} pages`);
    if (pages < this.#nextReview) return;
    this.#nextReview *= 2;
    await this.#reviewFirst(seen, fetchFirst);
    await this.#reviewCount(seen.size);
  }

  /** A list may move while it is read, but not become another one. */
  async #reviewFirst(seen: ReadonlySet<string>, fetchFirst: Progress["fetchFirst"]): Promise<void> {
    const first = await this.timed(fetchFirst);
    if (first.some(({ id }) => seen.has(id))) return;
    throw this.#endless("its first page shows other records each time");
  }

  async #reviewCount(read: number): Promise<void> {
    const known = await this.#limits.counts().catch(() => undefined);
    const most = countOf(known, nounOf(this.#list));
    if (most === undefined || read <= FAR_OFF * most + LONG * 100) return;
    throw this.#endless(`it has brought ${read} records, and the account counts ${most}`);
  }

  #endless(what: string): EndlessListError {
    const { method, path } = operations[this.#list];
    return new EndlessListError({
      method,
      path,
      what: `the list can't be read to its end: ${what}`,
      remedy: "Landform can't know the account from this list, and decided nothing by it. Report it to the service.",
      outcome: "refused",
    });
  }
}

/** `listPages` lists pages. */
const nounOf = (list: OperationName): string => list.slice("list".length).toLowerCase();

/**
 * Returns the largest number under a name that holds the noun. The specification doesn't show the shape of the counts, and a bound that is
 * too high does no harm.
 */
function countOf(counts: unknown, noun: string, isUnder = false, depth = 0): number | undefined {
  if (typeof counts === "number" || typeof counts === "string") {
    const number = Number(counts);
    return isUnder && counts !== "" && Number.isFinite(number) ? number : undefined;
  }
  if (typeof counts !== "object" || counts === null || depth > 4) return undefined;
  const singular = noun.endsWith("zzes") ? noun.slice(0, -3) : noun.slice(0, -1);
  const numbers = Object.entries(counts).flatMap(
    ([name, value]) => countOf(value, noun, isUnder || name.toLowerCase().includes(singular), depth + 1) ?? [],
  );
  return numbers.length === 0 ? undefined : Math.max(...numbers);
}
