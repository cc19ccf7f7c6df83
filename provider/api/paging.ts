/**
 * Whole lists, read page by page: async generators, so that a caller who stops early asks for no further page.
 *
 * A page shorter than asked for is the last one. A record that moves from one page to the next while the list is read
 * comes once. No list is read for ever: what can't be read to its end is an error with the list's path, never a list that
 * looks whole (list-bounds.ts).
 */
import { ListBounds, type ListLimits } from "./list-bounds.ts";
import type { OperationName } from "./operations.ts";

export interface IterateOptions {
  /** At most so many records. */
  readonly limit?: number;
}

interface Identified {
  readonly id: string;
}

/** The records of a list, and whether these are certainly all. */
export interface Capped<T> {
  readonly records: T[];
  readonly complete: boolean;
}

/** The most that the service returns in one answer. */
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
    // More than were asked for, and again the same: a list without pages, which is whole.
    if (seen.size === before && records.length > limit) return;
    const fetchFirst = () => fetchPage(limit, 0);
    await bounds.continue({ index, seen, added: seen.size - before, fetchFirst });
  }
}
