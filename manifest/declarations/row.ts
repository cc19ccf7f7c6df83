/** One of the things that an entry with `each` is repeated over. */
import type { DataMap, DataScalar, DataValue } from "../data/index.ts";
import type { Place } from "../source/file.ts";

export interface Row {
  readonly key: string;
  /** Where the key stands. */
  readonly place: Place;
  /** What `${each.…}` names. */
  readonly fields: DataMap;
  /** Of several lists: no line of any file is the row's own. */
  readonly isProduct?: true;
}

/** A number as it is written: the key 007 is not 7. */
export function textOf({ value, place }: DataScalar): string {
  if (value === null) return "";
  return typeof value === "number" ? place.file.text.slice(place.start, place.end) : String(value);
}

export function fieldsIn({ entries }: DataMap): Map<string, DataValue> {
  return new Map([...entries].map(([name, { value }]) => [name, value]));
}

/** Where the fields that are called key stand: its own, and those of the rows that it is joined from. */
export function keysIn({ entries }: DataMap): Place[] {
  return [...entries].flatMap(([name, { value }]) =>
    value.kind === "map" ? keysIn(value) : name === "key" ? [value.place] : [],
  );
}

/** A row of the first of several lists. */
export function named(name: string, { key, place, fields }: Row): Row {
  return {
    key,
    place,
    fields: withKey(key, place, new Map([[name, { keyPlace: place, value: fields }]])),
    isProduct: true,
  };
}

/** A row of several lists: their keys in a line. */
export function joined(left: Row, name: string, row: Row): Row {
  const key = `${left.key}-${row.key}`;
  const entries = new Map([...left.fields.entries, [name, { keyPlace: row.place, value: row.fields }]] as const);
  return { key, place: row.place, fields: withKey(key, row.place, entries), isProduct: true };
}

function withKey(key: string, place: Place, entries: DataMap["entries"]): DataMap {
  const own: DataScalar = { kind: "scalar", value: key, place };
  return { kind: "map", entries: new Map([...entries, ["key", { keyPlace: place, value: own }]]), place };
}
