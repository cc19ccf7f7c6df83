/** Checks entries with the rules of their kinds, as the provider does before an update, and against each other. */
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { checkInputs, Claims, conflictingClaims } from "../../provider/reconcile/check.ts";
import { propertyPath, UNKNOWN, valueAt } from "../../provider/values/paths.ts";
import type { CheckFailure, Claimed } from "../../provider/messages/problems.ts";
import { goesOn, problemText } from "../../provider/messages/wording.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import { inManifestWords } from "../language/fields.ts";
import { writingHint } from "./faults.ts";
import {
  type AccountEntry,
  Deferred,
  deferredIn,
  type Entry,
  type OutputEntry,
  type Spot,
  type Tree,
} from "./model.ts";
import { keyVariable } from "../../provider/api/index.ts";

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
    for (const failure of conflictingClaims(entry.definition, inputs, entry.address, ofAccount)) {
      tellConflict(entry, failure, byAddress, diagnostics);
    }
  }
}

/**
 * The inputs as far as they are known offline. The id of a resource of the manifest is not, but it is the same wherever
 * the resource is referred to, so its address stands for it; anything else is unknown to the checks.
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
  // Without a place of its own the property is not written: the place is that of what it is missing from.
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

/** Where an input stands; the nearest thing around it when it is not written. */
export function spotOf(entry: Entry, input: readonly PropertyKey[]): Spot {
  for (let length = input.length; length > 0; length--) {
    const spot = entry.places.get(propertyPath(input.slice(0, length)));
    if (spot) return spot;
  }
  return { place: entry.place, path: entry.address };
}

interface Declarations {
  readonly accounts: readonly AccountEntry[];
  readonly entries: readonly Entry[];
  readonly outputs: readonly OutputEntry[];
}

export function refuseKeys({ accounts, entries, outputs }: Declarations, diagnostics: Diagnostics): void {
  const named = accounts.map(({ settings }) => settings["apiKeyEnv"]).filter((name) => typeof name === "string");
  const keys = new Set([keyVariable, ...named]);
  const trees: Tree[] = [
    ...accounts.map(({ settings }) => settings),
    ...entries.map(({ inputs }) => inputs),
    ...outputs.map(({ value }) => value),
  ];
  for (const { origin, place, path } of trees.flatMap((tree) => [...deferredIn(tree)])) {
    if (origin.from !== "env" || !keys.has(origin.name)) continue;
    diagnostics.error("invalid-value", place, `${path} takes the variable ${origin.name}, which holds an API key`, {
      path,
      hint: "A key as a value would stand in the account, on pages and in the state. Take another variable.",
    });
  }
}
