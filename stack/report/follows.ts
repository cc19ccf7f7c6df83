/**
 * Updates that only values to come ask for: where those come out as they were, nothing is done. They are told with what they
 * may follow from, and not counted as changes. Pure.
 */
import type { Json } from "../../engine/index.ts";
import { LATER, type Change } from "./model.ts";
import type { Told } from "./steps.ts";

export function withFollowing(changes: readonly Change[], told: ReadonlyMap<string, Told>): Change[] {
  const certain = changes.filter((change) => (change.op === "update" && !isOpen(change)) || keepsItsAddress(change));
  const given = changes.some(isOpen) ? [...told.values()].flatMap(givenBy) : [];
  return changes.map((change) => {
    const from = isOpen(change) ? sourcesOf(change, certain, given) : [];
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
function sourcesOf({ fields }: Change, certain: readonly Change[], given: readonly Given[]): string[] {
  const sources = fields.map(({ old }) => {
    const from = textsIn(old ?? null).flatMap((text) => giversOf(text, given));
    return certain.filter(({ urn, op }) =>
      from.some((one) => one.urn === urn && (op === "update" || one.output === "url")),
    );
  });
  return sources.some((found) => found.length === 0) ? [] : [...new Set(sources.flat().map(({ name }) => name))];
}

interface Given {
  urn: string;
  output: string;
  text: string;
}

/** Shorter texts are in many others. */
const SHORTEST = 8;

function givenBy({ urn, steps, outputs }: Told): Given[] {
  // What it shows of its own inputs (the project that it is in) it has from somewhere else.
  const had = [...steps.values()].flatMap(({ old }) => textsIn(old?.inputs ?? null));
  return Object.entries(outputs).flatMap(([output, text]) =>
    typeof text === "string" && text.length >= SHORTEST && !had.includes(text) ? [{ urn, output, text }] : [],
  );
}

/** Of all that is in the text, the longest says whose it is: the address of one page may begin as that of another does. */
function giversOf(text: string, given: readonly Given[]): Given[] {
  const found = given.filter((one) => text.includes(one.text));
  const longest = Math.max(0, ...found.map((one) => one.text.length));
  return found.filter((one) => one.text.length === longest);
}

function hasLater(value: Json): boolean {
  return textsIn(value).includes(LATER);
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
