/** Removes environments that nobody needs any more: closed, expired, or half-made. */
import { messageWithAdvice } from "../advice/next-command.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { LockedError } from "../../engine/index.ts";
import { type ExitCode, exitCodes } from "../exit/codes.ts";
import { takeDown } from "./down.ts";
import { type ListedEnvironment, listEnvironments } from "./list.ts";
import { type EnvironmentRecord } from "./record.ts";
import { type DownOptions, elsewhere, type EnvironmentNow, type Hands, type LeftBehind } from "./types.ts";

export type GcOptions = Omit<DownOptions, "pr" | "branch" | "name">;

export interface Verdict {
  readonly environment: ListedEnvironment;
  readonly reason?: "closed" | "expired" | "half-made";
  /** Why nobody can say if it is needed. */
  readonly unasked?: string;
  /** The other repository that it belongs to. Only that repository can say if it is needed. */
  readonly repository?: string;
}

export interface Collected {
  readonly code: ExitCode;
  readonly reclaimed: readonly {
    readonly name: string;
    readonly reason: NonNullable<Verdict["reason"]>;
    readonly record?: EnvironmentRecord;
  }[];
  /** Objects that could not be removed. The next run tries again. */
  readonly left: readonly { readonly name: string; readonly what: readonly LeftBehind[]; readonly why?: string }[];
  /** Environments that are in use, or were brought up again meanwhile. */
  readonly passed: readonly string[];
  readonly kept: readonly { readonly name: string; readonly unasked?: string; readonly repository?: string }[];
}

/** The code host to ask about what is still needed, and the repository. */
interface Asking {
  readonly standings: Standings;
  readonly repository: string | undefined;
}

/** `mayGo`: resolves to true if a person agrees. */
export async function collect(
  options: GcOptions,
  asking: Asking,
  hands: Hands & { readonly mayGo: (due: readonly Verdict[]) => Promise<boolean> },
): Promise<Collected> {
  const verdicts = await verdictsOn(await listEnvironments(options), asking);
  const due = verdicts.filter(({ reason }) => reason !== undefined);
  const kept = verdicts.flatMap(({ environment: { name, problem }, reason, unasked = problem, repository }) =>
    reason === undefined ? [{ name, unasked, repository }] : [],
  );
  if (due.length > 0 && !(await hands.mayGo(due)))
    return { reclaimed: [], left: [], passed: [], kept, code: exitCodes.failed };
  const ends: Reclaimed[] = [];
  for (const verdict of due) ends.push(await reclaim(verdict, options, asking, hands));
  const left = ends.flatMap((one) => one.left ?? []);
  const isWhole = left.length === 0 && kept.every(({ unasked }) => unasked === undefined);
  return {
    reclaimed: ends.flatMap((one) => one.reclaimed ?? []),
    passed: ends.flatMap((one) => one.passed ?? []),
    ...{ left, kept, code: isWhole ? exitCodes.done : exitCodes.failed },
  };
}

type Reclaimed = Partial<Pick<Collected, "reclaimed" | "left" | "passed">>;

/** An expired or half-made environment goes without asking. An environment of another repository is left to that repository. */
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
 * An answer is old when it is acted on: a request may be opened again and deployed with the same commit, or an expiry put off. So the
 * environment is judged once more as soon as nobody else can change it.
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

/** If one environment fails, the others still go. */
async function reclaim(
  { environment: { name, record, holder }, reason }: Verdict,
  options: GcOptions,
  { standings }: Asking,
  hands: Hands,
): Promise<Reclaimed> {
  if (reason === undefined) return {};
  if (holder !== undefined) return { passed: [name] };
  try {
    const isDue = (now: EnvironmentNow): Promise<boolean> => isStillDue(reason, now, standings);
    const down = await takeDown({ ...options, name, yes: true, isDue }, hands);
    if (down.passed === true) return { passed: [name] };
    return down.code === exitCodes.done
      ? { reclaimed: [{ name, reason, record }] }
      : { left: [{ name, what: down.left }] };
  } catch (error) {
    if (error instanceof LockedError) return { passed: [name] };
    if (error instanceof Error) return { left: [{ name, what: [], why: messageWithAdvice(error) }] };
    throw error;
  }
}

export type Standing = { readonly answer: "open" | "closed" } | { readonly unasked: string };

export type Standings = (records: readonly EnvironmentRecord[]) => Promise<Standing[]>;

interface GitAsking {
  /** The repository of the folder. Undefined if it is not known, for example if the remote is a folder itself. */
  readonly repository?: string | undefined;
  /** Why no code host is asked, in the CI of a code host. */
  readonly instead?: string | undefined;
}

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
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
    const options = { cwd: folder, timeout: LONGEST_MS, env };
    const { stdout } = await promisify(execFile)("git", ["ls-remote", "--heads", "origin"], options);
    const lines = stdout.split("\n").filter((line) => line !== "");
    const names = lines.flatMap((line) => HEAD.exec(line)?.[1] ?? []);
    // A repository that somebody deploys from has a branch, so an empty answer counts as none.
    if (names.length === 0 || names.length < lines.length)
      return { unasked: "git ls-remote --heads origin lists no branches" };
    return { names: new Set(names) };
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    return { unasked: `git ls-remote --heads origin failed: ${stderr.trim() || message}` };
  }
}

const LONGEST_MS = 30_000;
