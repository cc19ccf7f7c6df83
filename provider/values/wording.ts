/** The words for a wrong value: the values that the property takes, and the one that it got. Codes come from problems.ts. */
import type { z } from "zod";
import { propertyPath } from "./paths.ts";
import { type Allowed, type CheckFailure, type Given, type Problem, problemOf } from "./problems.ts";

/** For inputs: "takes a number, and this is text". Goes behind the path of the value. */
export const inputWording: z.core.$ZodErrorMap = (issue) => valueText(problemOf(issue), INPUTS);
/** For answers of the service: "expected a number, and got text". */
export const answerWording: z.core.$ZodErrorMap = (issue) => valueText(problemOf(issue), ANSWERS);

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Lists the first names and counts the others. */
export function listed(names: readonly string[], most = 10, between = ", "): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(between)}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns the problem in words, to be put behind the path of the value, or behind another name that the reader has for it. */
export function problemText({ path, problem }: CheckFailure): string {
  switch (problem.code) {
    case "unknown-property":
      return unknownText(propertyPath(path), problem);
    case "claimed":
      return `${problem.what} is declared by "${problem.holder}" too; only one resource can have it`;
    default:
      return valueText(problem, INPUTS);
  }
}

export function failureText(failure: CheckFailure): string {
  const { path, problem } = failure;
  const text = problemText(failure);
  return namesItself(problem) || path.length === 0 ? text : `${propertyPath(path)}: ${text}`;
}

/** Tells if the text goes on where the name of the input ends ("price takes a number"), and needs no colon. */
export function goesOn(problem: Problem): boolean {
  return problem.code === "rule" ? problem.goesOn : !namesItself(problem);
}

function namesItself({ code }: Problem): boolean {
  return code === "unknown-property" || code === "claimed";
}

interface Words {
  readonly takes: string;
  readonly given: string;
  readonly missing: string;
}

const INPUTS: Words = { takes: "takes", given: "this is", missing: "is missing; it takes" };
const ANSWERS: Words = { takes: "expected", given: "got", missing: "nothing is there; expected" };

function valueText(problem: Problem, words: Words): string {
  switch (problem.code) {
    case "missing":
      return `${words.missing} ${allowedText(problem.takes)}`;
    case "not-allowed":
      return `${words.takes} ${allowedText(problem.takes)}, and ${words.given} ${givenText(problem.given)}`;
    case "empty":
      return "can't be empty";
    case "no-value":
      return 'has no value: write "" for an empty text, or leave the key out to keep what is there';
    case "bad-key":
      return `has a key that ${valueText(problem.problem, words)}`;
    case "unknown-keys":
      return `has the unknown ${named(problem.keys)}`;
    case "not-beside":
      return `can't be combined with ${problem.others.join(", ")}`;
    case "wrong-type":
      return "has a value of the wrong type";
    case "rule":
      return problem.text;
    default:
      return "has a value that is not taken here";
  }
}

function unknownText(property: string, { known, nearest }: Problem & { code: "unknown-property" }): string {
  const hint = nearest === undefined ? `; known are ${known.join(", ")}` : `, did you mean "${nearest}"?`;
  return `there is no property "${property}"${hint}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a map",
  record: "a map",
  date: "a date",
};

function typeText(type: string): string {
  return TYPES[type] ?? type;
}

function allowedText(takes: Allowed): string {
  switch (takes.kind) {
    case "type":
      return typeText(takes.type);
    case "types":
      return oneOf([...new Set(takes.types.map(typeText))]);
    case "values":
      return oneOf(takes.values);
    case "limit":
      return limitText(takes);
  }
}

function limitText({ limit, of, bound }: Allowed & { kind: "limit" }): string {
  if (of === "text") return `text of ${limit} ${counted(Number(bound), "character")}`;
  return of === "list" ? `a list of ${limit} ${counted(Number(bound), "item")}` : `a number of ${limit} ${bound}`;
}

function givenText(given: Given): string {
  switch (given.kind) {
    case "word":
      return JSON.stringify(given.word);
    case "length":
      return `${given.length} long`;
    case "number":
      return String(given.number);
    case "type":
      return typeText(given.type);
  }
}

function named(keys: readonly string[]): string {
  return `${keys.length === 1 ? "property" : "properties"} ${keys.map((key) => JSON.stringify(key)).join(", ")}`;
}

function oneOf(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

/** Half of a surrogate pair in a text from elsewhere can't be encoded, and an answer that holds one is never sent. */
let graphemes: Intl.Segmenter | undefined;

/** Cuts behind a whole character as a reader sees it; a cut text ends in "…". */
export function shortened(text: string, most: number): string {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  let end = 0;
  // Reading its data is a good part of a start, and few need them.
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  for (const { index, segment } of graphemes.segment(whole.slice(0, most + LONGEST_GRAPHEME))) {
    if (index + segment.length > most) break;
    end = index + segment.length;
  }
  return `${whole.slice(0, end).toWellFormed()}…`;
}

const LONGEST_GRAPHEME = 64;

/** Returns text without line ends and control characters: one line stays one line, and a terminal shows it as text. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
