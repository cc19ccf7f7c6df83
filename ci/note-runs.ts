/**
 * What a note says of an apply whose job was run again: the last run that did something stands there whole, and each other one
 * has a line. Pure.
 */

export interface ApplyRun {
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
  const line = lineOf(run);
  if (told?.acted === true && !run.acted) return joined(told.whole, [...told.others, line]);
  const whole = `<!-- landform:run ${run.at} ${run.acted ? "acted" : "idle"} ${inComment(run.verdict)} -->\n${run.write(room - ROOM)}`;
  return joined(whole, told === undefined ? [] : [...told.others, told.line]);
}

function toldIn(text: string): Told | undefined {
  const [first = ""] = text.split("\n", 1);
  const [, at = "", acted, verdict = ""] = HEAD.exec(first.trimEnd()) ?? [];
  if (acted === undefined) return undefined;
  const [whole = "", list = ""] = text.split(`\n${LIST}\n`);
  const others = list.split("\n").filter((line) => line.startsWith("- "));
  return { acted: acted === "acted", line: lineOf({ at, verdict }), whole: whole.trimEnd(), others };
}

function lineOf({ at, verdict }: Pick<ApplyRun, "at" | "verdict">): string {
  return `- ${at}: ${verdict}`.slice(0, LONGEST_LINE).toWellFormed();
}

/** The oldest go first. */
function joined(whole: string, others: readonly string[]): string {
  return others.length === 0 ? whole : [whole, "", LIST, "", ...others.slice(-MOST_LINES)].join("\n");
}

/** Two hyphens and an angle end a comment. */
function inComment(text: string): string {
  return text.replaceAll("-->", "→").slice(0, LONGEST_LINE).toWellFormed();
}
