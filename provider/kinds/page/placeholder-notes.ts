/**
 * What the state keeps of a page's placeholders, so that a plan knows whether a variable changes anything: those that a draft
 * still has, and those that were replaced where no text is known. What an edit by hand has moved since is not known by it. Pure.
 */
import { isMap, type JsonMap } from "../../values/json.ts";

const OPEN = "open";
const ELSEWHERE = "elsewhere";

/** Of a page that is to be published no placeholder may be left, which is asked then. */
export function withOpen(notes: JsonMap, names: readonly string[] | undefined): JsonMap {
  const { [OPEN]: _, ...others } = notes;
  return names === undefined ? others : { ...others, [OPEN]: { names: [...names] } };
}

/** When the page was last changed, which is only known after the apply. */
export function withOpenAt(notes: JsonMap, updatedAt: string | null): JsonMap {
  const open = notes[OPEN];
  return isMap(open) && updatedAt !== null ? { ...notes, [OPEN]: { ...open, at: updatedAt } } : notes;
}

/** Whether a placeholder of one of these names may be on the draft. */
export function mayBeOpen(names: readonly string[], notes: JsonMap, updatedAt: unknown): boolean {
  const open = notes[OPEN];
  if (!isMap(open) || !Array.isArray(open["names"]) || open["at"] !== updatedAt) return true;
  const left = open["names"];
  return names.some((name) => left.includes(name));
}

/** Names whose placeholders the service replaced outside of the texts that it shows: another value can't be rendered there. */
export function withElsewhere(notes: JsonMap, names: readonly string[]): JsonMap {
  const all = new Set([...elsewhereIn(notes), ...names]);
  return all.size === 0 ? notes : { ...notes, [ELSEWHERE]: [...all] };
}

export function elsewhereIn(notes: JsonMap): string[] {
  const known = notes[ELSEWHERE];
  return Array.isArray(known) ? known.map(String) : [];
}
