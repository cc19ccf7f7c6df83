/** `where`: which rows an entry is repeated over. Fields are compared with values, as text, and that is all. */
import { jsonOf, type DataEntry, type DataMap, type DataValue } from "../data/index.ts";
import type { Place } from "../source/file.ts";
import { parsePath } from "../language/addresses.ts";

interface Condition {
  readonly path: readonly string[];
  readonly place: Place;
  readonly values: readonly string[];
  readonly not: boolean;
}

export type Filter = readonly Condition[];

/** Undefined where it is none. */
export function readFilter(data: DataValue): Filter | undefined {
  if (data.kind !== "map") return undefined;
  const conditions = [...data.entries].map(([name, { keyPlace, value }]): Condition | undefined => {
    const negated = value.kind === "map" && value.entries.size === 1 ? value.entries.get("not")?.value : undefined;
    const values = valuesOf(negated ?? value);
    return values && { path: parsePath(name) ?? [name], place: keyPlace, values, not: negated !== undefined };
  });
  return conditions.every((one) => one !== undefined) ? conditions : undefined;
}

export type Unknown = { readonly unknown: string; readonly known: readonly string[]; readonly place: Place };

export function isKept(fields: DataMap, filter: Filter): boolean | Unknown {
  for (const { path, place, values, not } of filter) {
    const found = fieldAt(fields, path);
    if ("unknown" in found) return { ...found, place };
    const [text = ""] = valuesOf(found) ?? [JSON.stringify(jsonOf(found))];
    if (values.includes(text) === not) return false;
  }
  return true;
}

/** A field of a row, or the step that it doesn't have. */
export function fieldAt(fields: DataMap, path: readonly string[]): DataValue | Omit<Unknown, "place"> {
  let here: DataValue = fields;
  for (const step of path) {
    if (here.kind === "list" && /^\d+$/.test(step) && here.items[Number(step)])
      here = here.items[Number(step)] as DataValue;
    else {
      const entry: DataEntry | undefined = here.kind === "map" ? here.entries.get(step) : undefined;
      if (!entry) return { unknown: step, known: here.kind === "map" ? [...here.entries.keys()] : [] };
      here = entry.value;
    }
  }
  return here;
}

function valuesOf(data: DataValue): string[] | undefined {
  if (data.kind === "map") return undefined;
  const scalars = data.kind === "list" ? data.items : [data];
  const texts = scalars.map((one) => (one.kind === "scalar" ? textIn(one.value) : undefined));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function textIn(value: string | number | boolean | null): string {
  return value === null ? "" : String(value);
}
