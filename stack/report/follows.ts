/**
 * Updates that only values to come ask for: where those come out as they were, nothing is done. They are told with what they
 * may follow from, and not counted as changes. Pure.
 */
import type { Json } from "../../engine/index.ts";
import { LATER, type Change } from "./model.ts";
import type { Told } from "./told.ts";

export function withFollowing(changes: readonly Change[], told: ReadonlyMap<string, Told>): Change[] {
  const certain = changes.filter((change) => (change.op === "update" && !isOpen(change)) || keepsItsAddress(change));
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

/** A page that is made anew where the old one was: of all that it gives, the address alone is likely to stay. */
function keepsItsAddress({ op, status, fields }: Change): boolean {
  return op === "replace" && status === undefined && !fields.some(({ path: [input] }) => input === "publish");
}

/** What had every value so far, and is updated, or stays where it is: what is new has certainly another one. */
function sourcesOf({ fields }: Change, certain: readonly Change[], told: ReadonlyMap<string, Told>): string[] {
  const sources = fields.map(({ old }) => certain.filter((source) => gave(source, told, textsIn(old ?? null))));
  return sources.some((found) => found.length === 0) ? [] : [...new Set(sources.flat().map(({ name }) => name))];
}

/** Shorter texts are in many others. */
const SHORTEST = 8;

function gave({ urn, op }: Change, told: ReadonlyMap<string, Told>, texts: readonly string[]): boolean {
  const source = told.get(urn);
  if (source === undefined) return false;
  // What it shows of its own inputs (the project that it is in) it has from somewhere else.
  const given = [...source.steps.values()].flatMap(({ old }) => textsIn(old?.inputs ?? null));
  const outputs = Object.entries(source.outputs).flatMap(([output, value]) =>
    typeof value === "string" &&
    value.length >= SHORTEST &&
    !given.includes(value) &&
    (op === "update" || output === "url")
      ? [value]
      : [],
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
