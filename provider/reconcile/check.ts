/** Checks the inputs against the definition's schema, offline. A value that is not known yet never fails, and neither does the value around it. */
import type { z } from "zod";
import type { AnyDefinition, Claim } from "../definition/define.ts";
import { isMap, type Json, type JsonMap } from "../values/json.ts";
import { hasUnknown, type Path, pathOf, propertyPath, unknownAt, valueAt } from "../values/paths.ts";
import { brokenRule, type CheckFailure, type Claimed, problemOf } from "../values/problems.ts";
import { fieldNames, schemaBelow, shapeOf } from "../definition/schema-walk.ts";
import { isMarked } from "../ledger/identity.ts";
import { nearest } from "../values/nearest.ts";

export function checkInputs(definition: AnyDefinition, inputs: JsonMap): CheckFailure[] {
  const result = definition.schema.safeParse(inputs, { reportInput: true });
  const failures = typesFirst(result.error?.issues ?? []).flatMap((issue) => explain(definition, inputs, issue));
  if (failures.length > 0) return failures;
  return definition.plan.check?.(inputs, (value) => !hasUnknown(value)) ?? [];
}

/** Drops the size of a value of the wrong type. zod measures a list or a map in the place of a text, too, but its size doesn't matter then. */
function typesFirst(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const mistyped = new Set(issues.filter(({ code }) => code === "invalid_type").map(({ path }) => propertyPath(path)));
  return issues.filter(({ code, path }) => code === "invalid_type" || !mistyped.has(propertyPath(path)));
}

function explain(definition: AnyDefinition, inputs: JsonMap, issue: z.core.$ZodIssue): CheckFailure[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.flatMap((key) => unknownProperty(definition, inputs, issue.path, key));
  }
  if (issue.code === "invalid_union") return explainUnion(definition, inputs, issue);
  if (unknownAt(inputs, issue.path)) return [];
  const path = pathOf(issue.path);
  if (issue.code === "custom") {
    if (valueAt(inputs, path) === null) return [{ path, problem: { code: "no-value" } }];
    return [brokenRule(path, "schema", issue.message)];
  }
  return [{ path, problem: problemOf(issue, valueAt(inputs, path)) }];
}

/** The alternative of a union that came closest tells the fault. Property names are known before their values. */
function explainUnion(definition: AnyDefinition, inputs: JsonMap, issue: z.core.$ZodIssueInvalidUnion): CheckFailure[] {
  const lacking = issue.errors.map(([first, ...more]) =>
    more.length === 0 && first?.code === "invalid_type" && valueAt(inputs, [...issue.path, ...first.path]) === undefined
      ? [String(first.path.at(-1))]
      : [],
  );
  const isLacking = lacking.every((names) => names.length > 0);
  if (isLacking) return [brokenRule(pathOf(issue.path), "schema", `needs ${lacking.flat().join(" or ")}`)];
  const [closest] = [...issue.errors].sort((a, b) => deepest(b) - deepest(a) || a.length - b.length);
  const inner = (closest ?? []).map((nested) => ({ ...nested, path: [...issue.path, ...nested.path] }));
  return inner.flatMap((nested) => explain(definition, inputs, nested));
}

function deepest(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function unknownProperty(
  definition: AnyDefinition,
  inputs: JsonMap,
  place: readonly PropertyKey[],
  key: string,
): CheckFailure[] {
  const known = [...new Set(fieldNames(schemaAt(definition.schema, place)))];
  const path = pathOf([...place, key]);
  if (known.includes(key)) return misplaced(definition, inputs, path);
  const [best] = nearest(key, known);
  return [{ path, problem: { code: "unknown-property", known, nearest: best } }];
}

/** Explains a property of one alternative that zod compared with another one: it is wrong beside those that it doesn't have, or wrong in itself. */
function misplaced(definition: AnyDefinition, inputs: JsonMap, path: CheckFailure["path"]): CheckFailure[] {
  if (unknownAt(inputs, path)) return [];
  const place = path.slice(0, -1);
  const shape = shapeOf(schemaAt(definition.schema, place));
  const own =
    shape.type === "union" ? shape.options.map(fieldNames).find((names) => names.includes(String(path.at(-1)))) : [];
  const others = Object.keys(Object(valueAt(inputs, place)) as object).filter(
    (key) => own?.includes(key) !== true && key !== path.at(-1),
  );
  return [{ path, problem: others.length > 0 ? { code: "not-beside", others } : { code: "wrong-type" } }];
}

function schemaAt(schema: z.ZodType, path: readonly PropertyKey[]): z.ZodType | undefined {
  return path.reduce<z.ZodType | undefined>(schemaBelow, schema);
}

/** The claims of all resources of a run, which one host process sees: a slug on a site, an adopted object. */
export class Claims {
  readonly #holders = new Map<string, string>();

  /** Gives `thing` to `holder`, or returns the resource that holds the thing already. A holder has one thing of a kind. */
  take(kind: string, thing: string, holder: string): string | undefined {
    const current = this.#holders.get(`${kind} ${thing}`);
    if (current !== undefined && current !== holder) return current;
    if (current === undefined) this.free(holder, kind);
    this.#holders.set(`${kind} ${thing}`, holder);
    return undefined;
  }

  free(holder: string, kind?: string): void {
    for (const [thing, one] of this.#holders)
      if (one === holder && (kind === undefined || thing.startsWith(`${kind} `))) this.#holders.delete(thing);
  }
}

export function conflictingClaims(
  definition: AnyDefinition,
  inputs: JsonMap,
  claimant: string | undefined,
  claims: Claims,
): CheckFailure<Claimed>[] {
  if (claimant === undefined) return [];
  return [...adoption(definition, inputs), ...(definition.plan.claims?.(inputs) ?? [])].flatMap((claim) => {
    const { kind, thing, path, what } = claim;
    const holder = claims.take(kind, thing, claimant);
    return holder === undefined ? [] : [{ path, problem: { code: "claimed", what, holder } }];
  });
}

function adoption(definition: AnyDefinition, inputs: JsonMap): Claim[] {
  const { adoptId } = inputs;
  if (typeof adoptId !== "string" || hasUnknown(adoptId)) return [];
  const what = `the ${definition.kind} with id "${adoptId}"`;
  return [{ kind: `adopted ${definition.kind}`, thing: adoptId, path: ["adoptId"], what }];
}

/** A shorter key may stand in a text by chance. */
const SHORTEST_KEY = 8;

const MARKED =
  "holds a marker like [lf-…], by which Landform finds an object that an interrupted run has made. Take another name";

export const HOLDS_KEY = "holds-key";

const KEY_TEXT = "holds the API key, which would stand in the account, on pages and in the state. Take another value";

const OF_OUTPUT =
  "was made from an Output, whose value is not known where the text is made. Use pulumi.interpolate`…${output}…` in place of `…${output}…`, or output.apply(value => …)";

/** The beginning of the SDK's notice. The SDK puts it into a template string and into JSON (output.ts, 3.270), also where JSON has quoted it. */
const NOTICE = /Calling \[to(String|JSON)\] on an \[Output<T>\] is not supported/;

/** Finds texts that must not come into an account. Pure; no message holds the key. `name`: the logical one. */
export function forbiddenTexts(inputs: JsonMap, name: string, key = ""): CheckFailure[] {
  const notices = placesIn(inputs, (text) => NOTICE.test(text));
  const keys = key.length < SHORTEST_KEY ? [] : placesIn(inputs, (text) => text.includes(key));
  const ofOutput = NOTICE.test(name) ? [["name"], ...notices] : notices;
  return [
    ...ofOutput.map((path) => brokenRule(path, "text-of-output", OF_OUTPUT, true)),
    ...(isMarked(inputs["name"] ?? name) ? [brokenRule(["name"], "marked", MARKED, true)] : []),
    ...keys.map((path) => brokenRule(path, HOLDS_KEY, KEY_TEXT, true)),
  ];
}

/** Returns the places of such texts. A key of a map is no place to name, so the map is named. */
function placesIn(value: Json | undefined, isIt: (text: string) => boolean, path: Path = []): Path[] {
  if (typeof value === "string") return isIt(value) ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => placesIn(item, isIt, [...path, index]));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => (isIt(name) ? [path] : placesIn(item, isIt, [...path, name])));
}
