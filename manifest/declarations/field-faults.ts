/** What is wrong with the fields of an entry: one that is not known, is there twice, is not there. */
import { didYouMean } from "../../provider/values/nearest.ts";
import { isOptional } from "../../provider/definition/schema-walk.ts";
import type { Diagnostics } from "../diagnostics/diagnostics.ts";
import { below } from "../language/addresses.ts";
import { manifestName, type Field, type Fields } from "../language/fields.ts";
import type { Place } from "../source/file.ts";
import type { MapEntry } from "../source/reader.ts";
import type { At } from "./model.ts";

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
