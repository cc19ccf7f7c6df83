import { parsePath } from "../model/paths.ts";
import type { Json } from "../model/types.ts";
import { inKeyOrder, isObject } from "../model/values.ts";
import { InvalidNameError, MissingPassphraseError } from "../state/errors.ts";
import type { SecretsManager } from "../state/types.ts";

/** Values of a stack's configuration. A secret is `{secure: ciphertext}`, at any depth. Pure. */

export function isSecure(value: Json): value is { secure: string } {
  return isObject(value) && Object.keys(value).length === 1 && typeof value["secure"] === "string";
}

export function hasSecure(value: Json): boolean {
  if (value === null || typeof value !== "object") return false;
  return isSecure(value) || Object.values(value).some(hasSecure);
}

export function decryptSecure(value: Json, key: string, secrets: SecretsManager | undefined): Json {
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => decryptSecure(item, key, secrets));
  if (isSecure(value)) {
    if (secrets === undefined) throw new MissingPassphraseError(`the setting ${key} is a secret`);
    return secrets.decrypt(value.secure);
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decryptSecure(item, key, secrets)]));
}

/** Returns a value as the program gets it: a text as it is, everything else as JSON with sorted keys. */
export function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(inKeyOrder(value));
}

/** Turns a text inside an object into a boolean or an integer if it looks like one, as Pulumi does. */
export function coerce(value: Json): Json {
  if (typeof value !== "string") return value;
  if (value === "true" || value === "false") return value === "true";
  const number = Number(value);
  return /^-?(0|[1-9]\d*)$/.test(value) && Number.isSafeInteger(number) ? number : value;
}

/** Parses a path that begins with a key: `a.b[0]["x.y"]` into `["a", "b", 0, "x.y"]`. */
export function pathOfKey(text: string): [string, ...(string | number)[]] {
  const [first, ...others] = parsePath(text, true) ?? [];
  if (typeof first === "string" && first !== "") return [first, ...others];
  throw new InvalidNameError(`"${text}" is not a path; write for instance a.b[0] or a["x.y"]`);
}

/** Tells if a value matches the project's `type`. It accepts types of other kinds of projects. */
export function matchesType(value: Json, type: string): boolean {
  switch (type) {
    case "string":
      return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
    case "integer":
      return /^-?\d+$/.test(asText(value));
    case "boolean":
      return ["true", "false"].includes(asText(value).toLowerCase());
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return true;
  }
}
