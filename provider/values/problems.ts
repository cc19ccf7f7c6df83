/** The problems that inputs can have, as data. Words are in wording.ts, and no code reads a sentence. */
import type { z } from "zod";
import type { Path } from "./paths.ts";

export interface CheckFailure<Cause extends Problem = Problem> {
  readonly path: Path;
  readonly problem: Cause;
}

export type Problem =
  | { readonly code: "missing"; readonly takes: Allowed }
  | { readonly code: "not-allowed"; readonly takes: Allowed; readonly given: Given }
  | { readonly code: "empty" }
  /** Null, where the schema takes any other value. */
  | { readonly code: "no-value" }
  | { readonly code: "bad-key"; readonly problem: Problem }
  | { readonly code: "unknown-keys"; readonly keys: readonly string[] }
  /** The last step of the path is no property there. */
  | { readonly code: "unknown-property"; readonly known: readonly string[]; readonly nearest: string | undefined }
  /** Right by itself, and not together with these. */
  | { readonly code: "not-beside"; readonly others: readonly string[] }
  | { readonly code: "wrong-type" }
  | {
      readonly code: "rule";
      readonly rule: string;
      readonly text: string;
      /** The text goes on where the name of the input ends, as in "description has 5 characters". */
      readonly goesOn: boolean;
    }
  | Claimed
  /** A schema refused it for a cause that has no words here. */
  | { readonly code: "not-taken" };

export function brokenRule(path: Path, rule: string, text: string, goesOn = false): CheckFailure {
  return { path, problem: { code: "rule", rule, text, goesOn } };
}

/** Another resource of the program has it. `holder` names that resource in the words of the caller. */
export interface Claimed {
  readonly code: "claimed";
  readonly what: string;
  readonly holder: string;
}

type Measured = "text" | "list" | "number";

export type Allowed =
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "types"; readonly types: readonly string[] }
  | { readonly kind: "values"; readonly values: readonly string[] }
  | {
      readonly kind: "limit";
      readonly limit: "at least" | "more than" | "at most" | "less than";
      readonly of: Measured;
      readonly bound: number | bigint;
    };

/** The value that was given. A text is never repeated, since it may be long or secret, unless it stands for one of a few words. */
export type Given =
  | { readonly kind: "type"; readonly type: string }
  | { readonly kind: "word"; readonly word: string }
  | { readonly kind: "length"; readonly length: number }
  | { readonly kind: "number"; readonly number: number };

type Issue = z.core.$ZodRawIssue | z.core.$ZodIssue;

const LONGEST_WORD = 40;

export function problemOf(issue: Issue, input: unknown = issue.input): Problem {
  if (issue.code === "invalid_key") {
    const [first] = issue.issues;
    return { code: "bad-key", problem: first ? problemOf(first) : { code: "not-taken" } };
  }
  if (issue.code === "unrecognized_keys") return { code: "unknown-keys", keys: issue.keys };
  if (issue.code === "too_small" && issue.minimum === 1 && input === "") return { code: "empty" };
  const takes = allowedBy(issue);
  if (takes === undefined) return { code: "not-taken" };
  return input === undefined
    ? { code: "missing", takes }
    : { code: "not-allowed", takes, given: givenIn(issue, input) };
}

function allowedBy(issue: Issue): Allowed | undefined {
  switch (issue.code) {
    case "invalid_type":
      return { kind: "type", type: issue.expected };
    case "invalid_value":
      return { kind: "values", values: issue.values.map(String) };
    case "too_small":
      return limit(issue.inclusive === false ? "more than" : "at least", issue.origin, issue.minimum);
    case "too_big":
      return limit(issue.inclusive === false ? "less than" : "at most", issue.origin, issue.maximum);
    case "invalid_union":
      return alternatives(issue.errors);
    default:
      return undefined;
  }
}

function limit(word: (Allowed & { kind: "limit" })["limit"], origin: string, bound: number | bigint): Allowed {
  const of = origin === "string" ? "text" : origin === "array" ? "list" : "number";
  return { kind: "limit", limit: word, of, bound };
}

function alternatives(errors: readonly (readonly z.core.$ZodIssue[])[]): Allowed | undefined {
  const types = errors.flatMap(([first]) => (first?.code === "invalid_type" ? [first.expected] : []));
  return types.length === 0 ? undefined : { kind: "types", types: [...new Set<string>(types)] };
}

function givenIn(issue: Issue, input: unknown): Given {
  const isWord = issue.code === "invalid_value" && typeof input === "string" && input.length <= LONGEST_WORD;
  if (isWord) return { kind: "word", word: input };
  const sized = issue.code === "too_small" || issue.code === "too_big";
  if (sized && typeof input === "string") return { kind: "length", length: Array.from(input).length };
  if (sized && Array.isArray(input)) return { kind: "length", length: input.length };
  const counted = sized || (issue.code === "invalid_type" && issue.expected === "int");
  if (counted && typeof input === "number") return { kind: "number", number: input };
  return { kind: "type", type: typeOf(input) };
}

function typeOf(input: unknown): string {
  if (input === null) return "null";
  if (input instanceof Date) return "date";
  if (typeof input === "number" && !Number.isFinite(input)) return String(input);
  return Array.isArray(input) ? "array" : typeof input;
}
