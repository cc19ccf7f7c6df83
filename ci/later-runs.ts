/** The note of a merged change keeps the report of what was applied: a later run that applies nothing adds a line to it. Pure. */
import { printHeading } from "../story/markdown.ts";
import type { Report } from "../stack/report/model.ts";
import { storyOf } from "../story/story.ts";

const APPLIED = "<!-- landform:applied -->";
const LATER = "<!-- landform:later -->";

export const LATER_ROOM = 3_000;

export function headed(line: string, report: Report): string {
  return hasApplied(report) ? `${line}\n${APPLIED}` : line;
}

function hasApplied({ command, changes }: Report): boolean {
  return command === "up" && changes.some(({ status, held }) => status === "done" && held === undefined);
}

/** Returns the text with a line for the run. Returns undefined if the run's own report belongs there. The oldest lines go if the room is short. */
export function withLater(text: string, line: string, report: Report, room: number): string | undefined {
  if (report.command !== "up" || hasApplied(report) || !text.includes(APPLIED)) return undefined;
  const [applied = "", ...before] = text.split(LATER).map((part) => part.trim());
  const now = `${line}\n\n${printHeading(storyOf(report), LATER_ROOM / 3)}`;
  const all = before.includes(now) ? before : [...before, now];
  const written = (from: number): string => [applied, ...all.slice(from)].join(`\n\n${LATER}\n`);
  const from = [...all.keys()].find((at) => written(at).length <= room) ?? all.length;
  return written(from);
}
