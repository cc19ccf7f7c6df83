/**
 * The one note of a stack on a change: found by its marker and its author, and edited in place. It has parts, and each job writes
 * its own, also while another one is at work on the same note: what was written is read again.
 */
import { setTimeout as wait } from "node:timers/promises";
import { LARGEST } from "../story/markdown.ts";
import { ForgeError } from "./forge/http.ts";
import type { Forge, Note } from "./forge/forge.ts";
import { joined, PARTS, partsOf, type Part, type Parts } from "./note-parts.ts";

/** What the other part may still need where it is not written yet. */
const RESERVED = 6_000;
const ATTEMPTS = 4;

export interface Telling {
  readonly change: number;
  readonly marker: string;
  readonly part: Part;
  /** The text, at most so long. `before`: what the part says by now. */
  readonly write: (room: number, before: string | undefined) => string;
}

export async function tellOn(forge: Forge, telling: Telling): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await ourNotes(forge, telling);
    const told = await put(forge, telling, before);
    if (told === undefined || attempt === ATTEMPTS) return;
    const after = await ourNotes(forge, telling);
    if (isSettled(told, before, after)) return;
    await wait(200 * attempt * (0.5 + Math.random()));
  }
}

async function ourNotes(forge: Forge, { change, marker }: Telling): Promise<Note[]> {
  const notes: Note[] = [];
  for await (const note of forge.notes(change)) if (note.ours && note.body.startsWith(marker)) notes.push(note);
  return notes;
}

/** A list that doesn't show yet what was written is no reason to write it again. */
function isSettled(told: Note, before: readonly Note[], after: readonly Note[]): boolean {
  const [first, ...others] = after;
  if (first === undefined) return true;
  const isKnown = [told, ...before].some(({ id, body }) => id === first.id && isSame(body, first.body));
  return others.length === 0 && isKnown;
}

/** The note that holds the part now; undefined where nothing had to be written. */
async function put(forge: Forge, telling: Telling, notes: readonly Note[]): Promise<Note | undefined> {
  for (const [index, note] of notes.entries()) {
    const written = await edited(forge, telling, note, partsOf(note.body));
    if (written === undefined) continue;
    const whole = await merged(forge, telling, written, notes.slice(index + 1));
    return isSame(whole.body, note.body) ? undefined : whole;
  }
  return forge.addNote(telling.change, textOf(telling, {}));
}

/** Undefined where it can't be edited: somebody has deleted it meanwhile, or it is another app's after all. */
async function edited(forge: Forge, telling: Telling, note: Note, parts: Parts): Promise<Note | undefined> {
  const body = textOf(telling, parts);
  if (isSame(body, note.body)) return note;
  return (await isTaken(forge.editNote(telling.change, note, body))) ? { ...note, body } : undefined;
}

/** Two jobs that looked at the same moment have made one each: the first one takes in what the others say. */
async function merged(forge: Forge, telling: Telling, note: Note, others: readonly Note[]): Promise<Note> {
  let whole = note;
  for (const other of others) {
    const [mine, theirs] = [partsOf(whole.body), partsOf(other.body)];
    const isTwin = PARTS.every(
      (part) => mine[part] === undefined || theirs[part] === undefined || part === telling.part,
    );
    if (!isTwin || !(await isTaken(forge.deleteNote(telling.change, other)))) continue;
    whole = (await edited(forge, telling, whole, { ...theirs, ...mine })) ?? whole;
  }
  return whole;
}

async function isTaken(call: Promise<void>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof ForgeError && (error.status === 404 || error.status === 403)) return false;
    throw error;
  }
}

function textOf({ marker, part, write }: Telling, parts: Parts): string {
  const around = joined(marker, { ...parts, [part]: "" }).length;
  const isAlone = PARTS.every((other) => other === part || parts[other] === undefined);
  return joined(marker, { ...parts, [part]: write(LARGEST - around - (isAlone ? RESERVED : 0), parts[part]) });
}

/** Code hosts keep line breaks and ends of texts in ways of their own. */
function isSame(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();
}
