/**
 * The only note of a stack on a change. It is found by its marker and its author, and edited in place. Each job writes its own part, even
 * while another job works on the same note, so the written note is read again.
 */
import { setTimeout as wait } from "node:timers/promises";
import { LARGEST } from "../story/markdown.ts";
import type { Forge, Note } from "./forge/forge.ts";
import { ForgeError } from "./forge/http.ts";

/** The room that the other part may still need. */
const RESERVED = 6_000;
const ATTEMPTS = 4;

interface Telling {
  readonly change: number;
  readonly marker: string;
  readonly part: Part;
  /** Makes the text within the room. `before`: the part as it stands. */
  readonly write: (room: number, before: string) => string;
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

/** Takes the part out of another note than its own. A note without any part goes. */
export async function withoutPart(forge: Forge, change: number, note: Note, part: Part): Promise<void> {
  const { [part]: _, ...others } = partsOf(note.body);
  const [marker = ""] = note.body.split(/\r?\n/);
  const isAlone = Object.keys(others).length === 0;
  await isTaken(isAlone ? forge.deleteNote(change, note) : forge.editNote(change, note, joined(marker, others)));
}

async function ourNotes(forge: Forge, { change, marker }: Telling): Promise<Note[]> {
  const notes: Note[] = [];
  for await (const note of forge.notes(change)) if (note.ours && note.body.startsWith(marker)) notes.push(note);
  return notes;
}

/** Tells if nothing is left to write. A list that doesn't show the text yet is no reason to write it again. */
function isSettled(told: Note, before: readonly Note[], after: readonly Note[]): boolean {
  const [first, ...others] = after;
  if (first === undefined) return true;
  const isKnown = [told, ...before].some(({ id, body }) => id === first.id && isSame(body, first.body));
  return others.length === 0 && isKnown;
}

/** Returns the note that has the part now; undefined if nothing had to be written. */
async function put(forge: Forge, telling: Telling, notes: readonly Note[]): Promise<Note | undefined> {
  for (const [index, note] of notes.entries()) {
    const written = await edited(forge, telling, note, partsOf(note.body));
    if (written === undefined) continue;
    const whole = await merged(forge, telling, written, notes.slice(index + 1));
    return isSame(whole.body, note.body) ? undefined : whole;
  }
  return forge.addNote(telling.change, textOf(telling, {}));
}

/** Returns undefined if the note can't be edited: somebody has deleted it meanwhile, or it belongs to another app. */
async function edited(forge: Forge, telling: Telling, note: Note, parts: Parts): Promise<Note | undefined> {
  const body = textOf(telling, parts);
  if (isSame(body, note.body)) return note;
  return (await isTaken(forge.editNote(telling.change, note, body))) ? { ...note, body } : undefined;
}

/** Two jobs that looked at the same moment have made a note each. The first note takes in the parts of the others. */
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
  return joined(marker, { ...parts, [part]: write(LARGEST - around - (isAlone ? RESERVED : 0), parts[part] ?? "") });
}

/** Code hosts change line breaks and the ends of texts. */
function isSame(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n").trim() === other.replaceAll("\r\n", "\n").trim();
}

const PARTS = ["plan", "preview"] as const;
type Part = (typeof PARTS)[number];
type Parts = { readonly [part in Part]?: string | undefined };

const START = new RegExp(`^<!-- landform:part:(${PARTS.join("|")}) -->$`);

/** Splits a note whose first line is its marker. */
export function partsOf(body: string): Parts {
  const [, ...lines] = body.split(/\r?\n/);
  const parts: { [part in Part]?: string } = {};
  let current: Part | undefined;
  for (const line of lines) {
    const named = PARTS.find((part) => part === START.exec(line.trimEnd())?.[1]);
    if (named !== undefined) parts[(current = named)] = "";
    else if (current !== undefined) parts[current] = `${parts[current] ?? ""}${line}\n`;
  }
  return Object.fromEntries(Object.entries(parts).map(([part, text]) => [part, text.trim()]));
}

export function joined(marker: string, parts: Parts): string {
  const written = PARTS.flatMap((part) => {
    const text = parts[part];
    return text === undefined ? [] : [`<!-- landform:part:${part} -->`, text.trim(), ""];
  });
  return [marker, ...written].join("\n");
}

/** Returns the marker: an invisible first line of the text. */
export function markerOf(what: "plan" | "drift", project: string, stack: string): string {
  const names = [project, stack].map((name) => name.replace(/[^\w.-]/g, (sign) => `_${sign.codePointAt(0) ?? 0}`));
  return `<!-- landform:${what}:${names.join("/")} -->`;
}
