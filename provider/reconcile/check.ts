/**
 * Check: the inputs against the definition's schema, offline. A value that is not known yet is never a failure, neither
 * itself nor what stands around it.
 */
import type { z } from "zod";
import type { AnyDefinition } from "../definition/define.ts";
import type { JsonMap } from "../values/json.ts";
import { pathOf, propertyPath, valueAt } from "../values/paths.ts";
import { brokenRule, problemOf, type CheckFailure } from "../messages/problems.ts";
import { fieldNames, schemaBelow, shapeOf } from "../definition/schema-walk.ts";
import { nearest } from "../values/nearest.ts";
import { hasUnknown, unknownAt } from "../values/unknown.ts";

export function checkInputs(definition: AnyDefinition, inputs: JsonMap): CheckFailure[] {
  const result = definition.schema.safeParse(inputs, { reportInput: true });
  const failures = typesFirst(result.error?.issues ?? []).flatMap((issue) => explain(definition, inputs, issue));
  if (failures.length > 0) return failures;
  return definition.plan.check?.(inputs, (value) => !hasUnknown(value)) ?? [];
}

/** zod measures a list or a map that stands where text is taken, too: its size doesn't matter then. */
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

/** Of the alternatives of a union, the one that came closest tells what is wrong. Which properties there are is known before their values. */
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
  const known = propertiesAt(definition.schema, place);
  const path = pathOf([...place, key]);
  if (known.includes(key)) return misplaced(definition, inputs, path);
  const [best] = nearest(key, known);
  return [{ path, problem: { code: "unknown-property", known, nearest: best } }];
}

/** A property of one alternative that zod held against another one: wrong beside those that it doesn't have, or wrong in itself. */
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

function propertiesAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  return [...new Set(fieldNames(schemaAt(schema, path)))];
}
