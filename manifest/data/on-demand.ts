/** The readers of data files for programs, loaded when the first file is read: most programs read none, and all start with this module. */
import { createRequire } from "node:module";
import { extname } from "node:path";
import type { Json } from "../../provider/values/json.ts";
import type * as Program from "./program.ts";
import type { RowSchema } from "./value.ts";

export { DataError } from "./value.ts";
export type ContentLayer = Program.ContentLayer;

const require = createRequire(import.meta.url);

function readers(): typeof Program {
  // Compiled or not: the module beside this one.
  return require(`./program${extname(import.meta.url)}`) as typeof Program;
}

/**
 * The rows of a CSV, JSON or YAML file, each checked with a schema: `landform.data("cities.csv", z.object({ slug: z.string() }))`.
 * The rows of a map have their key as `key`. A cell without anything in it is not there. Paths start at the program's folder.
 */
export function data<Row>(file: string, row: RowSchema<Row>): Row[] {
  return readers().data(file, row);
}

/** Keys and values of files, folders and maps, in order: what a later one says stands over what an earlier one does. */
export function content(layers: ContentLayer | readonly ContentLayer[]): Record<string, Json> {
  return readers().content(layers);
}
