/** landform.yaml: what Landform's resources can express, without a program. `landform/manifest` is this file. */
import { fileURLToPath } from "node:url";
import type { Outputs } from "./run/register.ts";

export { codes, Diagnostics, type Diagnostic, type DiagnosticCode, type Related } from "./diagnostics/diagnostics.ts";
export { SourceFile, type Place, type Position } from "./source/file.ts";
export { leavesIn } from "./data/leaves.ts";
export { withCells } from "./data/write.ts";
export {
  Deferred,
  type AccountEntry,
  type Entry,
  type EntryOptions,
  type Manifest,
  type OutputEntry,
  type Spot,
  type Spots,
  type Tree,
  type TreeMap,
  type VacantEntry,
} from "./declarations/model.ts";
export { validateOnline, type OnlineOptions } from "./online/check-online.ts";
export type { MadePage } from "./online/content-keys.ts";
export { writeAdoptIds, type LeftEntry } from "./edit/adopt-ids.ts";
export { findUndeclared, type Undeclared } from "./export/undeclared.ts";
export { liveTexts, writeLiveTexts, type LiveTexts, type LiveValues } from "./export/live-values.ts";
export { declaredTexts, type DeclaredText } from "./texts/declared.ts";
export { rendered } from "./texts/rendered.ts";
export { writeFiles } from "./export/write-files.ts";
export { withTexts, type ChangedFile, type TextChange } from "./texts/write.ts";
export { KEYS_FILE, KeysFileError, readKeysFile, writeKeysFile, type TemplateKeys } from "./online/keys-file.ts";
export { COPY_FILE, CopyFileError, CopyRecord } from "./copy/record.ts";
export { csvOf, readUnitsCsv } from "./copy/csv-exchange.ts";
export { unitsOf, unfitIn } from "./copy/extract.ts";
export { accepted } from "./copy/accept.ts";
export { importUnits, type Imported } from "./copy/import.ts";
export type { CameBack } from "./copy/unit.ts";
export { standingIn, translationsIn, type Translation } from "./copy/translations.ts";
export { tellContradictions } from "./copy/contradictions.ts";
export { readUnitsXliff } from "./copy/xliff-data.ts";
export { xliffOf } from "./copy/xliff-write.ts";
export { readForeignText } from "./copy/foreign.ts";
export { checkComments } from "./lint/comments.ts";
export { lint, ruleTexts, type LintOptions } from "./lint/lint.ts";
export type { LintSettings } from "./lint/settings-model.ts";
export { TYPES_FILE, typesSource } from "./types/declarations.ts";
export { schemaWithTemplates, TEMPLATES_SCHEMA_FILE } from "./types/schema.ts";
export { reportJson, type ValidationReport } from "./diagnostics/json.ts";
export { reportSarif } from "./diagnostics/sarif.ts";
export { renderText, toldText, type TextOptions } from "./diagnostics/text.ts";
export { validate, type ValidateOptions, type Validation } from "./validate.ts";
export type { Outputs };

/**
 * A manifest as a Pulumi program: `export default manifest("landform.yaml")`. A relative path starts at the folder of
 * the project, where Pulumi runs programs.
 */
export function manifest(path: string | URL): () => Promise<Outputs> {
  return async () => {
    // The Pulumi SDK is slow to load, and nothing else here needs it.
    const { run } = await import("./run/register.ts");
    return run(path instanceof URL ? fileURLToPath(path) : path);
  };
}
