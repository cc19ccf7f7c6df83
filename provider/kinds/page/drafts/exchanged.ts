/** A node with values of ours taken out of it again: whether it is as it was published then. Pure. */
import type { Json } from "../../../values/json.ts";
import { exchanged, leavesOf } from "./leaves.ts";
import type { Written } from "./own-writes.ts";

/** So many values of ours in one node, at most, and so many tries: with more of them it would be guessing. */
const MOST = 4;
const TRIES = 2_000;

export function isOnceExchanged(
  own: string,
  written: readonly Written[],
  isPublished: (node: string) => boolean,
): boolean {
  const node = JSON.parse(own) as Json;
  const places = leavesOf(node).flatMap(({ value, set }) => {
    const former = new Set(written.flatMap(({ now, then }) => exchanged(value, now, then)));
    return former.size === 0 ? [] : [{ value, set, former }];
  });
  let tries = 0;
  const found = (from: number, left: number): boolean => {
    for (const [index, { value, set, former }] of places.entries()) {
      if (index < from) continue;
      for (const then of former) {
        if (tries++ > TRIES) return false;
        set(then);
        if (isPublished(JSON.stringify(node)) || (left > 1 && found(index + 1, left - 1))) return true;
      }
      set(value);
    }
    return false;
  };
  return found(0, MOST);
}
