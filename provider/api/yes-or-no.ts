/** Variables and settings that are on or off. This is the only reader of them. */
import { ConfigurationError } from "./errors.ts";

const ON = new Set(["1", "true", "yes", "on"]);
const OFF = new Set(["", "0", "false", "no", "off"]);

/** Returns undefined for a word that is neither. */
export function yesOrNo(value: unknown): boolean | undefined {
  if (typeof value === "boolean" || value === undefined) return value ?? false;
  if (typeof value !== "string") return undefined;
  const word = value.trim().toLowerCase();
  if (ON.has(word)) return true;
  return OFF.has(word) ? false : undefined;
}

export function isOn(variable: string, env: NodeJS.ProcessEnv = process.env): boolean {
  const isYes = yesOrNo(env[variable]);
  if (isYes !== undefined) return isYes;
  throw new ConfigurationError(variable, `is ${JSON.stringify(env[variable])}`, "Set it to true or false.");
}

/** A command that only reads sets this variable for all its processes. They then send no call that changes something. */
export const READ_ONLY_VARIABLE = "LANDFORM_READ_ONLY";
