/**
 * Updates that only values to come ask for: where those come out as they were, nothing is done. They are told with what they
 * may follow from, and not counted as changes. Pure.
 */
import type { Json } from "../../engine/index.ts";
import { LATER, type Change } from "./model.ts";
import type { Told } from "./told.ts";

export function withFollowing(changes: readonly Change[], told: ReadonlyMap<string, Told>): Change[] {
  const certain = changes.filter((change) => change.op === "update" && !isOpen(change));
  return changes.map((change) => {
    const from = isOpen(change) ? sourcesOf(change, certain, told) : [];
    return from.length === 0 ? change : { ...change, reason: { code: "may follow", from } };
  });
}

/** Whether nothing is known yet of what it changes to. */
function isOpen({ op, status, reason, fields }: Change): boolean {
  const open = fields.length > 0 && fields.every(({ new: next }) => next !== undefined && hasLater(next));
  return op === "update" && status === undefined && reason === undefined && open;
}

/** What had every value so far, and is updated: what is new, or made anew, has certainly another one. */
function sourcesOf({ fields }: Change, certain: readonly Change[], told: ReadonlyMap<string, Told>): string[] {
  const sources = fields.map(({ old }) => certain.filter(({ urn }) => gave(told.get(urn), textsIn(old ?? null))));
  return sources.some((found) => found.length === 0) ? [] : [...new Set(sources.flat().map(({ name }) => name))];
}

/** Shorter texts are in many others. */
const SHORTEST = 8;

function gave(source: Told | undefined, texts: readonly string[]): boolean {
  const outputs = Object.values(source?.outputs ?? {}).flatMap((value) =>
    typeof value === "string" && value.length >= SHORTEST ? [value] : [],
  );
  return texts.some((text) => outputs.some((output) => text.includes(output)));
}

function hasLater(value: Json): boolean {
  return textsIn(value).includes(LATER);
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
