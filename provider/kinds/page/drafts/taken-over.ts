/**
 * An edit of a declared text or node in the draft of a published page, which the code then took over: the draft says what
 * the code says, so nothing is left to write, and visitors still get what was published before. Pure.
 */
import { isMap, mapOf, same, type Json, type JsonMap } from "../../../values/json.ts";
import type { ObjectState } from "../../../reconcile/object-state.ts";
import { isIgnored } from "../../../reconcile/ignored.ts";
import { valuesNow } from "../kept-values.ts";
import { render } from "../variables.ts";

const EDITABLE = ["content", "nodes"] as const;

/** What a look at the draft shows otherwise than it was; what is public of it stays known over several edits. */
export function editedIn({ answer, edited }: ObjectState, live: JsonMap): JsonMap {
  const found = EDITABLE.flatMap((field): [string, JsonMap][] => {
    const [then, known] = [mapOf(answer[field]), mapOf(edited[field])];
    const keys = Object.entries(mapOf(live[field])).flatMap(([key, value]): [string, Json][] => {
      const published = Object.hasOwn(known, key) ? known[key] : Object.hasOwn(then, key) ? then[key] : undefined;
      return published === undefined || same(published, value) ? [] : [[key, published]];
    });
    return keys.length === 0 ? [] : [[field, Object.fromEntries(keys)]];
  });
  return Object.fromEntries(found);
}

/** The page is to be published for what its draft already says. */
export function publishesEdits(field: string, old: ObjectState, now: JsonMap): boolean {
  return field === "publish" && isMap(now["publish"]) && Object.keys(takenOver(old, now)).length > 0;
}

/** Of the edited texts and nodes, those that the code says now, with what is public of them. */
export function takenOver(old: ObjectState, now: JsonMap): JsonMap {
  const values = valuesNow(old, now["variables"]);
  const found = EDITABLE.flatMap((field): [string, JsonMap][] => {
    const [declared, live] = [mapOf(now[field]), mapOf(old.answer[field])];
    const says = (key: string): boolean => {
      const value = Object.hasOwn(declared, key) ? declared[key] : undefined;
      if (isIgnored(old.ignored, [field, key])) return false;
      return value !== undefined && same(field === "content" ? render(value, values) : value, live[key]);
    };
    const keys = Object.entries(mapOf(old.edited[field])).filter(([key]) => says(key));
    return keys.length === 0 ? [] : [[field, Object.fromEntries(keys)]];
  });
  return Object.fromEntries(found);
}
