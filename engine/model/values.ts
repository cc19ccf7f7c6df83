import { type Json, type PropertyMap, SECRET_SIG, SIG_KEY, UNKNOWN } from "./types.ts";

/** Values in Pulumi's wire JSON. An object with the signature key is a special value, no record. In a record, null is the same as a missing field. */

export const ASSET_SIG = "c44067f5952c0a294b673a41bacd8c17";
export const ARCHIVE_SIG = "0def7320c3a5731c473e5ecbe6d01bc7";
export const RESOURCE_SIG = "5cf8f73096256a8f31e491e813e4eb8e";
/** The signature of a number that JSON can't write, in a checkpoint. */
export const FLOAT_SIG = "8ad145fe-0d11-4827-bfd7-1abcbf086f5c";

export function isObject(value: unknown): value is PropertyMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function signatureOf(value: Json | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  const signature = value[SIG_KEY];
  return typeof signature === "string" ? signature : undefined;
}

/** Tells if a value is a record of fields and no special value. */
export function isRecord(value: Json | undefined): value is PropertyMap {
  return isObject(value) && signatureOf(value) === undefined;
}

export function isSecret(value: Json | undefined): value is { [SIG_KEY]: string; value: Json } {
  return signatureOf(value) === SECRET_SIG;
}

export function makeSecret(value: Json): Json {
  return isSecret(value) ? value : { [SIG_KEY]: SECRET_SIG, value };
}

/** Returns the value without the secret marks on its outside. Marks further inside stay. */
export function unwrap(value: Json): Json {
  return isSecret(value) ? unwrap(value.value) : value;
}

function some(value: Json, test: (value: Json) => boolean): boolean {
  if (test(value)) return true;
  if (Array.isArray(value)) return value.some((item) => some(item, test));
  return isObject(value) && Object.values(value).some((item) => some(item, test));
}

export function isUnknown(value: Json | undefined): boolean {
  return value === UNKNOWN;
}

export function containsUnknown(value: Json): boolean {
  return some(value, isUnknown);
}

export function containsSecret(value: Json): boolean {
  return some(value, isSecret);
}

export function findSignature(value: Json, signatures: readonly string[]): string | undefined {
  let found: string | undefined;
  some(value, (inner) => {
    const signature = signatureOf(inner);
    if (signature !== undefined && signatures.includes(signature)) found = signature;
    return found !== undefined;
  });
  return found;
}

/** Replaces every part of the value by the result of `change`; undefined drops the part. It doesn't copy a value without such a part. */
function rewrite(value: Json, change: (value: Json) => Json | undefined): Json | undefined {
  const changed = change(value);
  if (changed === undefined) return undefined;
  if (!Object.is(changed, value)) return rewrite(changed, change);
  if (Array.isArray(value)) return rewriteList(value, change);
  return isObject(value) ? rewriteMap(value, change) : value;
}

function rewriteList(list: Json[], change: (value: Json) => Json | undefined): Json[] {
  const rewritten = list.map((item) => rewrite(item, change));
  if (rewritten.every((item, index) => item === list[index])) return list;
  return rewritten.filter((item) => item !== undefined);
}

function rewriteMap(map: PropertyMap, change: (value: Json) => Json | undefined): PropertyMap {
  const parts = Object.entries(map).map(([key, value]) => [key, rewrite(value, change)] as const);
  if (parts.every(([key, value]) => value === map[key])) return map;
  return Object.fromEntries(parts.filter((part): part is [string, Json] => part[1] !== undefined));
}

/**
 * Returns the inputs for a dynamic provider, which knows neither secrets nor resource references: it opens secrets, and a reference becomes the id,
 * or the URN of a component. Unknowns stay only in questions about a future state.
 */
export function forProvider(map: PropertyMap, options: { keepUnknowns: boolean }): PropertyMap {
  return rewriteMap(map, (value) => {
    if (isSecret(value)) return value.value;
    if (signatureOf(value) === RESOURCE_SIG && isObject(value)) return value["id"] ?? value["urn"] ?? null;
    return isUnknown(value) && !options.keepUnknowns ? undefined : value;
  });
}

/** Opens the secrets of a map, at any depth. */
export function reveal(value: Json): Json {
  return rewrite(value, (inner) => (isSecret(inner) ? inner.value : inner)) ?? null;
}

/** Writes numbers that JSON can't write as a checkpoint does: the bits of a double, with the NaN bits of Pulumi's wire. */
export function holdNumbers(map: PropertyMap): PropertyMap {
  return rewriteMap(map, (value) => {
    const bits = typeof value === "number" && !Number.isFinite(value) ? BITS[String(value)] : undefined;
    return bits === undefined ? value : { [SIG_KEY]: FLOAT_SIG, value: bits };
  });
}

const BITS: Readonly<Record<string, string>> = {
  NaN: "7fffffffffffffff",
  Infinity: "7ff0000000000000",
  "-Infinity": "fff0000000000000",
};

/** Returns such a number as people write it. */
export function heldNumber(value: Json): string | undefined {
  if (!isObject(value) || signatureOf(value) !== FLOAT_SIG || typeof value["value"] !== "string") return undefined;
  return String(new DataView(BigUint64Array.of(BigInt(`0x${value["value"]}`)).buffer).getFloat64(0, true));
}

/** Returns a map that an event may show: a secret keeps its mark and loses its value. */
export function maskMap(map: PropertyMap): PropertyMap {
  return rewriteMap(map, maskOne);
}

export function mask(value: Json): Json {
  return rewrite(value, maskOne) ?? null;
}

function maskOne(value: Json): Json {
  return isSecret(value) && !("ciphertext" in value) ? { [SIG_KEY]: SECRET_SIG, ciphertext: "[secret]" } : value;
}

/** Masking a shorter text would blot out half of every text. Pulumi has the same limit. */
export const SHORTEST_SECRET = 3;

/** Returns the secret texts in a value, the longest first, because one may contain another. */
export function secretTextsIn(value: Json): string[] {
  const texts = new Set<string>();
  const add = (inner: Json): boolean => {
    if (typeof inner === "string") texts.add(inner);
    return false;
  };
  some(value, (part) => (isSecret(part) ? some(part.value, add) : false));
  return [...texts].filter((text) => text.length >= SHORTEST_SECRET).sort((a, b) => b.length - a.length);
}

/** Tells if values are equal in Pulumi's sense: a secret equals only a secret, and null equals a missing field. */
export function equal(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index] ?? null));
  if (!isObject(a) || !isObject(b) || signatureOf(a) !== signatureOf(b)) return false;
  return equalMaps(a, b);
}

export function equalMaps(a: PropertyMap, b: PropertyMap): boolean {
  for (const [key, value] of Object.entries(a)) if (!equal(value, b[key] ?? null)) return false;
  for (const [key, value] of Object.entries(b)) if (value !== null && !Object.hasOwn(a, key)) return false;
  return true;
}

/** Marks an answer as secret if a secret was sent under its name: providers of this protocol return plain values, so the name is the only clue. */
export function annotateSecrets(outputs: PropertyMap, inputs: PropertyMap): PropertyMap {
  const result: PropertyMap = { ...outputs };
  for (const [key, sent] of Object.entries(inputs)) {
    const returned = result[key];
    if (returned === undefined) continue;
    if (isRecord(returned) && isRecord(sent)) result[key] = annotateSecrets(returned, sent);
    else if (!isSecret(returned) && containsSecret(sent)) result[key] = makeSecret(returned);
  }
  return result;
}

/** Marks the outputs that the program named, and those whose input of the same name is a secret. */
export function markSecretOutputs(outputs: PropertyMap, inputs: PropertyMap, named: readonly string[]): PropertyMap {
  const result: PropertyMap = { ...outputs };
  for (const [key, value] of Object.entries(outputs))
    if (named.includes(key) || isSecret(inputs[key])) result[key] = makeSecret(value);
  return result;
}

/** Returns the same values, shared with the other map where it has them: an answer repeats most texts, and a run holds thousands of answers. */
export function sharing(map: PropertyMap, other: PropertyMap): PropertyMap {
  const names = Object.keys(map);
  const shared = Object.entries(map).map(([name, value]) => [name, shareOne(value, partOf(other, name))] as const);
  const isOther = names.length === Object.keys(other).length && isInOrder(names, other);
  return isOther && shared.every(([name, value]) => Object.is(value, other[name])) ? other : Object.fromEntries(shared);
}

function shareOne(value: Json, other: Json | undefined): Json {
  // Equal texts share their memory from here on.
  if (value === other) return other;
  if (Array.isArray(value) && Array.isArray(other)) return shareList(value, other);
  return isObject(value) && isObject(other) ? sharing(value, other) : value;
}

function shareList(list: Json[], other: Json[]): Json[] {
  const shared = list.map((item, index) => shareOne(item, other[index]));
  const isOther = list.length === other.length && shared.every((item, index) => Object.is(item, other[index]));
  return isOther ? other : shared;
}

/** Tells if the keys have the same order, because a written value keeps its order. */
function isInOrder(names: readonly string[], other: PropertyMap): boolean {
  return Object.keys(other).every((name, index) => name === names[index]);
}

function partOf(map: PropertyMap, name: string): Json | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** Sorts the keys of maps, as Pulumi's own wire does, so that the order is the same on both. Doesn't copy what is sorted already. */
export function inKeyOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(inKeyOrder);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (typeof value !== "object" || value === null) return value;
  const map = value as Record<string, Json>;
  const keys = Object.keys(map);
  const sorted = keys.toSorted();
  const parts = sorted.map((key) => inKeyOrder(map[key]));
  if (sorted.every((key, index) => key === keys[index] && parts[index] === map[key])) return value;
  return Object.fromEntries(sorted.map((key, index) => [key, parts[index]]));
}
