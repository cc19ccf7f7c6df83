/** What lint finds in the manifest of a folder. Nothing is sent. */
import { dirname } from "node:path";
import type { Manifest } from "../../manifest/declare/model.ts";
import type { Diagnostic } from "../../manifest/source/diagnostics.ts";
import { lint, type LintOptions } from "../../manifest/check/lint.ts";
import { readKeysFile } from "../../manifest/language/templates.ts";
import { recordOf } from "../copy.ts";
import { UsageError } from "../exit/codes.ts";
import { rulesIn, type FailOn } from "./fail-on.ts";
import { KeptFileError } from "../../manifest/source/folder.ts";

export function findingsIn(
  manifest: Manifest,
  failOn: FailOn,
  {
    only,
    changed,
    in: folder = dirname(manifest.root.path),
  }: Pick<LintOptions, "only" | "changed"> & { in?: string } = {},
): Diagnostic<string>[] {
  const record = recordOf(folder);
  try {
    // A plan is not held up by what the rules that it asks don't look at.
    const templates = only === undefined ? readKeysFile(folder) : undefined;
    return lint(manifest, { templates, record, also: rulesIn(failOn), only, changed });
  } catch (error) {
    if (error instanceof KeptFileError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** What is told without being asked for: that what visitors read is the translation of another text. */
export const UNASKED: readonly string[] = ["stale", "lost-language"];
