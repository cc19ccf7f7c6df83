/**
 * A write that is answered with success and with the record as it was before denies itself. Where the service may have made what
 * stood there of what was sent (it trims, cuts, rounds), nothing tells the two apart, and the answer is believed. Pure.
 */
import { same, type Json, type JsonMap } from "../json.ts";
import type { ObjectState } from "./object-state.ts";

/** The inputs of those sent whose outputs are in the answer, and as they were before. */
export function unmovedIn(object: ObjectState, answer: JsonMap, sent: JsonMap): string[] {
  const after = { ...object.answer, ...answer };
  return Object.entries(sent).flatMap(([field, wanted]) => {
    const { live, perKey, shownBy = [field] } = object.rules.rule(field);
    if (live === undefined || perKey || !shownBy.every((name) => name in answer)) return [];
    const [was, is] = [live(object.answer, wanted), live(after, wanted)];
    return is !== undefined && same(is, was) && !mayComeOf(wanted, is) ? [field] : [];
  });
}

/** Whether a service may show `shown` for what was sent, as far as anybody can tell: of what has parts nobody can. */
function mayComeOf(sent: Json, shown: Json): boolean {
  if (typeof sent === "boolean" && typeof shown === "boolean") return sent === shown;
  if (typeof sent === "number" && typeof shown === "number") return Math.abs(sent - shown) < 1;
  // What clears stands for whatever the service takes for nothing.
  if (typeof sent !== "string" || typeof shown !== "string" || sent === "") return true;
  const [whole, part] = [essence(sent), essence(shown)];
  return part === "" || whole.startsWith(part);
}

/** Letters and figures alone, without markup: how they are written is the service's business. */
function essence(text: string): string {
  return text
    .replaceAll(/<[^>]*>/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
