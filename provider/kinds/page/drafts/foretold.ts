/**
 * Nodes as they will be once a service whose reads lag behind shows what was written: with what was sent in the place of what stood
 * there before. All else that moves in such a node is somebody else's. Pure.
 */
import type { Json, JsonMap } from "../../../values/json.ts";
import { mentions, render } from "../variables.ts";
import { exchanged, leavesOf, type Scalar } from "./leaves.ts";
import type { Written } from "./own-writes.ts";

/** All that the node may say then: a text of a few letters may stand in a place that is not its own. */
export function foretold(own: string, written: readonly Written[], variables: JsonMap): Set<string> {
  const texts = written.map(({ now, then }) => ({ now: textOf(now), then }));
  return new Set([texts, written].flatMap((form) => nodesWith(own, form, variables)));
}

/** A service may keep numbers and booleans as texts. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Each place that moves alone, and then all of them. */
function nodesWith(own: string, written: readonly Written[], variables: JsonMap): string[] {
  const node = JSON.parse(own) as Json;
  const places = leavesOf(node).flatMap(({ value, set }) => {
    const next = nextOf(value, written, variables);
    return next === undefined ? [] : [{ value, next, set }];
  });
  const alone = places.map(({ value, next, set }) => {
    set(next);
    const text = JSON.stringify(node);
    set(value);
    return text;
  });
  for (const { next, set } of places) set(next);
  return places.length === 0 ? [] : [...alone, JSON.stringify(node)];
}

/** Of the node's text in its place; undefined where nothing was written there. */
function nextOf(value: Scalar, written: readonly Written[], variables: JsonMap): Scalar | undefined {
  for (const { now, then } of written) {
    const [next] = exchanged(value, then, now);
    if (next !== undefined && next !== value) return next;
  }
  if (typeof value !== "string" || !mentions(value, variables)) return undefined;
  return render(value, variables) as string;
}
