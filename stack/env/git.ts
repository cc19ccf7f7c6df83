/** Asking git in a folder that an environment is made from. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const LONGEST_MS = 30_000;

export async function git(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  return (await promisify(execFile)("git", args, { cwd: folder, timeout: LONGEST_MS, env })).stdout;
}
