/** Who wrote a line, as git knows it. Where there is no git, or no repository, nothing is known. */
import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";

export interface Commit {
  readonly id: string;
  readonly author: string;
  /** ISO-8601. */
  readonly date: string;
  readonly summary: string;
}

const LONGEST_MS = 5_000;

/** Undefined, too, for a line that is not committed yet. */
export async function commitOf(file: string, line: number): Promise<Commit | undefined> {
  const args = ["blame", "--porcelain", "-L", `${line},${line}`, "--", basename(file)];
  const options = { cwd: dirname(file), timeout: LONGEST_MS, env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" } };
  const blamed = await promisify(execFile)("git", args, options).catch(() => undefined);
  const [first = "", ...lines] = blamed?.stdout.split("\n") ?? [];
  const id = /^[\da-f]{7,}/.exec(first)?.[0];
  if (id === undefined || /^0+$/.test(id)) return undefined;
  const told = (name: string): string => lines.find((one) => one.startsWith(`${name} `))?.slice(name.length + 1) ?? "";
  const date = new Date(Number(told("author-time")) * 1_000);
  if (Number.isNaN(date.getTime())) return undefined;
  return { id: id.slice(0, 10), author: told("author"), date: date.toISOString(), summary: told("summary") };
}
