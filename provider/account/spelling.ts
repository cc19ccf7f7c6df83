/**
 * Finds writes that the service answers with success and with the record as it was before. If the service may have made the old value from
 * the sent one (it trims, cuts, rounds, sorts, adds), nothing tells the two apart, and the answer is believed. Pure.
 */
import type { FieldRules } from "../definition/field-rule.ts";
import { isMap, same, type Json, type JsonMap } from "../values/json.ts";

export interface Before {
  readonly rules: FieldRules;
  readonly answer: JsonMap;
  readonly declared: ReadonlyMap<string, Json>;
  /** Fields that somebody else has moved since. */
  readonly written: ReadonlyMap<string, unknown>;
}

export function unmovedIn(before: Before, answer: JsonMap, sent: JsonMap): string[] {
  const after = { ...before.answer, ...answer };
  return Object.entries(sent).flatMap(([field, wanted]) => {
    const { shownValue, perKey, proxyOutput, shownBy = [field], comesOf } = before.rules.rule(field);
    const names = proxyOutput === undefined ? shownBy : [proxyOutput];
    if (perKey || (proxyOutput === undefined && shownValue === undefined) || !names.every((name) => name in answer))
      return [];
    const shown = (record: JsonMap, declared: Json): Json | undefined =>
      proxyOutput === undefined ? shownValue?.(record, declared) : record[proxyOutput];
    const [was, is] = [shown(before.answer, wanted), shown(after, wanted)];
    if (is === undefined || !same(is, was)) return [];
    const comes = (declared: Json, record: JsonMap): boolean =>
      comesOf?.(declared, record) ?? mayComeOf(declared, shown(record, declared));
    // A value that the service showed in its own way may look so again. After an edit by hand nobody knows that.
    const then = before.written.has(field) ? undefined : before.declared.get(field);
    const isItsOwn = then !== undefined && !comes(then, before.answer);
    return isItsOwn || comes(wanted, after) ? [] : [field];
  });
}

/** Tells if the shown value comes of the earlier write and not of the sent one. The earlier value stands for a state that no read shows. */
export function isAsWritten(then: Json | undefined, sent: Json, shown: Json | undefined): boolean {
  return then !== undefined && shown !== undefined && mayComeOf(then, shown) && !mayComeOf(sent, shown);
}

/** Tells if both are one value in two spellings: services trim, change the case, write numbers as texts, and show nothing in several ways. */
export function isRespelt(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isRespelt(item, other[index]));
  if (isMap(one) && isMap(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) =>
      isRespelt(one[key] ?? null, other[key] ?? null),
    );
  if (typeof one === "number" || typeof other === "number") return Number(one) === Number(other);
  return plainly(one) === plainly(other);
}

function isNothing(value: Json): boolean {
  return value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

function plainly(value: Json): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.normalize("NFKC").toLowerCase().trim().replaceAll(/\s+/g, " ");
}

/** Tells if a service may show `shown` for the sent value, as far as anybody can tell. */
export function mayComeOf(sent: Json, shown: Json | undefined): boolean {
  if (typeof sent === "boolean" && typeof shown === "boolean") return sent === shown;
  if (typeof sent === "number" && typeof shown === "number") return Math.abs(sent - shown) < 1;
  if (Array.isArray(sent) && Array.isArray(shown)) return hasEach(sent, shown) && hasEach(shown, sent, true);
  if (isMap(sent) && isMap(shown))
    return Object.entries(sent).every(([key, value]) => !(key in shown) || mayComeOf(value, shown[key]));
  // An empty text stands for whatever the service takes for nothing.
  if (typeof sent !== "string" || typeof shown !== "string" || sent === "") return true;
  const [whole, part] = [essence(sent), essence(shown)];
  return part === "" || whole.startsWith(part);
}

/** Tells if each of these has a counterpart that it came of, or that came of it. Some services sort, or drop duplicates. */
function hasEach(these: readonly Json[], those: readonly Json[], areShown = false): boolean {
  return these.every((one) => those.some((other) => (areShown ? mayComeOf(other, one) : mayComeOf(one, other))));
}

/** Keeps only letters and figures, without markup. The service may spell everything else as it likes. */
export function essence(text: string): string {
  return text
    .replaceAll(/<[^>]*>|&(#\d+|#x[\da-f]+|[a-z]+\d*);/gi, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
