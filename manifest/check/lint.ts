/** Lint reports things that are allowed but probably not meant. Pure: it reads no file and asks no account. */
import { type ChangedTexts, CopyRecord } from "../translate/translations.ts";
import type { Manifest } from "../declare/model.ts";
import { Diagnostics, type Diagnostic } from "../source/diagnostics.ts";
import type { TemplateKeys } from "../language/templates.ts";
import { Comments, rules } from "./settings.ts";
import { matchesPath } from "../language/addresses.ts";
import { type Finding, subjectOf } from "./subject.ts";

export interface LintOptions {
  /** The known keys of templates, by id: see `readKeysFile`. */
  readonly templates?: ReadonlyMap<string, TemplateKeys>;
  /** The sources that the translations were made from: see `CopyRecord.read`. */
  readonly record?: CopyRecord;
  /** The texts that a plan changes. */
  readonly changed?: ChangedTexts | undefined;
  /** Rules that run even if the manifest switches them off. */
  readonly also?: readonly string[];
  /** Only these rules run. */
  readonly only?: readonly string[];
}

/** The description of each rule in one line, by id. */
export const ruleTexts: Readonly<Record<string, string>> = Object.fromEntries(
  rules.map(({ id, about }) => [id, about]),
);

/** Returns the findings in the order of the files. `code` is the id of the rule. */
export function lint(manifest: Manifest, options: LintOptions = {}): Diagnostic<string>[] {
  const { templates = new Map<string, TemplateKeys>(), record = new CopyRecord(), also = [], only, changed } = options;
  const subject = subjectOf(manifest, templates, record, changed);
  const comments = new Comments();
  const diagnostics = new Diagnostics<string>();
  for (const rule of rules.filter(({ id }) => only?.includes(id) ?? true)) {
    const { level = rule.level, except = [], options: own = {} } = manifest.lint.get(rule.id) ?? {};
    if (level === "off" && !also.includes(rule.id)) continue;
    for (const finding of rule.check(subject, own)) {
      // CSV and JSON have no comments. The comment on the line that names the file counts for the whole file.
      const { place, by = place } = finding.at;
      const isOff = comments.isOff(rule.id, place) || comments.isOff(rule.id, by);
      if (isOff || isExcepted(finding, except)) continue;
      const { at, message, hint, related } = finding;
      const tell = level === "error" ? "error" : "warning";
      diagnostics[tell](rule.id, at.place, message, { path: at.path, hint, related });
    }
  }
  return diagnostics.list();
}

function isExcepted({ at }: Finding, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesPath(pattern, at.path) || matchesPath(`${pattern}.*`, at.path));
}
