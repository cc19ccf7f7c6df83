/** Finds the empty cell of a table that held a text in the last run: the page keeps that text, and the reader of the plan has emptied the cell. */
import { scanCsv, type Csv } from "../../manifest/data/csv.ts";
import { Diagnostics, type Manifest, type SourceFile } from "../../manifest/index.ts";
import { propertyPath } from "../../provider/values/paths.ts";
import type { Field } from "./model.ts";

/** Returns the place of the empty cell that the text comes from, or undefined if there is none. */
export type EmptiedCell = (
  resource: { readonly type: string; readonly name: string },
  path: Field["path"],
) => string | undefined;

export function emptiedCells(manifest: Manifest): EmptiedCell {
  const tables = new Map<SourceFile, Csv | undefined>();
  const entries = new Map(manifest.entries.map((entry) => [`${entry.definition.type} ${entry.key}`, entry]));
  const tableOf = (file: SourceFile): Csv | undefined => {
    if (!tables.has(file)) tables.set(file, scanCsv(file, new Diagnostics()));
    return tables.get(file);
  };
  return ({ type, name }, path) => {
    const [field, key, ...inside] = path;
    const entry = entries.get(`${type} ${name}`);
    const [cell, ...others] = entry?.places.get(propertyPath(path))?.from ?? [];
    if (cell && others.length === 0 && cell.start === cell.end) return cell.file.locate(cell.start);
    if (entry === undefined || field !== "content" || key === undefined || inside.length > 0) return undefined;
    const taken = new Set([...entry.places.values()].map(({ place }) => `${place.file.path} ${place.start}`));
    for (const file of manifest.data.filter(({ path }) => /\.[ct]sv$/i.test(path))) {
      const { rows = [] } = tableOf(file) ?? {};
      // The page takes its other texts from the same column.
      const columns = new Set(
        rows.flatMap((row) =>
          row.flatMap(({ place }, column) => (taken.has(`${file.path} ${place.start}`) ? [column] : [])),
        ),
      );
      const row = rows.find((cells) => cells.some(({ value }) => value === String(key)));
      const cell = row?.find(({ value, quoted }, column) => columns.has(column) && value === "" && !quoted);
      if (cell !== undefined) return file.locate(cell.place.start);
    }
    return undefined;
  };
}
