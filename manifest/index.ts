/** landform.yaml: declares Landform's resources without a program. */

export { codes, Diagnostics, type Diagnostic, type DiagnosticCode, type Related } from "./source/diagnostics.ts";
export { SourceFile, type Place, type Position } from "./source/file.ts";
export { leavesIn } from "./data/files.ts";
export { withCells } from "./write/data.ts";
export { type Literal, literalsIn } from "./write/literals.ts";
export type { Sharing } from "./write/shared.ts";
export { refusalText, type Refusal } from "./write/splices.ts";
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
} from "./declare/model.ts";
export { validateOnline, type OnlineOptions } from "./check/online.ts";
export type { MadePage } from "./check/content-keys.ts";
export {
  candidateOf,
  depthOf,
  homesAt,
  leavesOf,
  matchUp,
  mayBe,
  type Candidate,
  type Declared,
  type FoundObjects,
  type Home,
  type Match,
  type Matching,
} from "./match/evidence.ts";
export { findUndeclared, type Undeclared } from "./export/index.ts";
export {
  liveTexts,
  writeAdoptIds,
  writeLiveTexts,
  type LeftEntry,
  type LiveTexts,
  type LiveValues,
} from "./export/live-values.ts";
export { declaredTexts, type DeclaredText } from "./declare/texts.ts";
export { outsideValues, rendered, type OutsideSources } from "./match/spelling.ts";
export { writeFiles } from "./write/files.ts";
export { KeptFileError } from "./source/folder.ts";
export { KEYS_FILE, readKeysFile, writeKeysFile, type TemplateKeys } from "./language/templates.ts";
export { COPY_FILE, CopyRecord } from "./translate/translations.ts";
export { csvOf, readUnitsCsv } from "./translate/exchange.ts";
export { unitsOf, unfitIn } from "./translate/exchange.ts";
export { accepted } from "./translate/import.ts";
export { importUnits, type Imported } from "./translate/import.ts";
export type { CameBack } from "./translate/exchange.ts";
export {
  lostLanguages,
  standingIn,
  translationsIn,
  type ChangedTexts,
  valueName,
  type LostLanguage,
  type Translation,
} from "./translate/translations.ts";
export { tellContradictions } from "./translate/exchange.ts";
export { readUnitsXliff } from "./translate/exchange.ts";
export { xliffOf } from "./data/xliff-write.ts";
export { readForeignText } from "./translate/exchange.ts";
export { checkComments } from "./check/settings.ts";
export { lint, ruleTexts, type LintOptions } from "./check/lint.ts";
export type { LintSettings } from "./declare/model.ts";
export { TYPES_FILE, typesSource } from "./language/templates.ts";
export { schemaWithTemplates, TEMPLATES_SCHEMA_FILE } from "./language/templates.ts";
export { reportJson, type ValidationReport } from "./source/report.ts";
export { reportSarif } from "./source/report.ts";
export { renderText, toldText, type TextOptions } from "./source/report.ts";
export { validate, type ValidateOptions, type Validation } from "./check/validate.ts";
