/** The lines of a record of creations, and what they say together. Pure. */
import type {
  LostCreation,
  OpenQuestion,
  RecordedCreation,
  SoughtCreation,
  UnwantedCreation,
} from "../reconcile/creation-record.ts";

export type Line =
  | RecordedCreation
  | { readonly own: string; readonly settled: string }
  | { readonly own: string; readonly of: string; readonly noted: string }
  /** False: the call has failed. */
  | { readonly own: string; readonly asked: boolean; readonly question?: OpenQuestion }
  /** Open until a state holds what was made from this. */
  | { readonly own: string; readonly asked: true; readonly named: string }
  | { readonly own: string; readonly asked: true; readonly lost: LostCreation }
  /** False: there is nothing left of what was noted so. */
  | { readonly own: string; readonly unwanted: UnwantedCreation | false }
  /** False: it has turned up, or it is long enough ago. */
  | { readonly own: string; readonly sought: SoughtCreation | false }
  /** Its creation was interrupted before there was a record. */
  | { readonly own: string; readonly doubtful: true };

/** With a line break before it, too: what a kill or a full disk broke off spoils no other. */
export function lineOf(line: Line): string {
  return `\n${JSON.stringify(line)}\n`;
}

/** A line that was broken off was not durable, and nobody relied on it. Notes are long, and of most objects nobody asks for them: see notesIn. */
export function readLines(text: string): Line[] {
  return text.split("\n").flatMap((line) => (isNote(line) ? [] : (parsed(line) ?? [])));
}

function isNote(line: string): boolean {
  return line.includes(NOTED);
}

const NOTED = '"noted":';

function parsed(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Partial<
      Record<"own" | "id" | "settled" | "of" | "noted" | "asked" | "doubtful" | "unwanted" | "sought", unknown>
    >;
    const isTold = typeof line.id === "string" || typeof line.settled === "string";
    const isForLater = [line.unwanted, line.sought].some((note) => typeof note === "object" || note === false);
    const isNoted = typeof line.of === "string" && typeof line.noted === "string";
    const isLine = isTold || isForLater || isNoted || typeof line.asked === "boolean" || line.doubtful === true;
    return typeof line.own === "string" && isLine ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

export function openCreations(lines: readonly Line[]): Map<string, RecordedCreation> {
  const open = new Map<string, RecordedCreation>();
  for (const line of lines) {
    if ("id" in line) open.set(line.own, line);
    else if ("settled" in line && open.get(line.own)?.id === line.settled) open.delete(line.own);
  }
  return open;
}

/** The last note of each object of `open`, by its resource and id. */
export function notesIn(text: string, open: ReadonlyMap<string, RecordedCreation>): Map<string, string> {
  if (open.size === 0) return new Map();
  const objects = new Set([...open.values()].map(({ own, id }) => noteKey(own, id)));
  const notes = text.split("\n").flatMap((line) => (isNote(line) ? (parsed(line) ?? []) : []));
  return new Map(
    notes.flatMap((line): [string, string][] => {
      if (!("noted" in line)) return [];
      const key = noteKey(line.own, line.of);
      return objects.has(key) ? [[key, line.noted]] : [];
    }),
  );
}

export function noteKey(own: string, id: string): string {
  return `${own} ${id}`;
}

/** Whatever is recorded of a resource later ends the doubt. */
export function doubtfulOnes(lines: readonly Line[]): Set<string> {
  const doubtful = new Set<string>();
  for (const line of lines) {
    if ("doubtful" in line) doubtful.add(line.own);
    else if ("id" in line || "settled" in line) doubtful.delete(line.own);
  }
  return doubtful;
}

export function unansweredOnes(lines: readonly Line[]): Set<string> {
  const unanswered = new Set<string>();
  for (const line of lines) {
    if ("asked" in line && line.asked) unanswered.add(line.own);
    else if ("asked" in line || "id" in line) unanswered.delete(line.own);
  }
  return unanswered;
}

/** What was asked for last of each resource that only its name finds. */
export function namedOnes(lines: readonly Line[]): Map<string, string> {
  const named = new Map<string, string>();
  for (const line of lines) if ("named" in line) named.set(line.own, line.named);
  return named;
}

export function openQuestions(lines: readonly Line[]): OpenQuestion[] {
  const open = new Map<string, OpenQuestion[]>();
  for (const line of lines) {
    if ("asked" in line && line.asked && "question" in line && line.question)
      open.set(line.own, [...(open.get(line.own) ?? []), line.question]);
    else if (("asked" in line && !line.asked) || "id" in line) open.delete(line.own);
  }
  return [...open.values()].flat();
}

/** The same one may be noted by each run that comes to it. */
export function unwantedOnes(lines: readonly Line[]): UnwantedCreation[] {
  const open = new Map<string, Map<string, UnwantedCreation>>();
  for (const line of lines) {
    if (!("unwanted" in line)) continue;
    if (line.unwanted === false) open.delete(line.own);
    else open.set(line.own, new Map(open.get(line.own)).set(line.unwanted.made?.id ?? "", line.unwanted));
  }
  return [...open.values()].flatMap((ofOne) => [...ofOne.values()]);
}

export function soughtOnes(lines: readonly Line[]): Map<string, SoughtCreation> {
  const open = new Map<string, SoughtCreation>();
  for (const line of lines) {
    if (!("sought" in line)) continue;
    if (line.sought === false) open.delete(line.own);
    else open.set(line.own, line.sought);
  }
  return open;
}
