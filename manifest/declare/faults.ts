/** What stands for a value whose fault is told. */
import { UNKNOWN } from "../../provider/values/paths.ts";
import type { Diagnostics } from "../source/diagnostics.ts";
import type { At, Tree } from "./model.ts";
import { didYouMean } from "../../provider/values/nearest.ts";
import { isOptional } from "../../provider/definition/schema-walk.ts";
import { below } from "../language/addresses.ts";
import { type Field, type Fields, manifestName } from "../language/fields.ts";
import type { Place } from "../source/file.ts";
import type { MapEntry } from "../source/reader.ts";
import type { Problem } from "../../provider/messages/problems.ts";

/** The schema takes it for one that is not known yet. */
export const FAULTY: Tree = UNKNOWN;

/** Tells the fault at its place. */
export function fault(diagnostics: Diagnostics, message: string, at: At, hint: string | undefined): Tree {
  diagnostics.error("invalid-value", at.place, message, { path: at.path, hint, from: at.from });
  return FAULTY;
}

export function empty(diagnostics: Diagnostics, at: At, hint = "Give it one, or remove the line."): Tree {
  diagnostics.error("empty-value", at.place, `${at.path} has no value`, { path: at.path, hint });
  return FAULTY;
}

export function tellUnknown(diagnostics: Diagnostics, { key, keyPlace }: MapEntry, fields: Fields, at: At): void {
  const names = [...fields.keys()];
  const path = below(at.path, key);
  const meant = [...fields.values()].find(({ input, name }) => input === key && name !== key);
  const suggestion = meant ? `; here it is "${meant.name}"` : didYouMean(key, names);
  diagnostics.error("unknown-property", keyPlace, `${at.path} has no property "${key}"${suggestion}`, {
    path,
    hint: meant ? referenceHint(meant) : (decimalHint(keyPlace, key) ?? `Known are ${names.join(", ")}.`),
  });
}

/** Between braces, `price: 12,50` is a price of 12 and a further key. */
function decimalHint({ file, start }: Place, key: string): string | undefined {
  const [, whole] = /[\s:](\d+),$/.exec(file.text.slice(Math.max(0, start - 20), start)) ?? [];
  return whole !== undefined && /^\d+$/.test(key) ? `Decimals follow a point: ${whole}.${key}.` : undefined;
}

export function tellTwice(diagnostics: Diagnostics, entry: MapEntry, first: MapEntry, at: At): void {
  const message = `${at.path} has "${first.key}" already, so it can't have "${entry.key}"`;
  diagnostics.error("invalid-value", entry.keyPlace, message, { path: at.path });
}

/** Whether a field has to be there and is not. */
export function tellMissing(diagnostics: Diagnostics, input: string, fields: Fields, at: At): boolean {
  const field = [...fields.values()].find((candidate) => candidate.input === input);
  if (!field || isOptional(field.schema)) return false;
  const name = manifestName(input);
  diagnostics.error("missing-property", at.place, `${at.path} has no "${name}"`, {
    path: at.path,
    hint: field.schema.description === undefined ? undefined : `${name}: ${field.schema.description}`,
  });
  return true;
}

export function referenceHint({ name, reference }: Field): string {
  const direct = reference?.kind ? `the key of a ${reference.kind}` : "an id";
  return `${name} takes ${direct}, { id: … } or { lookup: { name: … } }.`;
}

export function writingHint(problem: Problem, value: unknown): string | undefined {
  const wanted = problem.code === "not-allowed" && problem.takes.kind === "type" ? problem.takes.type : undefined;
  if (wanted === "string" && typeof value !== "object") return "Put it in quotes.";
  if (typeof value !== "string") return undefined;
  if (wanted === "number") return numberHint(value.trim());
  if (wanted !== "boolean") return undefined;
  if (/^(true|false)$/.test(value)) return "Write it without quotes.";
  if (/^(yes|on|y)$/i.test(value)) return "Write true.";
  return /^(no|off|n)$/i.test(value) ? "Write false." : undefined;
}

/** Amounts as people write them: with a comma, with thousands set apart, with a currency. */
function numberHint(text: string): string | undefined {
  if (text !== "" && Number.isFinite(Number(text))) return "Write it without quotes.";
  const bare = text.replaceAll(/[\s'’_]|\p{Sc}|\b[A-Z]{3}\b/gu, "");
  if (/^-?[1-9]\d{0,2},\d{3}$/.test(bare)) {
    return `Write ${bare.replace(",", ".")} or ${bare.replace(",", "")}, whichever is meant: decimals follow a point, and nothing sets thousands apart.`;
  }
  const number = meant(bare);
  return number === undefined ? undefined : `Write ${number}: decimals follow a point, and a number stands alone.`;
}

function meant(text: string): string | undefined {
  if (/^-?(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/.test(text)) {
    return String(Number(text.replaceAll(".", "").replace(",", ".")));
  }
  return /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(text) ? String(Number(text.replaceAll(",", ""))) : undefined;
}
