/**
 * The one note of a stack on a change: found by its marker and its author, and edited in place. It has parts, and each job writes
 * its own, also while another one is at work on the same note: what was written is read again.
 */
import { setTimeout as wait } from "node:timers/promises";
import { LARGEST } from "../story/markdown.ts";
import type { Forge, Note } from "./forge/forge.ts";
import { ForgeError } from "./forge/http.ts";

/** What the other part may still need where it is not written yet. */
const RESERVED = 6_000;
const ATTEMPTS = 4;

interface Telling {
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

const PARTS = ["plan", "preview"] as const;
type Part = (typeof PARTS)[number];
type Parts = { readonly [part in Part]?: string | undefined };

const START = new RegExp(`^<!-- landform:part:(${PARTS.join("|")}) -->$`);

/** Of a note whose first line is its marker. Before there were parts, a note was the plan. */
export function partsOf(body: string): Parts {
  const [, ...lines] = body.split(/\r?\n/);
  const parts: { [part in Part]?: string } = {};
  let current: Part | undefined;
  for (const line of lines) {
    const named = PARTS.find((part) => part === START.exec(line.trimEnd())?.[1]);
    if (named !== undefined) parts[(current = named)] = "";
    else {
      current ??= "plan";
      parts[current] = `${parts[current] ?? ""}${line}\n`;
    }
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

// What a note says of an apply whose job was run again: the last run that did something stands there whole, and each other one
// has a line. Pure.

interface ApplyRun {
  /** ISO-8601: no other run has it. */
  readonly at: string;
  /** Whether it has changed anything, or tried to. */
  readonly acted: boolean;
  /** What it came to, in a line. */
  readonly verdict: string;
  /** The whole of it, at most so long. */
  readonly write: (room: number) => string;
}

/** Of the other runs. */
const LIST = "**Other runs of this job**";
const MOST_LINES = 5;
const LONGEST_LINE = 600;
const ROOM = (MOST_LINES + 1) * (LONGEST_LINE + 100);

const HEAD = /^<!-- landform:run (\S+) (acted|idle) (.*) -->$/;

interface Told {
  readonly acted: boolean;
  /** Of the run that stands there whole. */
  readonly line: string;
  readonly whole: string;
  readonly others: readonly string[];
}

/** `before`: what the note says by now. A plan makes way; a note that was written twice is the same. */
export function withRun(before: string | undefined, run: ApplyRun, room: number): string {
  if (before?.includes(run.at) === true) return before;
  const told = before === undefined ? undefined : toldIn(before);
  const line = runLine(run);
  if (told?.acted === true && !run.acted) return withOthers(told.whole, [...told.others, line]);
  const whole = `<!-- landform:run ${run.at} ${run.acted ? "acted" : "idle"} ${inComment(run.verdict)} -->\n${run.write(room - ROOM)}`;
  return withOthers(whole, told === undefined ? [] : [...told.others, told.line]);
}

function toldIn(text: string): Told | undefined {
  const [first = ""] = text.split("\n", 1);
  const [, at = "", acted, verdict = ""] = HEAD.exec(first.trimEnd()) ?? [];
  if (acted === undefined) return undefined;
  const [whole = "", list = ""] = text.split(`\n${LIST}\n`);
  const others = list.split("\n").filter((line) => line.startsWith("- "));
  return { acted: acted === "acted", line: runLine({ at, verdict }), whole: whole.trimEnd(), others };
}

function runLine({ at, verdict }: Pick<ApplyRun, "at" | "verdict">): string {
  return `- ${at}: ${verdict}`.slice(0, LONGEST_LINE).toWellFormed();
}

/** The oldest go first. */
function withOthers(whole: string, others: readonly string[]): string {
  return others.length === 0 ? whole : [whole, "", LIST, "", ...others.slice(-MOST_LINES)].join("\n");
}

/** Two hyphens and an angle end a comment. */
function inComment(text: string): string {
  return text.replaceAll("-->", "→").slice(0, LONGEST_LINE).toWellFormed();
}

/** Invisible where it is shown, and first in the text. */
export function markerOf(what: "plan" | "drift", project: string, stack: string): string {
  const names = [project, stack].map((name) => name.replace(/[^\w.-]/g, (sign) => `_${sign.codePointAt(0) ?? 0}`));
  return `<!-- landform:${what}:${names.join("/")} -->`;
}
