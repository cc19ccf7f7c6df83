/**
 * Reads whole lists page by page, as async generators: a caller who stops early asks for no further page. A page shorter than requested is
 * the last one. A record that moves from one page to the next while the list is read comes once.
 */
import { type OperationName, operations } from "./operations.ts";
import { EndlessListError } from "./errors.ts";

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

/** A page of a list, by its index from 0. */
export interface Paging {
  readonly limit: number;
  readonly page: number;
}

export type Pager = <T extends Identified>(
  list: OperationName,
  fetchPage: (paging: Paging) => Promise<T[]>,
  options?: IterateOptions,
) => AsyncGenerator<T, void, undefined>;

/** The first answer of a list that cannot be continued. */
export async function readCapped<T>(fetchList: (paging: { limit: number }) => Promise<T[]>): Promise<Capped<T>> {
  const records = await fetchList({ limit: pageSize });
  return { records, complete: records.length < pageSize };
}

/** Records by id, in the order in which they came first. */
export function distinct<T extends Identified>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

/**
 * A list that has no end of its own has bounds: pages that bring nothing new, more pages than any account fills, and a deadline for all of
 * its calls together. The time that a caller spends between two pages doesn't count. Each bound ends in an error that names the list. The
 * records read until then are no list, and a record that is not among them is not absent.
 */
export function createPager(deadlineMs: number): Pager {
  return async function* (list, fetchPage, { limit: wanted = Infinity } = {}) {
    if (wanted <= 0) return;
    const limit = Math.min(pageSize, wanted);
    const seen = new Set<string>();
    let [spentMs, fruitless] = [0, 0];
    for (let page = 0; ; page++) {
      const start = performance.now();
      const records = await fetchPage({ limit, page });
      spentMs += performance.now() - start;
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
      fruitless = seen.size === before ? fruitless + 1 : 0;
      const pages = page + 1;
      if (fruitless >= MOST_FRUITLESS) throw endless(list, "its pages repeat: a further one brings nothing new");
      if (spentMs > deadlineMs)
        throw endless(list, `${pages} pages took longer than the ${deadlineMs / 1000} s that a list may take`);
      if (pages >= MOST_PAGES) throw endless(list, `it has no end after ${pages} pages`);
    }
  };
}

/** One page without news may come from a list that moved by a whole page between two calls. */
const MOST_FRUITLESS = 2;
/** A hundred thousand records. */
export const MOST_PAGES = 1_000;

function endless(list: OperationName, what: string): EndlessListError {
  const { method, path } = operations[list];
  return new EndlessListError({
    method,
    path,
    what: `the list can't be read to its end: ${what}`,
    remedy: "Landform used nothing of this list. Report the fault to the operator of the service.",
    outcome: "refused",
  });
}
