/** landform.yaml: declares Landform's resources without a program. */

export { codes, Diagnostics, type Diagnostic, type DiagnosticCode } from "./source/diagnostics.ts";
export { SourceFile, type Place } from "./source/file.ts";
export { leavesIn } from "./data/files.ts";
export type { Sharing } from "./write/shared.ts";
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
export type { MadePage } from "./check/content-keys.ts";
export { declaredTexts, type DeclaredText } from "./declare/texts.ts";
export {
  KEYS_FILE,
  PROBES,
  readKeysFile,
  writeKeysFile,
  type TemplateKeys,
  TYPES_FILE,
  typesSource,
  schemaWithTemplates,
  TEMPLATES_SCHEMA_FILE,
} from "./language/templates.ts";
export { COPY_FILE, CopyRecord, translationsIn, type ChangedTexts, valueName } from "./translate/translations.ts";
export { checkComments } from "./check/settings.ts";
export { lint, ruleTexts, type LintOptions } from "./check/lint.ts";
export { reportJson, reportSarif, renderText, toldText } from "./source/report.ts";
export { validate, type Validation } from "./check/validate.ts";
