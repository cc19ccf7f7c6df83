/**
 * What runs of this stack made, and its state no longer holds: somebody took it out, or moved it to another stack, before a
 * later run had seen it there. A destroy leaves that alone, and says so.
 */
import { isHeldBy } from "../engines/recorded.ts";
import type { StackSession } from "../run/session.ts";

/** A sentence each, with what it is about. */
export async function letGo({ engine }: StackSession): Promise<{ kind: string; id: string; text: string }[]> {
  const { made } = await engine.creations();
  if (made.length === 0) return [];
  const isHeld = isHeldBy((await engine.records()) ?? []);
  return made
    .filter((one) => !isHeld(one))
    .map(({ kind, id }) => ({
      kind,
      id,
      text: `${kind} ${id} was made by a run of this stack and is not in its state: it is left alone. If nothing else has it, delete it in the app.`,
    }));
}
