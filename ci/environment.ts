/** Reads from a CI's variables where the code comes from, which change the job is about, and who may be told. Pure over the variables. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../stack/exit/codes.ts";

export interface ForgeAccess {
  readonly kind: "github" | "gitlab";
  readonly apiUrl: string;
  /** `owner/name`, or a GitLab project's path or number. */
  readonly repository: string;
  /** Undefined if the job got none. Then nothing can be told on the code host, and the job says so. */
  readonly token: string | undefined;
}

export interface CiEnvironment {
  readonly forge: ForgeAccess | undefined;
  readonly change: { readonly number: number; readonly head: string; readonly fork?: string } | undefined;
  /** True if the request is not merged. The job's code is then no main branch. */
  readonly unmerged: boolean;
  /** True in a merge train or queue, which tries requests one upon the other after their review. */
  readonly inTrain: boolean;
  /** Why the job's subject is over: the request was closed or the branch deleted, or somebody said so. */
  readonly closing: "closed" | "stopped" | undefined;
  /** True if only the time of day started the job. */
  readonly scheduled: boolean;
  /** The commit that is checked out. After a merge, the branch points to it. */
  readonly commit: string | undefined;
  /** The branch that started the job with that commit. Undefined for a tag or a request, or if the commit was named by hand. */
  readonly pushed: string | undefined;
  readonly branch: string | undefined;
  readonly runUrl: string | undefined;
  readonly workspace: string;
  /** Tells if the job's folder is deleted with the job: surely, perhaps, or not, because this is no code host's job. */
  readonly passing: "surely" | "perhaps" | "no";
  readonly outputFile: string | undefined;
  readonly summaryFile: string | undefined;
}

export interface CiOptions {
  forge?: "github" | "gitlab";
  repository?: string;
  pr?: number;
  head?: string;
  commit?: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

/** `checkedOut`: the commit if nothing better names it, for example if a request is named only by its number. */
export function ciEnvironment(
  options: CiOptions,
  { variables = process.env, checkedOut }: { variables?: Variables; checkedOut?: string | undefined } = {},
): CiEnvironment {
  const found = known(options, variables);
  const number = options.pr ?? found.change?.number;
  const isThisOne = number === found.change?.number;
  const head = options.head ?? (isThisOne ? found.change?.head : checkedOut);
  if (options.pr !== undefined && head === undefined)
    throw new UsageError("--pr needs --head SHA: the commit of the pull request's branch that is looked at");
  return {
    ...found,
    commit: options.commit ?? found.commit ?? checkedOut,
    pushed: options.commit === undefined ? found.pushed : undefined,
    // A person who names a request has looked at it.
    unmerged: options.pr === undefined && found.unmerged,
    change:
      number === undefined || head === undefined
        ? undefined
        : { number, head, ...(options.pr === undefined && found.change?.fork ? { fork: found.change.fork } : {}) },
  };
}

function known(options: CiOptions, variables: Variables): CiEnvironment {
  const runsOn =
    variables["GITHUB_ACTIONS"] === "true" ? "github" : variables["GITLAB_CI"] === "true" ? "gitlab" : undefined;
  const forge = options.forge ?? runsOn;
  if (forge === undefined) return NOWHERE;
  const told = forge === "github" ? fromGithub(options, variables) : fromGitlab(options, variables);
  // Machines of GitHub, and GitLab runners that make a machine for each job, say so.
  const isDisposable =
    variables["RUNNER_ENVIRONMENT"] === "github-hosted" || variables["CI_DISPOSABLE_ENVIRONMENT"] === "true";
  return { ...told, passing: runsOn === undefined ? "no" : isDisposable ? "surely" : "perhaps" };
}

const NOWHERE: CiEnvironment = {
  workspace: process.cwd(),
  passing: "no",
  forge: undefined,
  change: undefined,
  unmerged: false,
  inTrain: false,
  closing: undefined,
  scheduled: false,
  commit: undefined,
  pushed: undefined,
  branch: undefined,
  runUrl: undefined,
  outputFile: undefined,
  summaryFile: undefined,
};

const githubEvent = z.object({
  action: z.string().optional(),
  /** The name of a deleted branch, without a prefix. */
  ref: z.string().nullish(),
  ref_type: z.string().optional(),
  pull_request: z
    .object({
      number: z.number(),
      merged: z.boolean().nullish(),
      head: z.object({ sha: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
    })
    .optional(),
});

function fromGithub(options: CiOptions, variables: Variables): Omit<CiEnvironment, "passing"> {
  const repository = options.repository ?? filled(variables["GITHUB_REPOSITORY"]);
  if (repository === undefined)
    throw new UsageError("GITHUB_REPOSITORY is not set; name it with --repository OWNER/NAME");
  const about = eventIn(options, variables);
  const pull = about.pull_request;
  const deleted =
    variables["GITHUB_EVENT_NAME"] === "delete" && about.ref_type === "branch" ? filled(about.ref ?? "") : undefined;
  const webUrl = variables["GITHUB_SERVER_URL"] ?? "https://github.com";
  const run = variables["GITHUB_RUN_ID"];
  // A run that is started again keeps its number.
  const attempt = variables["GITHUB_RUN_ATTEMPT"] ? `/attempts/${variables["GITHUB_RUN_ATTEMPT"]}` : "";
  return {
    forge: {
      kind: "github",
      apiUrl: (variables["GITHUB_API_URL"] ?? "https://api.github.com").replace(/\/+$/, ""),
      repository,
      token: filled(variables["GITHUB_TOKEN"]) ?? filled(variables["GH_TOKEN"]),
    },
    change: pull && {
      number: pull.number,
      head: pull.head.sha,
      ...forkOf(pull.head.repo?.full_name, repository),
    },
    unmerged: pull !== undefined && pull.merged !== true,
    inTrain: variables["GITHUB_EVENT_NAME"] === "merge_group",
    closing: deleted !== undefined || (pull !== undefined && about.action === "closed") ? "closed" : undefined,
    scheduled: variables["GITHUB_EVENT_NAME"] === "schedule",
    commit: filled(variables["GITHUB_SHA"]),
    pushed: /^refs\/heads\/(.+)$/.exec(variables["GITHUB_REF"] ?? "")?.[1],
    branch: deleted ?? filled(variables["GITHUB_HEAD_REF"]) ?? filled(variables["GITHUB_REF_NAME"]),
    runUrl: run === undefined ? undefined : `${webUrl}/${repository}/actions/runs/${run}${attempt}`,
    workspace: filled(variables["GITHUB_WORKSPACE"]) ?? process.cwd(),
    outputFile: filled(variables["GITHUB_OUTPUT"]),
    summaryFile: filled(variables["GITHUB_STEP_SUMMARY"]),
  };
}

/** A deleted fork has no name. */
function forkOf(from: string | undefined, repository: string): { fork?: string } {
  if (from?.toLowerCase() === repository.toLowerCase()) return {};
  return { fork: from ?? "a repository that is gone" };
}

/** Refuses an event of a request that doesn't name the request. It must not pass for another event. */
function eventIn(options: CiOptions, variables: Variables): z.output<typeof githubEvent> {
  const isNamed = options.pr !== undefined && options.head !== undefined;
  const file = filled(variables["GITHUB_EVENT_PATH"]);
  const isOfRequest = /^pull_request(_target)?$/.test(variables["GITHUB_EVENT_NAME"] ?? "");
  if (isNamed || (file === undefined && !isOfRequest)) return {};
  if (file === undefined)
    throw new UsageError(`GITHUB_EVENT_PATH is not set, so nothing says which request this job is about. ${NAMED}`);
  const { data, error } = githubEvent.safeParse(eventOf(file));
  if (data !== undefined && (data.pull_request !== undefined || !isOfRequest)) return data;
  const where = error?.issues[0]?.path.join(".") || "pull_request";
  throw new UsageError(`GITHUB_EVENT_PATH (${file}) doesn't say what this job is about (${where}). ${NAMED}`);
}

const NAMED = "Nothing was done; name the request with --pr NUMBER --head SHA";

function eventOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`GITHUB_EVENT_PATH (${file}) can't be read as JSON. ${NAMED}`, { cause: error });
  }
}

function fromGitlab(options: CiOptions, variables: Variables): CiEnvironment {
  // A fork's pipeline runs in the fork's own project, and its request belongs to another project.
  const project = filled(variables["CI_MERGE_REQUEST_PROJECT_ID"]) ?? filled(variables["CI_PROJECT_ID"]);
  const repository = options.repository ?? project ?? filled(variables["CI_PROJECT_PATH"]);
  if (repository === undefined)
    throw new UsageError("CI_PROJECT_ID is not set; name the project with --repository GROUP/NAME");
  const number = Number(variables["CI_MERGE_REQUEST_IID"]);
  // In a pipeline of merged results, CI_COMMIT_SHA is a merge that exists only there.
  const head = filled(variables["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"]) ?? filled(variables["CI_COMMIT_SHA"]);
  const source = variables["CI_MERGE_REQUEST_SOURCE_PROJECT_ID"];
  const isFork = source !== undefined && source !== variables["CI_MERGE_REQUEST_PROJECT_ID"];
  const webUrl = variables["CI_SERVER_URL"] ?? "https://gitlab.com";
  const isOfRequest = Number.isInteger(number) && number > 0;
  if (!isOfRequest && variables["CI_PIPELINE_SOURCE"] === "merge_request_event" && options.pr === undefined)
    throw new UsageError(`CI_MERGE_REQUEST_IID doesn't say which request this pipeline is of. ${NAMED}`);
  return {
    ...NOWHERE,
    forge: {
      kind: "gitlab",
      apiUrl: (variables["CI_API_V4_URL"] ?? `${webUrl}/api/v4`).replace(/\/+$/, ""),
      repository,
      // A job's own token may not write notes.
      token: filled(variables["GITLAB_TOKEN"]),
    },
    change:
      isOfRequest && head !== undefined
        ? { number, head, ...(isFork ? { fork: variables["CI_MERGE_REQUEST_SOURCE_PROJECT_PATH"] ?? source } : {}) }
        : undefined,
    // Pipelines of merge requests and of merge trains run before the merge.
    unmerged: isOfRequest,
    inTrain: variables["CI_MERGE_REQUEST_EVENT_TYPE"] === "merge_train",
    // GitLab runs the `on_stop` job of an environment by itself.
    closing: variables["CI_ENVIRONMENT_ACTION"] === "stop" ? "stopped" : undefined,
    scheduled: variables["CI_PIPELINE_SOURCE"] === "schedule",
    commit: filled(variables["CI_COMMIT_SHA"]),
    pushed: filled(variables["CI_COMMIT_BRANCH"]),
    branch: filled(variables["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"]) ?? filled(variables["CI_COMMIT_REF_NAME"]),
    runUrl: filled(variables["CI_JOB_URL"]),
    workspace: filled(variables["CI_PROJECT_DIR"]) ?? process.cwd(),
  };
}

/** Runners set variables without a meaning to an empty text. */
function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}
