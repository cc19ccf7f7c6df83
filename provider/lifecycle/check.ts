/**
 * Check: the inputs against the definition's schema, offline. A value that is not known yet is never a failure, neither
 * itself nor what stands around it.
 */
import type { z } from "zod";
import type { AnyDefinition, CheckFailure } from "../define.ts";
import type { JsonMap } from "../json.ts";
import { fieldNames, schemaBelow } from "../schema-walk.ts";
import { inputWording } from "../wording.ts";
import { didYouMean } from "./nearest.ts";
import { hasUnknown, unknownAt } from "./unknown.ts";

export function checkInputs(definition: AnyDefinition, inputs: JsonMap): CheckFailure[] {
  const result = definition.schema.safeParse(inputs, { error: inputWording });
  const failures = typesFirst(result.error?.issues ?? []).flatMap((issue) => explain(definition, inputs, issue));
  if (failures.length > 0) return failures;
  return definition.check?.(inputs, (value) => !hasUnknown(value)) ?? [];
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
  return [{ property: propertyPath(issue.path), reason: `${at(issue.path)}${issue.message}` }];
}

/** Of the alternatives of a union, the one that came closest tells what is wrong. */
function explainUnion(definition: AnyDefinition, inputs: JsonMap, issue: z.core.$ZodIssueInvalidUnion): CheckFailure[] {
  if (unknownAt(inputs, issue.path)) return [];
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
  path: readonly PropertyKey[],
  key: string,
): CheckFailure[] {
  const known = propertiesAt(definition.schema, path);
  const property = propertyPath([...path, key]);
  if (known.includes(key)) return misplaced(inputs, [...path, key], property);
  const hint = didYouMean(key, known);
  return [{ property, reason: `unknown property "${property}"${hint || `; known are ${known.join(", ")}`}` }];
}

/** A property of one alternative that zod held against another one: wrong beside the others, or wrong in itself. */
function misplaced(inputs: JsonMap, path: readonly PropertyKey[], property: string): CheckFailure[] {
  if (unknownAt(inputs, path)) return [];
  const parent = path.slice(0, -1).reduce<unknown>((here, step) => Reflect.get(Object(here) as object, step), inputs);
  const others = Object.keys(Object(parent) as object).filter((name) => name !== path.at(-1));
  const what = others.length > 0 ? `can't be combined with ${others.join(", ")}` : "has a value of the wrong type";
  return [{ property, reason: `${property}: ${what}` }];
}

function propertiesAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  return fieldNames(path.reduce<z.ZodType | undefined>(schemaBelow, schema));
}

/** A path as Pulumi writes it: publish.slug, steps[2].pageType, content["hero.title"]. */
export function propertyPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number" || /^\d+$/.test(String(step))) return `${text}[${String(step)}]`;
    if (!/^[\w$-]+$/.test(String(step))) return `${text}[${JSON.stringify(String(step))}]`;
    return text === "" ? String(step) : `${text}.${String(step)}`;
  }, "");
}

function at(path: readonly PropertyKey[]): string {
  return path.length > 0 ? `${propertyPath(path)}: ` : "";
}
