/** Finds the line of a data file that a changed value comes from. The reader of the plan has written there, not in landform.yaml. */
import { Diagnostics, valueName } from "../../manifest/index.ts";
import type { ChangedTexts, Entry, Manifest, SourceFile } from "../../manifest/index.ts";
import type { Spot } from "../../manifest/declare/model.ts";
import { cellOf, changedCell } from "../../manifest/declare/texts.ts";
import { spotOf } from "../../manifest/declare/faults.ts";
import { nameOf, typeOf } from "../../engine/index.ts";
import type { ProgramPlaces } from "../../provider/pulumi/program-places.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { parsePath } from "../../manifest/language/addresses.ts";
import type { Place } from "../../manifest/source/file.ts";
import { type Json, same } from "../../provider/values/json.ts";
import { propertyPath, valueAt as valueIn } from "../../provider/values/paths.ts";
import type { Change, Failure, Field } from "./model.ts";
import type { Told } from "./steps.ts";
import { known, valueAt } from "./values.ts";
import { scanCsv, type Csv } from "../../manifest/data/csv.ts";

type Named = Pick<Change, "type" | "name">;

function entriesOf(manifest: Manifest): (resource: Named) => Entry | undefined {
  const entries = new Map(manifest.entries.map((entry) => [`${entry.definition.type} ${entry.key}`, entry]));
  return ({ type, name }) => entries.get(`${type} ${name}`);
}

function entryOf(manifest: Manifest | undefined, { type, name }: Named): Entry | undefined {
  return manifest?.entries.find(({ definition, key }) => definition.type === type && key === name);
}

export function withPlacesInData(changes: readonly Change[], manifest: Manifest): Change[] {
  const entry = entriesOf(manifest);
  const emptied = emptiedCells(manifest);
  return changes.map((change) => {
    const declared = entry(change);
    if (declared === undefined) return change;
    const placed = (field: Field): Field => {
      const cell = field.stays === true ? emptied(change, field.path) : undefined;
      return cell === undefined ? withPlace(field, declared) : { ...field, writtenIn: cell };
    };
    return { ...change, fields: change.fields.map(placed) };
  });
}

/** Returns the place where a value has to change to be `wanted`: in the manifest or its data. A text of several parts has a cell for one. */
export function writtenAt(
  manifest: Manifest | undefined,
  resource: Named,
  path: Field["path"],
  wanted: Json | undefined,
): { place: string; value: Json | undefined; isSaid: boolean } | undefined {
  const entry = entryOf(manifest, resource);
  const spot = entry?.places.get(propertyPath(path));
  if (entry === undefined || spot === undefined) return undefined;
  const declared = valueIn(entry.inputs, path);
  const { place, value } = cellFor(spot, declared, wanted) ?? { place: spot.place, value: wanted };
  return { place: place.file.locate(place.start), value, isSaid: same(declared, wanted) };
}

function cellFor(spot: Spot, declared: unknown, wanted: Json | undefined): { place: Place; value?: Json } | undefined {
  const cell = cellOf(spot);
  if (cell !== undefined) return { place: cell, value: wanted };
  const isPart = spot.from !== undefined && typeof declared === "string" && typeof wanted === "string";
  return isPart ? changedCell(spot, declared, wanted) : undefined;
}

/** The code of a stack: a manifest, or the places that its program has told. */
export interface Declaring {
  readonly manifest: Manifest | undefined;
  readonly places: ProgramPlaces | undefined;
}

/** Returns the place where an input is declared, or the nearest around it. */
export function declaredAt({ manifest, places }: Declaring, resource: Named, path: Field["path"]): string | undefined {
  if (path.length === 0) return undefined;
  if (manifest === undefined) return places?.(resource);
  const entry = entryOf(manifest, resource);
  const place = entry && spotOf(entry, path).place;
  return place?.file.locate(place.start);
}

/** Finds the declared place of a failure, whose reason begins with its input, or with the resource and its input: `Page "offer", content["hero.title"]: …`. */
export function withDeclaredPlace(failure: Failure, code: Declaring): Failure {
  const { urn = "", message } = failure;
  const [, type = definitionOf(typeOf(urn))?.type ?? "", name = nameOf(urn), path = ""] =
    /(?:^| failed: |\n *- )(?:(\w+) "([^"]*)"[,:] )?((?:[^\s"]|"[^"]*")+?): /.exec(message) ?? [];
  const steps = parsePath(path);
  const inputs = definitionOf(type)?.inputs.shape ?? {};
  if (steps === undefined || !(String(steps[0]) in inputs)) return failure;
  const place = declaredAt(code, { type, name }, steps);
  // The embedded engine names the line of a program by itself.
  return place === undefined || message.includes(`(${place})`) ? failure : { ...failure, source: place };
}

/** Collects the changes since the last run. A plan after a refresh starts from the account, and a person's edit is no text of that run. */
export function changedPlaces(
  changes: readonly Change[],
  told: ReadonlyMap<string, Pick<Told, "live">>,
  manifest: Manifest,
): ChangedTexts {
  const entryFor = entriesOf(manifest);
  const places = new Set<string>();
  const unsaid: { readonly path: string; readonly source: string }[] = [];
  const [made, gone, addresses] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const was = new Map<string, Json>();
  for (const { urn, type, name, op, fields } of changes) {
    const entry = entryFor({ type, name });
    if (op === "delete") gone.add(`${type} ${name}`);
    if (entry === undefined) continue;
    if (op === "create") made.add(entry.address);
    addresses.add(entry.address);
    const live = told.get(urn)?.live;
    for (const { path, old: shown, new: now } of fields) {
      const old = live ? valueAt(live.before, path) : shown;
      const [before, wanted] = [known(old), known(now)];
      if (wanted !== undefined && same(before, wanted)) continue;
      if (before !== undefined) was.set(valueName(entry.address, path), before);
      const spot = old === undefined || now === undefined ? undefined : entry.places.get(propertyPath(path));
      // A text that is put together from a row has no single place.
      if (spot === undefined || spot.from !== undefined) continue;
      const place = spot.place.file.locate(spot.place.start);
      const [field, key = ""] = path.map(String);
      const isUnsaid = entry.localized?.some(({ under, own }) => {
        const source = under.get(key)?.place;
        return source !== undefined && source.file.locate(source.start) === place && !own.has(key);
      });
      if (field === "content" && isUnsaid === true) unsaid.push({ path: spot.path, source: place });
      else places.add(place);
    }
  }
  // If the source itself has changed, a text without a translation has none now either.
  const fallen = new Set(unsaid.flatMap(({ path, source }) => (places.has(source) ? [] : [path])));
  return { places, fallen, made, gone, addresses, was };
}

/** Returns the cell of a text from several that another text has not. */
function differingCell(cells: readonly Place[], other: Json | undefined): Place | undefined {
  const isNew = ({ file, start, end }: Place): boolean =>
    typeof other === "string" && (start === end || !other.includes(file.text.slice(start, end)));
  return cells.find(isNew) ?? cells[0];
}

/** A plan goes to what the code says. That of an undo comes from there. */
function withPlace(field: Field, { inputs, places }: Entry): Field {
  const spot = places.get(propertyPath(field.path));
  if (field.new === undefined || spot === undefined) return field;
  const declared = valueIn(inputs, field.path);
  const [old, now] = [known(field.old), known(field.new)];
  const other = same(declared, old) ? now : old;
  const place = cellFor(spot, declared, other)?.place ?? differingCell(spot.from ?? [], other);
  return place ? { ...field, writtenIn: place.file.locate(place.start) } : field;
}

/** Finds the empty cell of a table that held a text in the last run: the page keeps that text, and somebody has emptied the cell. */
export type EmptiedCell = (resource: Named, path: Field["path"]) => string | undefined;

export function emptiedCells(manifest: Manifest): EmptiedCell {
  const tables = new Map<SourceFile, Csv | undefined>();
  const entryFor = entriesOf(manifest);
  const tableOf = (file: SourceFile): Csv | undefined => {
    if (!tables.has(file)) tables.set(file, scanCsv(file, new Diagnostics()));
    return tables.get(file);
  };
  return (resource, path) => {
    const [field, key, ...inside] = path;
    const entry = entryFor(resource);
    const [cell, ...others] = entry?.places.get(propertyPath(path))?.from ?? [];
    if (cell && others.length === 0 && cell.start === cell.end) return cell.file.locate(cell.start);
    if (entry === undefined || field !== "content" || key === undefined || inside.length > 0) return undefined;
    const taken = new Set([...entry.places.values()].map(({ place }) => `${place.file.path} ${place.start}`));
    for (const file of manifest.data.filter(({ path }) => /\.[ct]sv$/i.test(path))) {
      const { rows = [] } = tableOf(file) ?? {};
      // The page takes its other texts from the same column.
      const isTaken = ({ place }: Csv["rows"][number][number]): boolean => taken.has(`${file.path} ${place.start}`);
      const columns = new Set(rows.flatMap((row) => row.flatMap((one, column) => (isTaken(one) ? column : []))));
      const row = rows.find((cells) => cells.some(({ value }) => value === String(key)));
      const cell = row?.find(({ value, quoted }, column) => columns.has(column) && value === "" && !quoted);
      if (cell !== undefined) return file.locate(cell.place.start);
    }
    return undefined;
  };
}
