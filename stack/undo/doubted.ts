/**
 * What a killed run was writing. The state has it as it was before, and the account as it was or as it was sent: whatever
 * was about to be written over goes back, unless the look shows that it is there. Pure.
 */
import type { Json, PropertyMap } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { same } from "../../provider/values/json.ts";
import type { ObjectState } from "../../provider/reconcile/object-state.ts";
import { valueAt, valueOf, type Leaf } from "./leaves.ts";
import type { Write } from "./undo-plan.ts";

interface Doubted {
  readonly written: Write[];
  /** Where a later run has put something else in its place. */
  readonly overwritten: { readonly leaf: Leaf; readonly today: Json | undefined }[];
}

export function doubted(
  writes: readonly Write[],
  { before, now }: { readonly before: PropertyMap; readonly now: PropertyMap },
  { definition, object }: { readonly definition: AnyDefinition; readonly object: ObjectState },
): Doubted {
  const found: Doubted = { written: definition.undo.isPassing ? passing(writes, before, object) : [], overwritten: [] };
  for (const write of writes) {
    const [then, today] = [before, now].map((inputs) => valueAt(inputs, write.leaf));
    const isAsBefore = same(then, today);
    // A later run that came to the same has carried on with this one.
    if (!isAsBefore && !same(today, write.sent)) found.overwritten.push({ leaf: write.leaf, today });
    else found.written.push({ ...write, inState: !isAsBefore, ...(write.live !== undefined && IN_DOUBT) });
  }
  return found;
}

/** What it may have put aside for a moment while another resource took its place. */
function passing(writes: readonly Write[], before: PropertyMap, object: ObjectState): Write[] {
  const written = new Set(writes.map(({ leaf }) => leaf.field));
  return Object.entries(before).flatMap(([field, declared]): Write[] => {
    const live = written.has(field) || field.startsWith("__") ? undefined : valueOf(object, { field });
    if (live === undefined) return [];
    const known = { leaf: { field }, declared, live, sent: undefined, inState: false, recorded: undefined };
    return [{ ...known, ...IN_DOUBT, passing: true }];
  });
}

const IN_DOUBT = { restore: true, inDoubt: true } as const;
