/** The common parts of lookups: records as programs see them, and the search for exactly one thing by its name. */
import { NotFoundError, type LandformApi } from "../api/index.ts";
import { distinct } from "../api/paging.ts";
import {
  collect,
  everythingIn,
  LookupError,
  MOST,
  wired,
  type Collection,
  type Identified,
} from "../definition/collection.ts";
import { camel, type Camel } from "../values/json.ts";
import { insteadOf } from "../values/nearest.ts";

/** A record of the service with its names in camelCase; the values are as the service has them. */
export type Shown<T> = { readonly [K in keyof T & string as Camel<K>]: T[K] };

export function shown<T extends object>(record: T): Shown<T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [camel(key), value])) as Shown<T>;
}

/** One thing, by its id or by its exact name. */
export type One =
  { readonly id: string; readonly name?: undefined } | { readonly name: string; readonly id?: undefined };

export interface Limit {
  /** The maximum number of results. Default: all. */
  readonly limit?: number;
}

interface LookedUp<C> {
  readonly lookup: C;
}

type RowOf<C> = C extends Collection<infer Row> ? Row : never;

export function oneOf<C extends Collection>({ lookup }: LookedUp<C>) {
  return async (api: LandformApi, wanted: One): Promise<Shown<RowOf<C>>> =>
    shown((await findOne(lookup, api, wanted)) as RowOf<C>);
}

export function listOf<Filters, C extends Collection>({ lookup }: LookedUp<C>) {
  return async (api: LandformApi, query?: Filters & Limit): Promise<Shown<RowOf<C>>[]> => {
    const { limit, ...filter }: Limit = query ?? {};
    const rows = await collect(lookup.all(api, wired(filter), { limit }));
    return rows.map((row) => shown(row as RowOf<C>));
  };
}

export async function findOne<Row extends Identified>(
  collection: Collection<Row>,
  api: LandformApi,
  wanted: One,
): Promise<Row> {
  if (wanted.id !== undefined) return readOne(collection, api, wanted.id);
  const { name } = wanted;
  // A program without types may ask for nothing. To find anything then would be a guess.
  if (typeof (name as unknown) !== "string")
    throw new LookupError(`A ${collection.what} is looked up by its id or by its name, and neither was given.`);
  const found = await collection.search(api, name);
  const matches = named(collection, found, name);
  if (matches.length > 0 && found.length < MOST) return onlyOne(collection, matches, name, found);
  const everything = await collect(everythingIn(collection, api));
  return onlyOne(collection, named(collection, everything, name), name, everything);
}

async function readOne<Row extends Identified>(
  collection: Collection<Row>,
  api: LandformApi,
  id: string,
): Promise<Row> {
  try {
    return await collection.read(api, id);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new LookupError(`There is no ${collection.what} "${id}" in this account. ${error.message}`);
  }
}

function named<Row extends Identified>(collection: Collection<Row>, records: readonly Row[], name: string): Row[] {
  return distinct(records.filter((record) => collection.nameOf(record)?.trim() === name.trim()));
}

function onlyOne<Row extends Identified>(
  collection: Collection<Row>,
  matches: readonly Row[],
  name: string,
  others: readonly Row[],
): Row {
  const [only, second] = matches;
  if (only && !second) return only;
  const { what, plural } = collection;
  const names = others.flatMap((record) => collection.nameOf(record) ?? []);
  const ids = matches.map(({ id }) => id);
  throw new LookupError(
    only
      ? `There are ${ids.length} ${plural} named "${name}" (${ids.join(", ")}), and a lookup needs exactly one. Give the id.`
      : `There is no ${what} named "${name}" in this account${insteadOf(name, names, "There are")} Use the exact name, or the id.`,
    ids,
  );
}
