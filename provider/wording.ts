/**
 * What is said of a value that a schema refuses: what is allowed, and what was given. The one place for all of zod's
 * causes. A given text is never repeated, since it may be long or secret, unless it stands where one of a few words is
 * taken.
 */
import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;

/** Of inputs: "takes a number, and this is text". Goes behind the path of the value. */
export const inputWording = wordingWith({ takes: "takes", given: "this is", missing: "is missing; it takes" });
/** Of what the service answered: "expected a number, and got text". */
export const answerWording = wordingWith({ takes: "expected", given: "got", missing: "nothing is there; expected" });

interface Words {
  readonly takes: string;
  readonly given: string;
  readonly missing: string;
}

function wordingWith({ takes, given, missing }: Words): z.core.$ZodErrorMap {
  return (issue) => {
    if (issue.code === "invalid_key") return `has a key that ${issue.issues[0]?.message ?? "is not taken"}`;
    if (issue.code === "unrecognized_keys") return `has the unknown ${named(issue.keys)}`;
    if (issue.code === "too_small" && issue.minimum === 1 && issue.input === "") return "can't be empty";
    const allowed = allowedBy(issue);
    if (allowed === undefined) return "has a value that is not taken here";
    return issue.input === undefined
      ? `${missing} ${allowed}`
      : `${takes} ${allowed}, and ${given} ${givenIn(issue, issue.input)}`;
  };
}

function allowedBy(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return called(issue.expected);
    case "invalid_value":
      return oneOf(issue.values.map(String));
    case "too_small":
      return bounded(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return bounded(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_union":
      return alternatives(issue.errors);
    default:
      return undefined;
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
};

function called(type: string): string {
  return TYPES[type] ?? type;
}

function bounded(origin: string, least: string, bound: number | bigint): string {
  const limit = `${least} ${bound}`;
  if (origin === "string") return `text of ${limit} ${bound === 1 ? "character" : "characters"}`;
  return origin === "array" ? `a list of ${limit} ${bound === 1 ? "item" : "items"}` : `a number of ${limit}`;
}

function alternatives(errors: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const types = errors.flatMap(([first]) => (first?.code === "invalid_type" ? [called(first.expected)] : []));
  return types.length === 0 ? undefined : oneOf([...new Set(types)]);
}

function givenIn(issue: Issue, input: unknown): string {
  const word = issue.code === "invalid_value" && typeof input === "string" && input.length <= 40;
  if (word) return JSON.stringify(input);
  const sized = issue.code === "too_small" || issue.code === "too_big";
  if (sized && typeof input === "string") return `${Array.from(input).length} long`;
  if (sized && Array.isArray(input)) return `${input.length} long`;
  if (sized || (issue.code === "invalid_type" && issue.expected === "int")) return String(input);
  if (input === null) return "null";
  return called(Array.isArray(input) ? "array" : typeof input);
}

function named(keys: readonly string[]): string {
  return `${keys.length === 1 ? "property" : "properties"} ${keys.map((key) => `"${key}"`).join(", ")}`;
}

function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
