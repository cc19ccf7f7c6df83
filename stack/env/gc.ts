/** Takes away environments that nobody needs any more: closed, expired, or half-made. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { LockedError } from "../../engine/index.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit/codes.ts";
import { takeDown } from "./down.ts";
import { type ListedEnvironment, listEnvironments } from "./list.ts";
import { type EnvironmentRecord } from "./record.ts";
import { type DownOptions, elsewhere, type EnvironmentNow, type Hands, type LeftBehind } from "./types.ts";

export type GcOptions = Omit<DownOptions, "pr" | "branch" | "name">;

export interface Verdict {
  readonly environment: ListedEnvironment;
  /** Absent where it stays. */
  readonly reason?: "closed" | "expired" | "half-made";
  /** Why nobody can say whether it is needed. */
  readonly unasked?: string;
  /** Of another repository, which alone can say so. */
  readonly repository?: string;
}

export interface Collected {
  readonly code: ExitCode;
  readonly reclaimed: readonly {
    readonly name: string;
    readonly reason: NonNullable<Verdict["reason"]>;
    /** As it was, where there was one. */
    readonly record?: EnvironmentRecord;
  }[];
  /** What could not be removed: the next run tries again. */
  readonly left: readonly { readonly name: string; readonly what: readonly LeftBehind[]; readonly why?: string }[];
  /** In use, or brought up again meanwhile. */
  readonly passed: readonly string[];
  readonly kept: readonly { readonly name: string; readonly unasked?: string; readonly repository?: string }[];
}

/** Who is asked what is still needed, and about which repository. */
interface Asking {
  readonly standings: Standings;
  /** Undefined where it is not known. */
  readonly repository: string | undefined;
}

/** `mayGo`: whether somebody agrees. */
export async function collect(
  options: GcOptions,
  asking: Asking,
  hands: Hands & { readonly mayGo: (due: readonly Verdict[]) => Promise<boolean> },
): Promise<Collected> {
  const verdicts = await verdictsOn(await listEnvironments(options), asking);
  const due = verdicts.filter(({ reason }) => reason !== undefined);
  const kept = verdicts.flatMap(({ environment: { name, problem }, reason, unasked = problem, repository }) =>
    reason === undefined
      ? [{ name, ...(unasked !== undefined && { unasked }), ...(repository !== undefined && { repository }) }]
      : [],
  );
  const collected = { reclaimed: [] as Reclaimed[], left: [] as Left[], passed: [] as string[], kept };
  if (due.length > 0 && !(await hands.mayGo(due))) return { ...collected, code: exitCodes.failed };
  for (const verdict of due) await reclaim(verdict, options, asking, { hands, collected });
  const isWhole = collected.left.length === 0 && kept.every(({ unasked }) => unasked === undefined);
  return { ...collected, code: isWhole ? exitCodes.done : exitCodes.failed };
}

type Reclaimed = Collected["reclaimed"][number];
type Left = Collected["left"][number];

/** What is expired or half-made needs no answer of anybody; what is of another repository is left to that one. */
export async function verdictsOn(
  environments: readonly ListedEnvironment[],
  { standings, repository: here }: Asking,
): Promise<Verdict[]> {
  const live = environments.filter(({ condition, record }) => condition === "live" && !elsewhere(record, here));
  const answers = await standings(live.flatMap(({ record }) => record ?? []));
  const answerOf = new Map(live.map(({ name }, index) => [name, answers[index]]));
  return environments.map((environment): Verdict => {
    const { name, condition, record } = environment;
    const repository = elsewhere(record, here);
    if (repository !== undefined) return { environment, repository };
    if (condition === "unreadable") return { environment };
    if (condition !== "live") return { environment, reason: condition };
    return { environment, ...standing(answerOf.get(name)) };
  });
}

function standing(answer: Standing | undefined): Pick<Verdict, "reason" | "unasked"> {
  if (answer === undefined) return { unasked: "nobody was asked" };
  if ("unasked" in answer) return answer;
  return answer.answer === "closed" ? { reason: "closed" } : {};
}

/**
 * An answer is old by the time that it is acted on: a request is opened again and deployed with the same commit, an expiry is
 * put off. So what is to go is judged once more as soon as nobody else can change it.
 */
export async function isStillDue(
  reason: NonNullable<Verdict["reason"]>,
  { condition, record }: EnvironmentNow,
  standings: Standings,
): Promise<boolean> {
  if (reason !== "closed") return condition === reason;
  if (record === undefined) return false;
  const [standing] = await standings([record]);
  return standing !== undefined && "answer" in standing && standing.answer === "closed";
}

interface Reclaiming {
  readonly hands: Hands;
  readonly collected: { reclaimed: Reclaimed[]; left: Left[]; passed: string[] };
}

/** One that fails is no reason to leave the others. */
async function reclaim(
  { environment: { name, record, holder }, reason }: Verdict,
  options: GcOptions,
  { standings }: Asking,
  { hands, collected }: Reclaiming,
): Promise<void> {
  if (reason === undefined) return;
  if (holder !== undefined) {
    collected.passed.push(name);
    return;
  }
  try {
    const isDue = (now: EnvironmentNow): Promise<boolean> => isStillDue(reason, now, standings);
    const down = await takeDown({ ...options, name, yes: true, isDue }, hands);
    if (down.passed === true) collected.passed.push(name);
    else if (down.code === exitCodes.done) collected.reclaimed.push({ name, reason, ...(record && { record }) });
    else collected.left.push({ name, what: down.left });
  } catch (error) {
    if (error instanceof LockedError) collected.passed.push(name);
    else if (error instanceof CommandError || error instanceof Error)
      collected.left.push({ name, what: [], why: error.message });
    else throw error;
  }
}

export type Standing = { readonly answer: "open" | "closed" } | { readonly unasked: string };

export type Standings = (records: readonly EnvironmentRecord[]) => Promise<Standing[]>;

interface GitAsking {
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

async function git(folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  return (await promisify(execFile)("git", args, { cwd: folder, timeout: LONGEST_MS, env })).stdout;
}
