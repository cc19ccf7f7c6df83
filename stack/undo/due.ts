/** Which values an undo has still to write, from what the account shows of them; what somebody changed meanwhile is a conflict. Pure. */
import type { Json } from "../../engine/index.ts";
import { isMap, same } from "../../provider/values/json.ts";
import { leafKey, type Leaf } from "./leaves.ts";
import type { Finding, Shown } from "./look.ts";
import { isRestored, type Conflict, type UndoStep, type Write } from "./undo-plan.ts";

export function isDue(
  write: Write,
  { urn, type, name, now, definition, writes }: UndoStep,
  found: Finding | undefined,
  conflicts: Conflict[],
): boolean {
  const { leaf, live: then, sent, inState } = write;
  const { live, known } = found?.shown.get(leafKey(leaf)) ?? { live: undefined, known: undefined };
  // What the service never shows is written once more: a killed run may have come to it.
  if (live === undefined) return inState || (write.inDoubt === true && write.passing !== true);
  if (then !== undefined && isAlike(live, then)) return inState;
  if (write.passing === true) return definition?.isPassing?.(now?.id ?? "", leaf.field, live) === true;
  const isOurs =
    (known !== undefined ? same(live, known) : sent === undefined || same(live, sent)) ||
    isOnTheWay(leaf, { live, known }, writes) ||
    definition?.isPassing?.(now?.id ?? "", leaf.field, live) === true;
  if (isOurs || (sent !== undefined && same(live, sent))) return inState || isRestored(write);
  conflicts.push({ urn, type, name, leaf, code: "changed by hand", now: live });
  return false;
}

/** A map that nobody declared before goes back as a whole, and its keys one by one: an undo that was killed may have begun. */
function isOnTheWay({ field, key }: Leaf, { live, known }: Shown, writes: readonly Write[]): boolean {
  if (key !== undefined || !isMap(live) || !isMap(known)) return false;
  const back = new Map(writes.flatMap(({ leaf, live: then }) => (leaf.field === field ? [[leaf.key, then]] : [])));
  return [...new Set([...Object.keys(live), ...Object.keys(known)])].every((one) => {
    const then = back.get(one);
    return same(live[one], known[one]) || (then !== undefined && isAlike(live[one] ?? null, then));
  });
}

/** A service may show an empty field as null, or as an empty text; what isn't there may be null, or left out. */
function isAlike(live: Json, then: Json): boolean {
  return (
    same(withoutNulls(live), withoutNulls(then)) || (live === null && then === "") || (live === "" && then === null)
  );
}

function withoutNulls(value: Json): Json {
  if (!isMap(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const inner = withoutNulls(item);
    return inner === null || (isMap(inner) && Object.keys(inner).length === 0) ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries);
}
