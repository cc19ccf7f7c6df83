/** How one list becomes another, item by item: what stays, what is changed in place, what comes and what goes. */
import { diffArrays } from "diff";
import { isDeepStrictEqual } from "node:util";

export type ListChange =
  | { readonly change: "replace"; readonly index: number; readonly by: number }
  | { readonly change: "remove"; readonly index: number }
  /** Behind the item of that index; -1: at the beginning. */
  | { readonly change: "insert"; readonly after: number; readonly by: number };

export function listChanges(
  before: readonly unknown[],
  now: readonly unknown[],
  isSame: (a: unknown, b: unknown) => boolean = isDeepStrictEqual,
): ListChange[] {
  const changes: ListChange[] = [];
  const parts = diffArrays([...before], [...now], { comparator: isSame });
  let [index, by] = [0, 0];
  let leaving: number[] = [];
  const leave = (): void => {
    changes.push(...leaving.map((gone): ListChange => ({ change: "remove", index: gone })));
    leaving = [];
  };
  for (const { added, removed, count } of parts) {
    if (removed) {
      leave();
      leaving = Array.from({ length: count }, () => index++);
    } else if (added) {
      for (let n = 0; n < count; n++, by++) {
        const replaced = leaving.shift();
        if (replaced === undefined) changes.push({ change: "insert", after: index - 1, by });
        else changes.push({ change: "replace", index: replaced, by });
      }
      leave();
    } else {
      leave();
      index += count;
      by += count;
    }
  }
  leave();
  return changes;
}
