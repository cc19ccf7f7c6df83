/** How one list becomes another, item by item: what stays, what is changed in place, what comes and what goes. */
import { diffArrays } from "diff";
import { isDeepStrictEqual } from "node:util";

export type ListChange =
  | { readonly change: "replace"; readonly index: number; readonly by: number }
  | { readonly change: "remove"; readonly index: number }
  /** Behind the item of that index; -1: at the beginning. */
  | { readonly change: "insert"; readonly after: number; readonly by: number };

/** An item that goes from one place and comes, the same, at another. */
export interface Move {
  readonly change: "move";
  readonly index: number;
  readonly after: number;
}

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

/** The same changes; what only changes its place is one of them. Those at one place stay in order. */
export function withMoves(
  changes: readonly ListChange[],
  before: readonly unknown[],
  now: readonly unknown[],
): (ListChange | Move)[] {
  const leaving = new Set(changes.flatMap((one) => (one.change === "insert" ? [] : [one.index])));
  const moved = new Set<number>();
  const told = changes.flatMap((one): (ListChange | Move)[] => {
    if (one.change === "remove") return [one];
    const index = [...leaving].find((gone) => isDeepStrictEqual(before[gone], now[one.by]));
    if (index === undefined) return [one];
    leaving.delete(index);
    moved.add(index);
    if (one.change === "insert") return [{ change: "move", index, after: one.after }];
    return [
      { change: "remove", index: one.index },
      { change: "move", index, after: one.index },
    ];
  });
  return behindWhatStays(told.flatMap((one) => withoutMoved(one, moved)));
}

/** What goes may be cut out together with its neighbours: nothing can come in the middle of that. */
function behindWhatStays(changes: readonly (ListChange | Move)[]): (ListChange | Move)[] {
  const gone = new Set(changes.flatMap((one) => (one.change === "remove" ? [one.index] : [])));
  return changes.map((one) => {
    if (one.change !== "insert" && one.change !== "move") return one;
    let { after } = one;
    while (gone.has(after)) after--;
    return { ...one, after };
  });
}

/** What has moved away makes room for what would have replaced it. */
function withoutMoved(one: ListChange | Move, moved: ReadonlySet<number>): (ListChange | Move)[] {
  if (one.change === "insert" || one.change === "move" || !moved.has(one.index)) return [one];
  return one.change === "remove" ? [] : [{ change: "insert", after: one.index, by: one.by }];
}
