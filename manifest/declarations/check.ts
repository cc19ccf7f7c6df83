/** Checks entries with the rules of their kinds, as the provider does before an update, and against each other. */
import type { CheckFailure } from "../../provider/define.ts";
import type { Json, JsonMap } from "../../provider/json.ts";
import { checkInputs } from "../../provider/lifecycle/check.ts";
import { Claims, conflictingClaims } from "../../provider/lifecycle/claims.ts";
import { UNKNOWN } from "../../provider/lifecycle/unknown.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { inManifestWords } from "../language/fields.ts";
import { writingHint } from "../language/value-hints.ts";
import { Deferred, type Entry, type Spot, type Tree } from "./model.ts";

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

function tell(entry: Entry, { property, reason }: CheckFailure, diagnostics: Diagnostics): void {
  const { place, path } = spotOf(entry, property);
  const name = inManifestWords(property);
  const said = inManifestWords(reason).replace(`${name}: `, "");
  // Without a place of its own the property is not written: the place is that of what it is missing from.
  const about = entry.places.has(property) ? path : `${entry.address}.${name}`;
  const message = /^(takes|is|has|can't) /.test(said) ? `${about} ${said}` : `${about}: ${said}`;
  diagnostics.error("invalid-value", place, message, { path, hint: writingHint(said, given(entry, property)) });
}

function given(entry: Entry, property: string): unknown {
  const steps = property.match(/[\w$-]+|"(?:[^"\\]|\\.)*"/g) ?? [];
  return steps.reduce<unknown>((here, step) => {
    const key = step.startsWith('"') ? String(JSON.parse(step)) : step;
    return typeof here === "object" && here !== null ? Reflect.get(here, key) : undefined;
  }, entry.inputs);
}

function tellConflict(
  entry: Entry,
  { property, reason }: CheckFailure,
  entries: ReadonlyMap<string, Entry>,
  diagnostics: Diagnostics,
): void {
  const { place, path } = spotOf(entry, property);
  const [, holder = ""] = /is declared by "(.*)" too/.exec(reason) ?? [];
  const other = entries.get(holder);
  const related = other && [{ place: spotOf(other, property).place, message: `${holder} has it` }];
  diagnostics.error("conflict", place, `${path}: ${reason}`, { path, related });
}

/** Where a property stands; the nearest thing around it when it is not written. */
export function spotOf(entry: Entry, property: string): Spot {
  for (let path = property; path !== ""; path = around(path)) {
    const spot = entry.places.get(path);
    if (spot) return spot;
  }
  return { place: entry.place, path: entry.address };
}

function around(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("."), path.lastIndexOf("["), 0));
}
