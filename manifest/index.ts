/** landform.yaml: what Landform's resources can express, without a program. `landform/manifest` is this file. */
import { fileURLToPath } from "node:url";
import type { Outputs } from "./register.ts";

export { codes, type Diagnostic, type DiagnosticCode, type Position, type Related } from "./diagnostics.ts";
export type { AccountEntry, Entry, EntryOptions, Manifest, OutputEntry } from "./model.ts";
export { validateOnline, type OnlineOptions } from "./online.ts";
export { reportJson, type ValidationReport } from "./report/json.ts";
export { reportSarif } from "./report/sarif.ts";
export { renderText, type TextOptions } from "./report/text.ts";
export { validate, type ValidateOptions, type Validation } from "./validate.ts";
export type { Outputs };

/**
 * A manifest as a Pulumi program: `export default manifest("landform.yaml")`. A relative path starts at the folder of
 * the project, where Pulumi runs programs.
 */
export function manifest(path: string | URL): () => Promise<Outputs> {
  return async () => {
    // The Pulumi SDK is slow to load, and nothing else here needs it.
    const { run } = await import("./register.ts");
    return run(path instanceof URL ? fileURLToPath(path) : path);
  };
}
