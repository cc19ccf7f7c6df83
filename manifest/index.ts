/** landform.yaml: declares Landform's resources without a program. */

export { codes, Diagnostics, type Diagnostic, type DiagnosticCode } from "./source/diagnostics.ts";
export { SourceFile, type Place } from "./source/file.ts";
export { leavesIn } from "./data/files.ts";
export { withCells } from "./write/data.ts";
export { type Literal, literalsIn } from "./write/literals.ts";
export type { Sharing } from "./write/shared.ts";
export { refusalText } from "./write/splices.ts";
export {
  Deferred,
  type AccountEntry,
  type Entry,
  type Manifest,
  type Spot,
  type Spots,
  type Tree,
  type TreeMap,
  type VacantEntry,
  type LintSettings,
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
export { liveTexts, writeAdoptIds, writeLiveTexts, type LiveTexts, type LiveValues } from "./export/live-values.ts";
export { declaredTexts, type DeclaredText } from "./declare/texts.ts";
export { outsideValues, rendered } from "./match/spelling.ts";
export { writeFiles } from "./write/files.ts";
export {
  KEYS_FILE,
  readKeysFile,
  writeKeysFile,
  type TemplateKeys,
  TYPES_FILE,
  typesSource,
  schemaWithTemplates,
  TEMPLATES_SCHEMA_FILE,
} from "./language/templates.ts";
export { COPY_FILE, CopyRecord, translationsIn, type ChangedTexts, valueName } from "./translate/translations.ts";
export {
  csvOf,
  readUnitsCsv,
  unitsOf,
  unfitIn,
  type CameBack,
  tellContradictions,
  readUnitsXliff,
  readForeignText,
} from "./translate/exchange.ts";
export { accepted, importUnits, type Imported } from "./translate/import.ts";
export { xliffOf } from "./data/xliff-write.ts";
export { checkComments } from "./check/settings.ts";
export { lint, ruleTexts, type LintOptions } from "./check/lint.ts";
export { reportJson, reportSarif, renderText, toldText } from "./source/report.ts";
export { validate, type Validation } from "./check/validate.ts";
