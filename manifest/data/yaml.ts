/** YAML as a manifest reads it: aliases followed, merge keys merged, each value with its place. */
import { isMap, isSeq, type Node } from "yaml";
import type { Diagnostics } from "../source/diagnostics.ts";
import type { SourceFile } from "../source/file.ts";
import { parse } from "../source/parse.ts";
import { Exhausted, Reader } from "../source/reader.ts";
import type { DataScalar, DataValue } from "./value.ts";

/** Undefined where the file has faults; they are in `diagnostics` then. */
export function readYaml(file: SourceFile, diagnostics: Diagnostics): DataValue | undefined {
  const parsed = parse(file, diagnostics);
  if (!parsed) return undefined;
  const reader = new Reader(parsed, diagnostics);
  try {
    return dataOf(reader, parsed.document.contents);
  } catch (error) {
    if (error instanceof Exhausted) return undefined;
    throw error;
  }
}

/** A value of a document that is read already. */
export function dataOf(reader: Reader, node: Node | null, depth = 0): DataValue {
  const real = reader.follow(node);
  reader.checkDepth(depth, real);
  const place = reader.place(real);
  if (isSeq(real)) {
    return { kind: "list", items: real.items.map((item) => dataOf(reader, item as Node | null, depth + 1)), place };
  }
  if (isMap(real)) {
    const entries = reader
      .entries(real)
      .map(({ key, keyPlace, value }) => [key, { keyPlace, value: dataOf(reader, value, depth + 1) }] as const);
    return { kind: "map", entries: new Map(entries), place };
  }
  const value = real === null ? null : (reader.scalar(real, "this value") as DataScalar["value"]);
  return { kind: "scalar", value, place };
}
