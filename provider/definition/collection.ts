/**
 * A collection of the service: how its records are listed, searched and read. Lookups, bulk reads, export and doctor work
 * on any collection, and know none by name.
 */
import type { z } from "zod";
import { pageSize } from "../api/paging.ts";
import type { IterateOptions, LandformApi, OperationName } from "../api/index.ts";
import { snake, type JsonMap, type SnakeKeys } from "../values/json.ts";

/** A lookup finds nothing, or several objects of one name. */
export class LookupError extends Error {
  override name = "LookupError";
  readonly ids: readonly string[];

  constructor(message: string, ids: readonly string[] = []) {
    super(message);
    this.ids = ids;
  }
}

export interface Identified {
  readonly id: string;
}

export interface Collection<Row extends Identified = Identified, Filters extends z.ZodObject = z.ZodObject> {
  readonly what: string;
  readonly plural: string;
  /** Further documentation of its lookup, about ids and names. */
  readonly doc?: string;
  readonly calls: { readonly list: OperationName; readonly search: OperationName; readonly read?: OperationName };
  readonly filters: Filters;
  nameOf(row: Row): string | null;
  /** Returns the id by which others refer to a record, if that is not its own id. */
  idOf?(row: Row): string;
  read(api: LandformApi, id: string): Promise<Row>;
  /**
   * Returns the record of exactly this id from a list or a search: a second opinion if `read` doesn't find it. Absent where `read` looks
   * there itself.
   */
  find?(api: LandformApi, id: string): Promise<Row | undefined>;
  /** Returns at most 100 records whose name may hold the text. */
  search(api: LandformApi, text: string): Promise<readonly Row[]>;
  all(
    api: LandformApi,
    filter: SnakeKeys<z.output<Filters>>,
    options?: IterateOptions,
  ): AsyncIterable<Row, unknown, undefined>;
  /** Returns really everything, where `all` needs a filter for that. Searches may lag, or match by something else than the name. */
  everything?(api: LandformApi): AsyncIterable<Row, unknown, undefined>;
  /** Returns the records of one project, where the list can't be narrowed by `project_id`. */
  ofProject?(api: LandformApi, projectId: string): AsyncIterable<Row, unknown, undefined>;
  /** One page of the list; absent where it can't be continued, so that bulk reads don't help. */
  listPage?(api: LandformApi, paging: { limit: number; page: number }): Promise<readonly Row[]>;
  /** The note about a list that may be incomplete, because as many records came as the service gives at most. */
  readonly capped?: string;
}

/** The most records that a search asks for. */
export const MOST = pageSize;

export function defineCollection<Row extends Identified, Filters extends z.ZodObject>(
  collection: Collection<Row, Filters>,
): Collection<Row, Filters> {
  return collection;
}

export function ofProject<Row extends Identified>(
  collection: Collection<Row>,
  api: LandformApi,
  projectId: string,
): AsyncIterable<Row> {
  return collection.ofProject?.(api, projectId) ?? collection.all(api, { project_id: projectId });
}

export function wired<T extends object>(filter: T): SnakeKeys<T> {
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [snake(key), value])) as SnakeKeys<T>;
}

export function everythingIn<Row extends Identified>(
  collection: Collection<Row>,
  api: LandformApi,
): AsyncIterable<Row> {
  return collection.everything?.(api) ?? collection.all(api, {});
}

export async function collect<T>(records: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

/** Records that are at hand, or come in one answer. */
export async function* recordsOf<T>(records: Promise<readonly T[]>): AsyncGenerator<T, void, undefined> {
  yield* await records;
}

/** Picks the record of this id from the results of a search, which may ignore the filter by id. */
export async function ofId<Row extends Identified>(
  found: Promise<readonly Row[]>,
  id: string,
): Promise<Row | undefined> {
  return (await found).find((row) => row.id === id);
}

export interface Found {
  readonly id: string;
  readonly name: string;
  readonly answer: JsonMap;
}
