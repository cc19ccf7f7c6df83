/** Reads the checkout in a folder, for an environment's record of its code. It reads at once, since programs run at once. */
import { execFileSync } from "node:child_process";

interface Checkout {
  readonly branch?: string;
  readonly commit?: string;
  readonly repository?: string;
}

const LONGEST_MS = 10_000;

/** Returns nothing if there is no git, or no repository. */
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

/** Returns the last commit of the branch that a commit has merged. Undefined if it is no merge. */
export function mergedBy(commit: string, folder: string): string | undefined {
  return git(folder, "rev-parse", "--verify", "--quiet", `${commit}^2`);
}

function git(folder: string, ...args: string[]): string | undefined {
  try {
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
    const options = { cwd: folder, timeout: LONGEST_MS, env, encoding: "utf8" } as const;
    return execFileSync("git", args, { ...options, stdio: ["ignore", "pipe", "ignore"] }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Returns the repository; undefined for a folder: another machine has it elsewhere, or has another one of that name. */
export function repositoryIn(remote: string): string | undefined {
  const text = remote.trim();
  const url = /^[a-z][a-z+.-]*:\/\//i.test(text) ? URL.parse(text) : undefined;
  if (url) return url.protocol === "file:" ? undefined : named(url.hostname, url.pathname);
  const [, host, path] = /^(?:[^@/\s]+@)?([^:/\s]{2,}):(?!\\)(.+)$/.exec(text) ?? [];
  return host === undefined || path === undefined ? undefined : named(host, path);
}

function named(host: string, path: string): string | undefined {
  const plain = path.replace(/^\/+|\/+$/g, "").replace(/\.git$/, "");
  return host === "" || plain === "" ? undefined : `${host}/${plain}`.toLowerCase();
}

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the repository that a CI tells, for a checkout that has no remote. */
function repositoryOfJob(variables: Variables): string | undefined {
  const { GITHUB_REPOSITORY: name, GITHUB_SERVER_URL: server, CI_PROJECT_URL: project } = variables;
  if (name) return repositoryIn(`${server || "https://github.com"}/${name}`);
  return project ? repositoryIn(project) : undefined;
}

/** Returns the name of a branch, however it was written: CIs say `refs/heads/NAME`, too. Undefined if nothing was said. */
export function branchIn(text: string | undefined): string | undefined {
  return text?.trim().replace(/^refs\/heads\//, "") || undefined;
}

/** Reads the branch that a CI tells: it checks out a commit, and no branch. */
function branchOfJob(variables: Variables): string | undefined {
  const { GITHUB_HEAD_REF: head, GITHUB_REF_TYPE: type, GITHUB_REF_NAME: ref } = variables;
  const { CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: source, CI_COMMIT_BRANCH: branch } = variables;
  return head || (type === "branch" && ref) || source || branch || undefined;
}
