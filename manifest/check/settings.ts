/** The section `lint` of a manifest: rules by id, each with a level, or with a level and its options. */
import { isMap, isScalar, isSeq, Lexer, type Node } from "yaml";
import { z } from "zod";
import { inputWording } from "../../provider/values/wording.ts";
import { isMap as isJsonMap, type JsonMap } from "../../provider/values/json.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { type Declared, levels, type LintSettings, type RuleSettings } from "../declare/model.ts";
import { below } from "../language/addresses.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import { isAlone, type Place, type SourceFile } from "../source/file.ts";
import type { Reader } from "../source/reader.ts";
import * as addresses from "./rules/addresses.ts";
import * as keys from "./rules/keys.ts";
import * as prices from "./rules/prices.ts";
import * as spreadsheets from "./rules/spreadsheets.ts";
import * as texts from "./rules/texts.ts";
import * as translations from "./rules/translations.ts";
import type { Rule } from "./subject.ts";

const common = {
  level: z.enum(levels).optional().describe("`off`, `warning` or `error`."),
  except: z
    .array(z.string().min(1))
    .optional()
    .describe("Paths that the rule leaves alone, with * for any run of characters: `[pages.draft*]`."),
};

export function settingsOf(options: z.ZodObject): z.ZodObject {
  return z.strictObject({ ...common, ...options.shape });
}

export function readLint(declared: readonly Declared[], diagnostics: Diagnostics): LintSettings {
  const settings = new Map<string, RuleSettings>();
  for (const one of declared) {
    const read = readRule(one, diagnostics);
    if (read !== undefined) settings.set(one.key, read);
  }
  return settings;
}

function readRule({ reader, key, keyPlace, value }: Declared, diagnostics: Diagnostics): RuleSettings | undefined {
  const path = below("lint", key);
  const rule = rules.find(({ id }) => id === key);
  if (rule === undefined) {
    const message = `lint has no rule "${key}"${didYouMean(key, ruleIds)}`;
    diagnostics.error("unknown-property", keyPlace, message, { path, hint: `Rules: ${ruleIds.join(", ")}.` });
    return undefined;
  }
  const given = reader.json(value, path);
  const schema = settingsOf(rule.options);
  // YAML 1.1 reads `off` as false, and people write it.
  const settings = isJsonMap(given) ? given : { level: given === false ? "off" : given };
  const { data, error } = schema.safeParse(settings, { error: inputWording });
  for (const issue of error?.issues ?? []) {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
    const steps = [...issue.path, ...(unknown === undefined ? [] : [unknown])].map(String);
    const place = placeAt(reader, value, isJsonMap(given) ? steps : []) ?? keyPlace;
    const about = isJsonMap(given) ? steps.reduce(below, path) : path;
    const known = Object.keys(schema.shape);
    const hint = `It takes ${levels.join(", ")}, or a map of ${known.join(", ")}.`;
    if (unknown === undefined) diagnostics.fault("invalid-value", { place, path: about }, ` ${issue.message}`, hint);
    else {
      const message = `${path} takes no "${unknown}"${didYouMean(unknown, known)}`;
      diagnostics.error("unknown-property", place, message, { path: about, hint });
    }
  }
  if (data === undefined) return undefined;
  const { level, except = [], ...options } = data as Pick<RuleSettings, "level"> & { except?: string[] } & JsonMap;
  return { level, except, options };
}

function placeAt(reader: Reader, node: Node | null, steps: readonly string[]): Place | undefined {
  const real = reader.follow(node);
  const [step, ...rest] = steps;
  if (step === undefined) return real?.range ? reader.place(real) : undefined;
  if (isMap(real)) {
    const entry = reader.entries(real).find(({ key }) => key === step);
    return entry && (placeAt(reader, entry.value, rest) ?? entry.keyPlace);
  }
  if (isSeq(real)) return placeAt(reader, (real.items[Number(step)] ?? null) as Node | null, rest);
  return isScalar(real) ? reader.place(real) : undefined;
}

/** The text after ` -- ` is a reason, for people. */
const COMMENT = /^#\s*lint-off\b:?(.*?)(?:\s--\s.*)?$/s;

/** The rules that are off on each line (from 1). */
type OffLines = ReadonlyMap<number, ReadonlySet<string>>;

export class Comments {
  readonly #files = new Map<SourceFile, OffLines>();

  isOff(rule: string, { file, start }: Place): boolean {
    const lines = this.#files.get(file) ?? offLinesIn(file);
    this.#files.set(file, lines);
    return lines.size > 0 && lines.get(file.lines.linePos(start).line)?.has(rule) === true;
  }
}

function offLinesIn(file: SourceFile): OffLines {
  const lines = new Map<number, Set<string>>();
  for (const { at, names, alone } of commentsIn(file)) {
    const { line } = file.lines.linePos(at);
    const place = alone ? line + 1 : line;
    const off = lines.get(place) ?? new Set();
    for (const { name } of names) off.add(name);
    lines.set(place, off);
  }
  return lines;
}

/** Reports unknown rules, because a comment with a misspelt rule would silently do nothing. */
export function checkComments(files: readonly SourceFile[], diagnostics: Diagnostics): void {
  for (const file of files) {
    for (const { at, names, end } of commentsIn(file)) {
      if (names.length === 0) {
        const hint = `Rules: ${ruleIds.join(", ")}.`;
        diagnostics.error("unknown-property", { file, start: at, end }, "lint-off names no rule", { hint });
      }
      for (const { name, start } of names.filter((one) => !ruleIds.includes(one.name))) {
        const message = `lint-off: there is no rule "${name}"${didYouMean(name, ruleIds)}`;
        const place = { file, start, end: start + name.length };
        diagnostics.error("unknown-property", place, message, { hint: `Rules: ${ruleIds.join(", ")}.` });
      }
    }
  }
}

interface Comment {
  readonly at: number;
  readonly end: number;
  /** True if nothing else is on its line. */
  readonly alone: boolean;
  readonly names: readonly { readonly name: string; readonly start: number }[];
}

/** The lexer tells comments from texts that look like one. */
function* commentsIn({ name, text }: SourceFile): Generator<Comment> {
  if (!text.includes("lint-off")) return;
  if (/\.ya?ml$/i.test(name)) yield* inYaml(text);
  else if (/\.[cm]?[jt]s$/i.test(name))
    for (const { 0: whole, 1: rest = "", index } of text.matchAll(IN_CODE)) yield commentAt(text, index, whole, rest);
}

const IN_CODE = /\/\/[ \t]*lint-off\b:?(.*?)(?:\s--\s.*)?$/gm;

function* inYaml(text: string): Generator<Comment> {
  let at = 0;
  for (const token of new Lexer().lex(text)) {
    const [, rest] = COMMENT.exec(token) ?? [];
    // The lexer's own marks take no room in the text.
    if (MARKS.has(token)) continue;
    if (rest !== undefined) yield commentAt(text, at, token, rest);
    at += token.length;
  }
}

/** `rest`: the names of the rules. */
function commentAt(text: string, at: number, whole: string, rest: string): Comment {
  const begins = text.indexOf(rest, at + whole.indexOf("lint-off") + "lint-off".length);
  const names = [...rest.matchAll(/[^\s,:]+/g)].map(({ 0: name, index }) => ({ name, start: begins + index }));
  return { at, end: at + whole.length, alone: isAlone(text, at), names };
}

/** The marks of the `yaml` lexer for a document, the end of a flow and a scalar. */
const MARKS: ReadonlySet<string> = new Set(["\u0002", "\u0018", "\u001f"]);

export const rules: readonly Rule[] = [
  keys.missingKey,
  keys.unknownKey,
  keys.missingVariable,
  keys.stepType,
  texts.unresolvedVariable,
  texts.emptyText,
  texts.cutText,
  texts.placeholderText,
  spreadsheets.formulaError,
  spreadsheets.garbledText,
  spreadsheets.singleBraces,
  spreadsheets.emptyLink,
  spreadsheets.dateNumber,
  spreadsheets.rootSlug,
  spreadsheets.movedRows,
  prices.oddPrice,
  prices.priceChange,
  texts.tooLong,
  texts.forbiddenWords,
  texts.requiredWords,
  texts.missingAlt,
  translations.lostLanguage,
  translations.lostTranslation,
  translations.exchangedLanguage,
  translations.stale,
  translations.untracked,
  translations.lostPlaceholder,
  translations.sameAsSource,
  addresses.duplicateSlug,
  addresses.duplicateTitle,
  addresses.unreachableStep,
];

const ruleIds: readonly string[] = rules.map(({ id }) => id);
