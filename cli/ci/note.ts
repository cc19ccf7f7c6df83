/** The one note of a stack on a change: found by its marker and its author, and edited in place. */
import { ForgeError } from "./forge/http.ts";
import type { Forge, Note } from "./forge/forge.ts";

export async function tellOn(forge: Forge, change: number, marker: string, body: string): Promise<void> {
  const text = `${marker}\n${body}`;
  const note = await ourNote(forge, change, marker);
  if (note === undefined) return forge.addNote(change, text);
  if (note.body === text) return;
  try {
    await forge.editNote(change, note, text);
  } catch (error) {
    // Somebody has deleted it meanwhile, or it is another app's after all.
    if (!(error instanceof ForgeError) || (error.status !== 404 && error.status !== 403)) throw error;
    await forge.addNote(change, text);
  }
}

async function ourNote(forge: Forge, change: number, marker: string): Promise<Note | undefined> {
  for await (const note of forge.notes(change)) if (note.ours && note.body.startsWith(marker)) return note;
  return undefined;
}
