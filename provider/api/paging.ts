/**
 * Whole lists, read page by page: async generators, so that a caller who stops early asks for no further page.
 *
 * A page shorter than asked for is the last one. A record that moves from one page to the next while the list is read
 * comes once; a service that ignores the page number ends the list instead of repeating it for ever.
 */
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

/** Lists that take `page`, the index of a page from 0. */
export function iteratePages<T extends Identified>(
  fetchPage: (paging: { limit: number; page: number }) => Promise<T[]>,
  options?: IterateOptions,
): AsyncGenerator<T, void, undefined> {
  return iterate((limit, index) => fetchPage({ limit, page: index }), options);
}

/** Lists that take `skip`, the number of records to leave out. */
export function iterateSkips<T extends Identified>(
  fetchPage: (paging: { limit: number; skip: number }) => Promise<T[]>,
  options?: IterateOptions,
): AsyncGenerator<T, void, undefined> {
  return iterate((limit, index) => fetchPage({ limit, skip: index * limit }), options);
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
  fetchPage: (limit: number, index: number) => Promise<T[]>,
  options: IterateOptions = {},
): AsyncGenerator<T, void, undefined> {
  const wanted = options.limit ?? Infinity;
  if (wanted <= 0) return;
  const limit = Math.min(pageSize, wanted);
  const seen = new Set<string>();
  for (let index = 0; ; index++) {
    const records = await fetchPage(limit, index);
    const before = seen.size;
    for (const record of records) {
      if (seen.has(record.id)) continue;
      seen.add(record.id);
      yield record;
      if (seen.size >= wanted) return;
    }
    if (records.length < limit || seen.size === before) return;
  }
}
