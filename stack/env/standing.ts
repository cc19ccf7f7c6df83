/** Whether the branches and requests that environments were made for are still there. What can't be asked is never "closed". */
import type { EnvironmentRecord } from "./record.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

export type Standing = { readonly answer: "open" | "closed" } | { readonly unasked: string };

export type Standings = (records: readonly EnvironmentRecord[]) => Promise<Standing[]>;

export interface GitAsking {
  /** The repository of the folder; undefined where it is not known, as of a remote that is a folder itself. */
  readonly repository?: string | undefined;
  /** Why no code host is asked, in the CI of one. */
  readonly instead?: string | undefined;
}

/** By the branches that the folder's remote has now. */
export function standingsByGit(folder: string, { repository: here, instead }: GitAsking = {}): Standings {
  return async (records) => {
    if (records.length === 0) return [];
    const heads = await remoteHeads(folder);
    return records.map(({ branch, pr, repository }) => {
      if ("unasked" in heads) return heads;
      if (repository !== undefined && here === undefined)
        return { unasked: `it is of ${repository}, and nothing says that origin is that repository` };
      if (branch === undefined) return { unasked: "its branch is not known, and git knows nothing of pull requests" };
      if (!heads.names.has(branch)) return { answer: "closed" };
      return pr === undefined || instead === undefined ? { answer: "open" } : { unasked: instead };
    });
  };
}

const HEAD = /^[0-9a-f]{40,64}\trefs\/heads\/(.+)$/;

async function remoteHeads(folder: string): Promise<{ names: ReadonlySet<string> } | { unasked: string }> {
  try {
    const listed = await git(folder, "ls-remote", "--heads", "origin");
    const lines = listed.split("\n").filter((line) => line !== "");
    const names = lines.flatMap((line) => HEAD.exec(line)?.[1] ?? []);
    // A repository that anybody deploys from has a branch: no answer is not taken for one.
    if (names.length === 0 || names.length < lines.length)
      return { unasked: "git ls-remote --heads origin lists no branches" };
    return { names: new Set(names) };
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    return { unasked: `git ls-remote --heads origin failed: ${stderr.trim() || message}` };
  }
}

const LONGEST_MS = 30_000;

export async function git(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  return (await promisify(execFile)("git", args, { cwd: folder, timeout: LONGEST_MS, env })).stdout;
}
