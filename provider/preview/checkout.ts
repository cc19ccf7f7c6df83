/** What is checked out in a folder: what an environment's record tells of its code. Found at once, since programs run at once. */
import { execFileSync } from "node:child_process";
import { branchOfJob, repositoryIn, repositoryOfJob } from "./repository.ts";

export interface Checkout {
  readonly branch?: string;
  readonly commit?: string;
  readonly repository?: string;
}

const LONGEST_MS = 10_000;

/** Nothing is known where there is no git, or no repository. */
export function checkoutIn(folder: string, variables = process.env): Checkout {
  const commit = git(folder, "rev-parse", "HEAD");
  const branch = git(folder, "branch", "--show-current") ?? branchOfJob(variables);
  const repository =
    repositoryIn(git(folder, "config", "--get", "remote.origin.url") ?? "") ?? repositoryOfJob(variables);
  return {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    ...(repository !== undefined && { repository }),
  };
}

function git(folder: string, ...args: string[]): string | undefined {
  try {
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
    const said = execFileSync("git", args, {
      cwd: folder,
      timeout: LONGEST_MS,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return said.trim() || undefined;
  } catch {
    return undefined;
  }
}
