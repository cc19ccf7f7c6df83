/** What lint finds in the manifest of a folder. Nothing is sent. */
import { dirname } from "node:path";
import { KeysFileError, lint, readKeysFile, type Diagnostic, type Manifest } from "../../manifest/index.ts";
import { UsageError } from "../exit/codes.ts";
import { rulesIn, type FailOn } from "./fail-on.ts";

export function findingsIn(manifest: Manifest, failOn: FailOn): Diagnostic<string>[] {
  try {
    const templates = readKeysFile(dirname(manifest.root.path));
    return lint(manifest, { templates, also: rulesIn(failOn) });
  } catch (error) {
    if (error instanceof KeysFileError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
