/** What the lookups share: records as programs see them, and finding exactly one thing by its name. */
import { NotFoundError } from "../api/index.ts";
import { camel, snake } from "../json.ts";
import { didYouMean } from "../lifecycle/nearest.ts";

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** A record of the service with its names in camelCase; the values are as the service has them. */
export type Shown<T> = { readonly [K in keyof T & string as Camel<K>]: T[K] };

export function shown<T extends object>(record: T): Shown<T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [camel(key), value])) as Shown<T>;
}

/** Filters as the service calls them. */
export function wired<T extends object>(filter: T): { [K in keyof T as string]: T[K] } {
  return Object.fromEntries(Object.entries(filter).map(([key, value]) => [snake(key), value])) as never;
}

/** One thing, by its id or by its exact name. */
export type One =
  { readonly id: string; readonly name?: undefined } | { readonly name: string; readonly id?: undefined };

export interface Limit {
  /** At most so many; all when left out. */
  readonly limit?: number;
}

/** Something that a program looks up is not there, or not the only one of its name. */
export class LookupError extends Error {
  override name = "LookupError";
  /** Ids of what has that name: none, or several. */
  readonly ids: readonly string[];

  constructor(message: string, ids: readonly string[] = []) {
    super(message);
    this.ids = ids;
  }
}

export interface Searchable<T> {
  /** What it is called: page, site. */
  readonly what: string;
  readonly nameOf: (record: T) => string | null;
  readonly read: (id: string) => Promise<T>;
  /** At most 100 records whose name may hold the text. */
  readonly search: (text: string) => Promise<readonly T[]>;
  /** Everything: searches may be behind, or match otherwise than by name. */
  readonly all: () => AsyncIterable<T> | Promise<readonly T[]>;
}

const SEARCH_SIZE = 100;

export async function findOne<T extends { id: string }>(kind: Searchable<T>, wanted: One): Promise<T> {
  if (wanted.id !== undefined) return readOne(kind, wanted.id);
  const { name } = wanted;
  const found = await kind.search(name);
  const matches = named(kind, found, name);
  if (matches.length > 0 && found.length < SEARCH_SIZE) return onlyOne(kind, matches, name, found);
  const everything = await collect(kind.all());
  return onlyOne(kind, named(kind, everything, name), name, everything);
}

export async function collect<T>(records: AsyncIterable<T> | Promise<readonly T[]>): Promise<readonly T[]> {
  if (records instanceof Promise) return records;
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

async function readOne<T>({ what, read }: Searchable<T>, id: string): Promise<T> {
  try {
    return await read(id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new LookupError(`There is no ${what} "${id}" in this account. ${error.message}`);
  }
}

function named<T extends { id: string }>({ nameOf }: Searchable<T>, records: readonly T[], name: string): T[] {
  const matches = records.filter((record) => nameOf(record)?.trim() === name.trim());
  return [...new Map(matches.map((record) => [record.id, record])).values()];
}

function onlyOne<T extends { id: string }>(
  { what, nameOf }: Searchable<T>,
  matches: readonly T[],
  name: string,
  others: readonly T[],
): T {
  const [only, second] = matches;
  if (only && !second) return only;
  if (!only) {
    const names = others.flatMap((record) => nameOf(record) ?? []);
    throw new LookupError(
      `There is no ${what} named "${name}" in this account${didYouMean(name, names) || "."} ` +
        `Names are compared exactly; an id can be given instead.`,
    );
  }
  const ids = matches.map(({ id }) => id);
  throw new LookupError(
    `${matches.length} things are a ${what} named "${name}" (${ids.join(", ")}), and a lookup needs exactly one. Give the id.`,
    ids,
  );
}
