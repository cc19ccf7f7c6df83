/** Values that stand in for faulty ones after the fault is reported. */
import { keyVariable } from "../../provider/api/index.ts";
import { isOptional } from "../../provider/definition/schema-walk.ts";
import type { CheckFailure, Claimed, Problem } from "../../provider/values/problems.ts";
import { goesOn, problemText } from "../../provider/values/wording.ts";
import { checkInputs, Claims, conflictingClaims } from "../../provider/reconcile/check.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { propertyPath, UNKNOWN, valueAt } from "../../provider/values/paths.ts";
import { below } from "../language/addresses.ts";
import { type Field, type Fields, inManifestWords, manifestName } from "../language/fields.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import type { Place } from "../source/file.ts";
import type { MapEntry } from "../source/reader.ts";
import {
  type At,
  Deferred,
  deferredIn,
  type Entry,
  type Manifest,
  type Reading,
  type Spot,
  type Tree,
} from "./model.ts";

/** The schema takes it for a value that is not known yet. */
export const FAULTY: Tree = UNKNOWN;

/** Reports the fault at its place. `message` follows the path. */
export function fault({ diagnostics }: Reading, at: At, message: string, hint?: string): Tree {
  diagnostics.fault("invalid-value", at, message, hint);
  return FAULTY;
}

export function empty(diagnostics: Diagnostics, { place, path }: At, hint = "Give it one, or remove the line."): Tree {
  diagnostics.fault("empty-value", { place, path }, " has no value", hint);
  return FAULTY;
}

export function tellUnknown(diagnostics: Diagnostics, { key, keyPlace }: MapEntry, fields: Fields, at: At): void {
  const names = [...fields.keys()];
  const path = below(at.path, key);
  const meant = [...fields.values()].find(({ input, name }) => input === key && name !== key);
  const suggestion = meant ? `; here it is "${meant.name}"` : didYouMean(key, names);
  diagnostics.error("unknown-property", keyPlace, `${at.path} has no property "${key}"${suggestion}`, {
    path,
    hint: meant ? referenceHint(meant) : (decimalHint(keyPlace, key) ?? `Known are ${names.join(", ")}.`),
  });
}

/** Inside braces, `price: 12,50` is a price of 12 and another key. */
function decimalHint({ file, start }: Place, key: string): string | undefined {
  const [, whole] = /[\s:](\d+),$/.exec(file.text.slice(Math.max(0, start - 20), start)) ?? [];
  return whole !== undefined && /^\d+$/.test(key) ? `Decimals follow a point: ${whole}.${key}.` : undefined;
}

export function tellTwice(diagnostics: Diagnostics, entry: MapEntry, first: MapEntry, at: At): void {
  const message = ` has "${first.key}" already, so it can't have "${entry.key}"`;
  diagnostics.fault("invalid-value", { place: entry.keyPlace, path: at.path }, message);
}

/** Reports a required field that is missing, and tells if it did. */
export function tellMissing(diagnostics: Diagnostics, input: string, fields: Fields, at: At): boolean {
  const field = [...fields.values()].find((candidate) => candidate.input === input);
  if (!field || isOptional(field.schema)) return false;
  const name = manifestName(input);
  const { description } = field.schema;
  const { place, path } = at;
  diagnostics.fault("missing-property", { place, path }, ` has no "${name}"`, description && `${name}: ${description}`);
  return true;
}

export function referenceHint({ name, reference }: Field): string {
  const direct = reference?.kind ? `the key of a ${reference.kind}` : "an id";
  return `${name} takes ${direct}, { id: … } or { lookup: { name: … } }.`;
}

export function writingHint(problem: Problem, value: unknown): string | undefined {
  const wanted = problem.code === "not-allowed" && problem.takes.kind === "type" ? problem.takes.type : undefined;
  if (wanted === "string" && typeof value !== "object") return "Put it in quotes.";
  return typeof value === "string" ? textHint(wanted, value) : undefined;
}

export function textHint(wanted: string | undefined, text: string): string | undefined {
  if (wanted === "number") return numberHint(text.trim());
  if (wanted !== "boolean") return undefined;
  if (/^(true|false)$/.test(text)) return "Write it without quotes.";
  if (/^(yes|on|y)$/i.test(text)) return "Write true.";
  return /^(no|off|n)$/i.test(text) ? "Write false." : undefined;
}

/** Matches amounts as people write them: with a comma, with thousands separators, with a currency. */
function numberHint(text: string): string | undefined {
  if (text !== "" && Number.isFinite(Number(text))) return "Write it without quotes.";
  const bare = text.replaceAll(/[\s'’_]|\p{Sc}|\b[A-Z]{3}\b/gu, "");
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(bare))
    return `Write ${Number(bare.replace(",", "."))} or ${bare.replace(",", "")}: use a point for decimals, and nothing between thousands.`;
  const number = meant(bare);
  return number && `Write ${number}: use a point for decimals, and write no unit beside the number.`;
}

function meant(text: string): string | undefined {
  if (/^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/.test(text))
    return String(Number(text.replaceAll(".", "").replace(",", ".")));
  return /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) ? String(Number(text.replaceAll(",", ""))) : undefined;
}

export function checkEntries(entries: readonly Entry[], diagnostics: Diagnostics): void {
  const byAddress = new Map(entries.map((entry) => [entry.address, entry]));
  const claims = new Map<string | undefined, Claims>();
  for (const entry of entries) {
    const inputs = known(entry.inputs) as JsonMap;
    const failures = checkInputs(entry.definition, inputs);
    for (const failure of failures) tell(entry, failure, diagnostics);
    if (failures.length > 0) continue;
    const ofAccount = claims.get(entry.account) ?? new Claims();
    claims.set(entry.account, ofAccount);
    for (const failure of conflictingClaims(entry.definition, inputs, entry.address, ofAccount))
      tellConflict(entry, failure, byAddress, diagnostics);
  }
}

/**
 * Returns the inputs as far as they are known offline. The address of a resource stands for its id, because the id is the same at every reference.
 * Everything else is unknown to the checks.
 */
function known(tree: Tree): Json {
  if (tree instanceof Deferred) {
    const { origin } = tree;
    return origin.from === "resource" && origin.property.join() === "id" ? origin.target : UNKNOWN;
  }
  if (Array.isArray(tree)) return tree.map(known);
  if (typeof tree !== "object" || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, known(value)]));
}

function tell(entry: Entry, failure: CheckFailure, diagnostics: Diagnostics): void {
  const { place, path, from } = spotOf(entry, failure.path);
  const property = propertyPath(failure.path);
  // A property without a place is not written. The message names the place that misses it.
  const about = entry.places.has(property) ? path : `${entry.address}.${inManifestWords(property)}`;
  const said = inManifestWords(problemText(failure));
  const message = goesOn(failure.problem) ? `${about} ${said}` : `${about}: ${said}`;
  const hint = writingHint(failure.problem, valueAt(entry.inputs, failure.path));
  const code = failure.problem.code === "no-value" ? "empty-value" : "invalid-value";
  diagnostics.error(code, place, message, { path, hint, from });
}

function tellConflict(
  entry: Entry,
  failure: CheckFailure<Claimed>,
  entries: ReadonlyMap<string, Entry>,
  diagnostics: Diagnostics,
): void {
  const { place, path, from } = spotOf(entry, failure.path);
  const { holder } = failure.problem;
  const other = entries.get(holder);
  const related = other && [{ place: spotOf(other, failure.path).place, message: `${holder} has it` }];
  diagnostics.error("conflict", place, `${path}: ${problemText(failure)}`, { path, related, from });
}

/** Returns the place of an input, or of the nearest value around it. */
export function spotOf(entry: Entry, input: readonly PropertyKey[]): Spot {
  for (let length = input.length; length > 0; length--) {
    const spot = entry.places.get(propertyPath(input.slice(0, length)));
    if (spot) return spot;
  }
  return { place: entry.place, path: entry.address };
}

export function refuseKeys(
  { accounts, entries, outputs }: Pick<Manifest, "accounts" | "entries" | "outputs">,
  diagnostics: Diagnostics,
): void {
  const named = accounts.map(({ settings }) => settings["apiKeyEnv"]).filter((name) => typeof name === "string");
  const keys = new Set([keyVariable, ...named]);
  const trees: Tree[] = [
    ...accounts.map(({ settings }) => settings),
    ...entries.map(({ inputs }) => inputs),
    ...outputs.map(({ value }) => value),
  ];
  for (const { origin, place, path } of trees.flatMap((tree) => [...deferredIn(tree)])) {
    if (origin.from !== "env" || !keys.has(origin.name)) continue;
    const hint = "A key as a value would stand in the account, on pages and in the state. Take another variable.";
    const message = ` takes the variable ${origin.name}, which holds an API key`;
    diagnostics.fault("invalid-value", { place, path }, message, hint);
  }
}
