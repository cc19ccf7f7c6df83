/** The values of a data file with the place of each, whatever the format. */
import type { Json } from "../../provider/values/json.ts";
import type { Place } from "../source/file.ts";

export interface DataScalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  readonly place: Place;
}

export interface DataList {
  readonly kind: "list";
  readonly items: readonly DataValue[];
  /** The columns of a CSV file, also if it has no rows. */
  readonly columns?: readonly string[];
  readonly place: Place;
}

export interface DataEntry {
  readonly keyPlace: Place;
  readonly value: DataValue;
}

export interface DataMap {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, DataEntry>;
  readonly place: Place;
}

/** The rows of a CSV file are a list of maps from column to cell. */
export type DataValue = DataScalar | DataList | DataMap;

export function jsonOf(data: DataValue): Json {
  if (data.kind === "scalar") return data.value;
  if (data.kind === "list") return data.items.map(jsonOf);
  return Object.fromEntries([...data.entries].map(([key, { value }]) => [key, jsonOf(value)]));
}

/** The faults of a data file, with the line. */
export class DataError extends Error {
  override readonly name = "DataError";
}

export interface RowSchema<Row> {
  safeParse(
    value: unknown,
  ):
    | { success: true; data: Row }
    | { success: false; error: { issues: readonly { path: PropertyKey[]; message: string }[] } };
}
