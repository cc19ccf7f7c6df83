/**
 * The one place where data crosses the dynamic-provider host, which carries nothing but text: a notice is a line on the
 * host's stderr. Under plain Pulumi it is a line for a person. The command line asks for the data, too
 * (LANDFORM_HOST_LINES=typed in the host's environment) and reads it with `readHostLine`; it shows the text alone. A failure's
 * message takes Pulumi's own way, and stays in the state where an object was made in part: its data are a line of their own,
 * for the command line alone.
 */
import type { StepFailure } from "./failures.ts";
import { isNews, type Notice, noticeText } from "./notices.ts";
import { oneLine } from "../values/wording.ts";

export const TYPED_LINES = { LANDFORM_HOST_LINES: "typed" } as const;

const PREFIXES = { warning: "warning: ", news: "note: " } as const;
const FAILURE = "failed:";
const OPEN = " ⟦landform ";
const CLOSE = "⟧";

export function hostLine(notice: Notice, env: NodeJS.ProcessEnv): string {
  const prefix = PREFIXES[isNews(notice) ? "news" : "warning"];
  const line = `${prefix}${oneLine(noticeText(notice))}`;
  return isTyped(env) ? `${line}${OPEN}${dataOf(notice)}${CLOSE}` : line;
}

export function worthLines(env: NodeJS.ProcessEnv): (notice: Notice) => boolean {
  return ({ code }) => isTyped(env) || code !== "moved";
}

export function failureLine(failure: StepFailure, env: NodeJS.ProcessEnv): string | undefined {
  return isTyped(env) ? `${FAILURE}${OPEN}${dataOf(failure)}${CLOSE}` : undefined;
}

function isTyped(env: NodeJS.ProcessEnv): boolean {
  return env["LANDFORM_HOST_LINES"] === TYPED_LINES.LANDFORM_HOST_LINES;
}

export interface HostLine {
  readonly text: string;
  readonly notice: Notice | undefined;
}

export function readFailureLine(line: string): StepFailure | undefined {
  const start = `${FAILURE}${OPEN}`;
  const rest = line.trimEnd();
  if (!rest.startsWith(start) || !rest.endsWith(CLOSE)) return undefined;
  return codedIn<StepFailure>(rest.slice(start.length, -CLOSE.length));
}

export function readHostLine(line: string): HostLine | undefined {
  const prefix = Object.values(PREFIXES).find((one) => line.startsWith(one));
  if (prefix === undefined) return undefined;
  const rest = line.slice(prefix.length).trimEnd();
  const start = rest.lastIndexOf(OPEN);
  const typed = start >= 0 && rest.endsWith(CLOSE);
  const notice = typed ? codedIn<Notice>(rest.slice(start + OPEN.length, -CLOSE.length)) : undefined;
  if (notice) return { text: rest.slice(0, start), notice };
  // Others write such lines, too.
  return prefix === PREFIXES.news ? undefined : { text: rest, notice: undefined };
}

/** A bracket inside the data would end it early, and so would a character that readers of lines take for the end of one. */
function dataOf(told: Notice | StepFailure): string {
  return JSON.stringify(told, wellFormed).replaceAll(
    /[⟦⟧\u0085\u2028\u2029]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** JSON would carry half of a surrogate pair as an escape. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

function codedIn<Told extends { readonly code: string }>(data: string): Told | undefined {
  try {
    const value = JSON.parse(data) as Told;
    return typeof value.code === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
