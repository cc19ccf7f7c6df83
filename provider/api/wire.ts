/**
 * Field types of the wire, forgiving where implementations of the specification differ (numbers as strings, missing
 * nullable fields, JSON inside strings) and exact about the result: a field has the type that its schema says, or the
 * record is refused with the field's path.
 */
import { z } from "zod";
import { isMap } from "../values/json.ts";

const asText = (value: unknown): unknown => (typeof value === "number" ? String(value) : value);
const orNull = (value: unknown): unknown => (value === undefined ? null : value);

function asNumber(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (text === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : value;
}

function asFlag(value: unknown): unknown {
  if (value === 0 || value === "0" || value === "false") return false;
  if (value === 1 || value === "1" || value === "true") return true;
  return value;
}

function asTags(value: unknown): unknown {
  if (typeof value !== "string") return value ?? [];
  return value.split(",").flatMap((tag) => (tag.trim() === "" ? [] : [tag.trim()]));
}

/** Numeric text becomes a number, other text stays: for fields whose type the specification leaves open. */
const asNumberOrText = (value: unknown): unknown => (value === "" ? null : asNumber(value));

/** A string that is never missing. */
export const text = z.preprocess(asText, z.string());

/** Stands for half a character in a text that was read. Two ids that differ only there would be one. */
const BROKEN = "\ufffd";

/** An id: a string that is never missing nor broken, and that a call can name. */
export const id = z.preprocess(
  asText,
  z.string().superRefine((value, context) => {
    const message = value.includes(BROKEN) ? "is no well-formed text" : faultOfId(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  }),
);

export const nullableText = z.preprocess((value) => orNull(asText(value)), z.string().nullable());

/** A string that may be missing or null, for which `fallback` stands then. */
export const textOr = (fallback: string) => z.preprocess((value) => asText(value) ?? fallback, z.string());

export const nullableNumber = z.preprocess((value) => orNull(asNumber(value)), z.number().nullable());

/** A boolean that is never missing. */
export const flag = z.preprocess(asFlag, z.boolean());

export const nullableFlag = z.preprocess((value) => orNull(asFlag(value)), z.boolean().nullable());

/** A boolean that may be missing or null, for which `fallback` stands then. */
export const flagOr = (fallback: boolean) => z.preprocess((value) => asFlag(value) ?? fallback, z.boolean());

export const numberOrText = z.preprocess(
  (value) => orNull(asNumberOrText(value)),
  z.union([z.number(), z.string()]).nullable(),
);

/** A value whose type the specification leaves open; missing is null. */
export const anything = z.preprocess(orNull, z.unknown());

/** Tag names: a list, or one comma-separated string. */
export const tags = z.preprocess(asTags, z.array(text));

/** A value sent as JSON in a string, or decoded already. Missing and empty are null. */
export const decoded = z.preprocess(decode, z.unknown());

/** An object, possibly as JSON in a string; missing is null. */
export const nullableObject = z.preprocess(decode, z.record(z.string(), z.unknown()).nullable());

/** An object, possibly as JSON in a string. */
export const object = z.preprocess(decode, z.record(z.string(), z.unknown()));

/** A list of such elements, possibly as JSON in a string; missing is empty. */
export const listOf = <T extends z.ZodType>(element: T) =>
  z.preprocess((value, context) => decode(value, context) ?? [], z.array(element));

/** Names (of variables, of content keys): a list of strings, of objects that carry a name, or the keys of an object. */
export const names = z.preprocess((value, context) => namesIn(decode(value, context)), z.array(z.string()));

function decode(value: unknown, context: z.RefinementCtx): unknown {
  if (value === undefined || value === "") return null;
  if (typeof value !== "string") return value;
  try {
    return parseWellFormed(value);
  } catch {
    context.addIssue({ code: "custom", message: "expected JSON in a string" });
    return z.NEVER;
  }
}

function namesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameOf);
  return isMap(value) ? Object.keys(value) : (value ?? []);
}

function nameOf(entry: unknown): unknown {
  if (!isMap(entry)) return entry;
  return [entry.name, entry.key, entry.id].find((candidate) => typeof candidate === "string") ?? entry;
}

/** JSON as `JSON.parse` reads it, every text of it well-formed: an escape can stand for half of a surrogate pair. */
export function parseWellFormed(json: string): unknown {
  return JSON.parse(json, HALF_PAIR.test(json) ? wellFormed : undefined) as unknown;
}

const HALF_PAIR = /\\ud[89a-f]/i;

function wellFormed(_key: string, value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), item]));
}

/** Returns the fault of an id. An id that no call can name is neither sent nor taken from an answer. */
export function faultOfId(id: string): string | undefined {
  if (id === "") return "is empty";
  if (id === "." || id === "..") return `is ${JSON.stringify(id)}, which names another path`;
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(id)) return "holds a control character";
  return id.isWellFormed() ? undefined : "is no well-formed text";
}
