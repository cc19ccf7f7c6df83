/** Lint reports things that are allowed but probably not meant. Pure: it reads no file and asks no account. */
import { cellOf } from "../declare/texts.ts";
import type { Place } from "../source/file.ts";
import { type ChangedTexts, CopyRecord } from "../translate/translations.ts";
import type { Manifest } from "../declare/model.ts";
import { Diagnostics, type Diagnostic } from "../source/diagnostics.ts";
import type { TemplateKeys } from "../language/templates.ts";
import { Comments, rules } from "./settings.ts";
import { matchesPath } from "../language/addresses.ts";
import { type Finding, type Rule, subjectOf } from "./subject.ts";

export interface LintOptions {
  readonly templates?: ReadonlyMap<string, TemplateKeys>;
  /** The sources that the translations were made from: see `CopyRecord.read`. */
  readonly record?: CopyRecord;
  readonly changed?: ChangedTexts | undefined;
  /** Rules that run even if the manifest switches them off. */
  readonly also?: readonly string[];
  readonly only?: readonly string[];
  /** Tells what a plan tells if nobody has asked for lint. */
  readonly unasked?: true;
}

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
    if (options.unasked === true && rule.unasked === undefined) continue;
    const { level = rule.level, except = [], options: own = {} } = manifest.lint.get(rule.id) ?? {};
    if (level === "off" && !also.includes(rule.id)) continue;
    const ofChanges = options.unasked === true && rule.unasked === "of changes";
    const found = [...rule.check(subject, own)].filter((finding) => {
      // CSV and JSON have no comments. The comment on the line that names the file counts for the whole file.
      const { place, by = place } = finding.at;
      const isOff = comments.isOff(rule.id, place) || comments.isOff(rule.id, by);
      return !isOff && !isExcepted(finding, except) && (!ofChanges || isOfChange(finding, changed));
    });
    for (const finding of rule.together === undefined ? found.map(placed) : joined(found, rule.together)) {
      const { at, message, hint, also, related, place } = finding;
      // A change of something else is not held for what is live already.
      const isBrought = changed !== undefined && (rule.unasked === "all" || isOfChange(finding, changed));
      const holds = finding.holds === true && isBrought;
      const details = { path: at.path, hint, also, related, holds };
      diagnostics[level === "error" ? "error" : "warning"](rule.id, place, message, details);
    }
  }
  return diagnostics.list();
}

interface Placed extends Finding {
  readonly place: Place;
}

/** Names the cell that a value comes from, because people mend it there. */
function placed(finding: Finding): Placed {
  const { at, part } = finding;
  const inCell = at.from?.find(
    ({ file, start, end }) => part !== undefined && file.text.slice(start, end).includes(part),
  );
  const place = cellOf(at) ?? inCell ?? at.place;
  const related = place === at.place ? [] : [{ place: at.place, message: "the value is used here" }];
  return { ...finding, place, related: [...(finding.related ?? []), ...related] };
}

/** The most places that a finding with a count names. */
const MOST_NAMED = 5;

function joined(found: readonly Finding[], together: NonNullable<Rule["together"]>): Placed[] {
  const groups = Map.groupBy(found, ({ at, message, holds }) =>
    together === "by rank" ? String(holds) : message.replace(at.path, ""),
  );
  return [...groups.values()].flatMap((group): Placed[] => {
    const [first, ...others] = group.toSorted((a, b) => (b.among?.rank ?? 0) - (a.among?.rank ?? 0));
    if (first === undefined) return [];
    const one = placed(first);
    if (others.length === 0) return [one];
    if (together !== "from two" && others.length < MOST_NAMED) return group.map(placed);
    const related = others
      .slice(0, MOST_NAMED)
      .map((other) => ({ place: placed(other).place, message: other.at.path }));
    return [
      {
        ...one,
        message: one.among
          ? `${one.message}, ${one.among.told(group.length)}`
          : `${one.message}; so ${others.length === 1 ? "is" : "are"} ${others.length} more`,
        related,
      },
    ];
  });
}

function isOfChange({ at: { path } }: Finding, changed: ChangedTexts | undefined): boolean {
  return [...(changed?.addresses ?? [])].some((address) => path === address || path.startsWith(`${address}.`));
}

function isExcepted({ at }: Finding, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => matchesPath(pattern, at.path) || matchesPath(`${pattern}.*`, at.path));
}
