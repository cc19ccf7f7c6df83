/** A file that somebody else has made, from wherever it lies: as text, with a limit, and without a byte order mark. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { SourceFile } from "../source/file.ts";
import { readText } from "../source/folder.ts";

/** Undefined where it can't be read; why is told. */
export function readForeignText(name: string, diagnostics: Diagnostics): SourceFile | undefined {
  const path = resolve(name);
  const nowhere = new SourceFile(path, name, "").whole;
  if (!existsSync(path)) {
    diagnostics.error("file-unreadable", nowhere, `${name} does not exist`);
    return undefined;
  }
  const result = readText(path, name);
  if ("text" in result) return new SourceFile(path, name, result.text);
  diagnostics.error(result.code, nowhere, result.problem, { hint: result.hint || undefined });
  return undefined;
}
