/** Readers of data files for programs. They load with the first file, because every program loads this module and few read a file. */
import { createRequire } from "node:module";
import { extname } from "node:path";
import type { Json } from "../../provider/values/json.ts";
import type * as Program from "./program.ts";
import type { RowSchema } from "./value.ts";

export { DataError } from "./value.ts";
export type ContentLayer = Program.ContentLayer;

const require = createRequire(import.meta.url);

function readers(): typeof Program {
  // The module beside this one, compiled or not.
  return require(`./program${extname(import.meta.url)}`) as typeof Program;
}

/**
 * Returns the rows of a CSV, JSON or YAML file, each checked with a schema: `landform.data("cities.csv", z.object({ slug: z.string() }))`. The rows
 * of a map have their key as `key`. An empty cell is left out. Paths start at the program's folder.
 */
export function data<Row>(file: string, row: RowSchema<Row>): Row[] {
  return readers().data(file, row);
}

/** Returns keys and values of files, folders and maps, in order: a later one wins over an earlier one. */
export function content(layers: ContentLayer | readonly ContentLayer[]): Record<string, Json> {
  return readers().content(layers);
}
