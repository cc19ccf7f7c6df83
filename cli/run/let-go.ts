/**
 * What runs of this stack made, and its state no longer holds: somebody took it out, or moved it to another stack, before a
 * later run had seen it there. A destroy leaves that alone, and says so.
 */
import { stackOf } from "../../provider/lifecycle/identity.ts";
import { RecordFile, recordFileIn } from "../../provider/pulumi/record-file.ts";
import { recordFolderOf } from "../../provider/pulumi/record-place.ts";
import type { StackSession } from "./session.ts";

/** A sentence each, with its id. Nothing is known of it where the state is in no folder. */
export async function letGo({ engine, folder }: StackSession): Promise<{ id: string; text: string }[]> {
  const { stateFolder } = engine;
  if (stateFolder === undefined) return [];
  const held = new Set((await engine.records())?.map(({ id }) => id));
  const file = recordFileIn(recordFolderOf(stateFolder), stackOf(folder.project.name, folder.stack));
  return new RecordFile(file).creations
    .filter(({ id }) => !held.has(id))
    .map(({ kind, id }) => ({
      id,
      text: `${kind} ${id} was made by a run of this stack and is not in its state: it is left alone. If nothing else has it, delete it in the app.`,
    }));
}
