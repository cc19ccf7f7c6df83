/**
 * What runs of this stack made, and its state no longer holds: somebody took it out, or moved it to another stack, before a
 * later run had seen it there. A destroy leaves that alone, and says so.
 */
import type { StackSession } from "./session.ts";

/** A sentence each, with its id. */
export async function letGo({ engine }: StackSession): Promise<{ id: string; text: string }[]> {
  const { made } = await engine.creations();
  if (made.length === 0) return [];
  const held = new Set((await engine.records())?.map(({ id }) => id));
  return made
    .filter(({ id }) => !held.has(id))
    .map(({ kind, id }) => ({
      id,
      text: `${kind} ${id} was made by a run of this stack and is not in its state: it is left alone. If nothing else has it, delete it in the app.`,
    }));
}
