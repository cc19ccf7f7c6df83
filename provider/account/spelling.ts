/**
 * A write that is answered with success and with the record as it was before denies itself. Where the service may have made what
 * stood there of what was sent (it trims, cuts, rounds, sorts, adds), nothing tells the two apart, and the answer is believed. Pure.
 */
import type { FieldRules } from "../definition/field-rule.ts";
import { isMap, same, type Json, type JsonMap } from "../values/json.ts";

/** How an object was before the write. */
export interface Before {
  readonly rules: FieldRules;
  readonly answer: JsonMap;
  readonly declared: ReadonlyMap<string, Json>;
  /** Fields that somebody else has moved since. */
  readonly written: ReadonlyMap<string, unknown>;
}

/** The inputs of those sent whose outputs are in the answer, and as they were before. */
export function unmovedIn(before: Before, answer: JsonMap, sent: JsonMap): string[] {
  const after = { ...before.answer, ...answer };
  return Object.entries(sent).flatMap(([field, wanted]) => {
    const { live, perKey, witness, shownBy = [field], comesOf } = before.rules.rule(field);
    const names = witness === undefined ? shownBy : [witness];
    if (perKey || (witness === undefined && live === undefined) || !names.every((name) => name in answer)) return [];
    const shown = (record: JsonMap, declared: Json): Json | undefined =>
      witness === undefined ? live?.(record, declared) : record[witness];
    const [was, is] = [shown(before.answer, wanted), shown(after, wanted)];
    if (is === undefined || !same(is, was)) return [];
    const comes = (declared: Json, record: JsonMap): boolean =>
      comesOf?.(declared, record) ?? mayComeOf(declared, shown(record, declared));
    // What it showed in its own way, it may show so again; after an edit by hand that is not known.
    const then = before.written.has(field) ? undefined : before.declared.get(field);
    const isItsOwn = then !== undefined && !comes(then, before.answer);
    return isItsOwn || comes(wanted, after) ? [] : [field];
  });
}

/** Of what no read shows: what was written before stands for how it was. */
export function isAsWritten(then: Json | undefined, sent: Json, shown: Json | undefined): boolean {
  return then !== undefined && shown !== undefined && mayComeOf(then, shown) && !mayComeOf(sent, shown);
}

/** Whether a service may show `shown` for what was sent, as far as anybody can tell. */
export function mayComeOf(sent: Json, shown: Json | undefined): boolean {
  if (typeof sent === "boolean" && typeof shown === "boolean") return sent === shown;
  if (typeof sent === "number" && typeof shown === "number") return Math.abs(sent - shown) < 1;
  if (Array.isArray(sent) && Array.isArray(shown)) return hasEach(sent, shown) && hasEach(shown, sent, true);
  if (isMap(sent) && isMap(shown))
    return Object.entries(sent).every(([key, value]) => !(key in shown) || mayComeOf(value, shown[key]));
  // What clears stands for whatever the service takes for nothing.
  if (typeof sent !== "string" || typeof shown !== "string" || sent === "") return true;
  const [whole, part] = [essence(sent), essence(shown)];
  return part === "" || whole.startsWith(part);
}

/** Whether each of these has one there that it came of, or that came of it; some services sort, or drop what is there twice. */
function hasEach(these: readonly Json[], those: readonly Json[], areShown = false): boolean {
  return these.every((one) => those.some((other) => (areShown ? mayComeOf(other, one) : mayComeOf(one, other))));
}

/** Letters and figures alone, without markup: how they are written is the service's business. */
export function essence(text: string): string {
  return text
    .replaceAll(/<[^>]*>|&(#\d+|#x[\da-f]+|[a-z]+\d*);/gi, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
