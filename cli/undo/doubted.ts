/**
 * What a killed run was writing. The state has it as it was before, and the account as it was or as it was sent: whatever
 * was about to be written over goes back, unless the look shows that it is there. Pure.
 */
import type { Json, PropertyMap } from "../../engine/index.ts";
import { same } from "../../provider/json.ts";
import { valueAt, type Leaf } from "./leaves.ts";
import type { Write } from "./undo-plan.ts";

interface Doubted {
  readonly written: Write[];
  /** Where a later run has put something else in its place. */
  readonly overwritten: { readonly leaf: Leaf; readonly today: Json | undefined }[];
}

export function doubted(
  writes: readonly Write[],
  { before, now }: { readonly before: PropertyMap; readonly now: PropertyMap },
): Doubted {
  const found: Doubted = { written: [], overwritten: [] };
  for (const write of writes) {
    const [then, today] = [before, now].map((inputs) => valueAt(inputs, write.leaf));
    const isAsBefore = same(then, today);
    // A later run that came to the same has carried on with this one.
    if (!isAsBefore && !same(today, write.sent)) found.overwritten.push({ leaf: write.leaf, today });
    else found.written.push({ ...write, inState: !isAsBefore, ...(write.live !== undefined && IN_DOUBT) });
  }
  return found;
}

const IN_DOUBT = { restore: true, inDoubt: true } as const;
