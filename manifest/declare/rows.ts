/** One row of an entry with `each`. */
import { type DataMap, type DataScalar, type DataValue, jsonOf, type DataEntry } from "../data/value.ts";
import { isSlipOf } from "../../provider/values/nearest.ts";
import { type Place, textAt } from "../source/file.ts";
import { parsePath } from "../language/addresses.ts";

export interface Row {
  readonly key: string;
  readonly place: Place;
  /** The fields that `${each.…}` can name. */
  readonly fields: DataMap;
  /** True for a row of several lists: no line of any file is its own. */
  readonly isProduct?: true;
}

/** Returns a number as it is written: the key 007 is not 7. */
export function textOf({ value, place }: DataScalar): string {
  if (value === null) return "";
  return typeof value === "number" ? textAt(place) : String(value);
}

export function fieldsIn({ entries }: DataMap): Map<string, DataValue> {
  return new Map([...entries].map(([name, { value }]) => [name, value]));
}

/** Returns the places of the fields named `key`: its own, and those of the rows that it is joined from. */
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

export function joined(left: Row, name: string, row: Row): Row {
  const key = `${left.key}-${row.key}`;
  const entries = new Map([...left.fields.entries, [name, { keyPlace: row.place, value: row.fields }]] as const);
  return { key, place: row.place, fields: withKey(key, row.place, entries), isProduct: true };
}

function withKey(key: string, place: Place, entries: DataMap["entries"]): DataMap {
  const own: DataScalar = { kind: "scalar", value: key, place };
  return { kind: "map", entries: new Map([...entries, ["key", { keyPlace: place, value: own }]]), place };
}

interface Condition {
  readonly path: readonly string[];
  readonly place: Place;
  readonly values: readonly string[];
  readonly not: boolean;
}

export type Filter = readonly Condition[];

export function readFilter(data: DataValue): Filter | undefined {
  if (data.kind !== "map") return undefined;
  const conditions = [...data.entries].map(([name, { keyPlace, value }]): Condition | undefined => {
    const negated = value.kind === "map" && value.entries.size === 1 ? value.entries.get("not")?.value : undefined;
    const values = valuesOf(negated ?? value);
    return values && { path: parsePath(name) ?? [name], place: keyPlace, values, not: negated !== undefined };
  });
  return conditions.every((one) => one !== undefined) ? conditions : undefined;
}

/** `row`: the place of the row that lacks the field, in its own file. */
interface Unknown {
  readonly unknown: string;
  readonly known: readonly string[];
  readonly row: Place;
}

/** A cell that a filter leaves out because of a slip. */
interface Slip {
  readonly slip: string;
  readonly meant: string;
  readonly field: string;
  readonly place: Place;
}

type Kept = boolean | (Unknown & { readonly place: Place }) | Slip;

export function isKept(fields: DataMap, filter: Filter): Kept {
  for (const { path, place, values, not } of filter) {
    const found = fieldAt(fields, path);
    if ("unknown" in found) return { ...found, place };
    const [text = ""] = valuesOf(found) ?? [comparable(JSON.stringify(jsonOf(found)))];
    if (values.includes(text) !== not) continue;
    const meant = values
      .flatMap((value) => WORDS[value] ?? [value])
      .find((word) => isSlipOf(text, word) || OF_SHEETS[word]?.has(text));
    if (not || meant === undefined || found.kind !== "scalar") return false;
    return { slip: textOf(found), meant, field: path.join("."), place: found.place };
  }
  return true;
}

/** Returns a field of a row, or the first step that it doesn't have. */
export function fieldAt(fields: DataMap, path: readonly string[]): DataValue | Unknown {
  let here: DataValue = fields;
  for (const step of path) {
    if (here.kind === "list" && /^\d+$/.test(step) && here.items[Number(step)])
      here = here.items[Number(step)] as DataValue;
    else {
      const entry: DataEntry | undefined = here.kind === "map" ? here.entries.get(step) : undefined;
      if (!entry) return { unknown: step, known: here.kind === "map" ? [...here.entries.keys()] : [], row: here.place };
      here = entry.value;
    }
  }
  return here;
}

function valuesOf(data: DataValue): string[] | undefined {
  if (data.kind === "map") return undefined;
  const scalars = data.kind === "list" ? data.items : [data];
  const texts = scalars.map((one) => (one.kind === "scalar" ? comparable(String(one.value ?? "")) : undefined));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

const WORDS: Readonly<Record<string, readonly string[]>> = { true: ["yes", "true"], false: ["no", "false"] };

/** Spreadsheets of other languages save these, and people mark a cell with them. */
const OF_SHEETS: Readonly<Record<string, ReadonlySet<string>>> = {
  yes: new Set("1 x y ja wahr oui vrai sí si verdadero sì vero sim verdadeiro".split(" ")),
  no: new Set("0 n nein falsch non faux falso não".split(" ")),
};

/** A spreadsheet saves TRUE or Yes where a person typed yes. */
function comparable(text: string): string {
  const word = text.trim().toLowerCase();
  return word === "yes" ? "true" : word === "no" ? "false" : word;
}
