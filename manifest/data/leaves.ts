/** The single values of a data file, each with its place. */
import { extname } from "node:path";
import { Diagnostics } from "../diagnostics/diagnostics.ts";
import type { SourceFile } from "../source/file.ts";
import { dataReaders } from "./files.ts";
import type { DataScalar, DataValue } from "./value.ts";

export function* leaves(data: DataValue): Generator<DataScalar> {
  if (data.kind === "scalar") yield data;
  else if (data.kind === "list") for (const item of data.items) yield* leaves(item);
  else for (const { value } of data.entries.values()) yield* leaves(value);
}

/** None of a file that is no data file, or that has faults: whoever takes it is told of them. */
export function leavesIn(file: SourceFile): DataScalar[] {
  const data = dataReaders[extname(file.path).toLowerCase()]?.(file, new Diagnostics());
  return data === undefined ? [] : [...leaves(data)];
}
