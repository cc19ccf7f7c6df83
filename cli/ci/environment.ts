/** What a CI tells of itself: where the code comes from, which change is asked about, and who may be told. Pure over its variables. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../exit/codes.ts";

/** Where a code host's API is, and what opens it. */
export interface ForgeAccess {
  readonly kind: "github" | "gitlab";
  readonly apiUrl: string;
  /** `owner/name`, or a GitLab project's path or number. */
  readonly repository: string;
  /** Undefined where the job was given none: nothing can be told then, and that is said. */
  readonly token: string | undefined;
  /** Where its web pages are. */
  readonly webUrl: string;
}

export interface CiEnvironment {
  readonly forge: ForgeAccess | undefined;
  /** The pull or merge request that this job is about. */
  readonly change: { readonly number: number; readonly head: string; readonly fork?: string } | undefined;
  /** What the job is about is over: the request was closed or the branch deleted, or somebody said so. */
  readonly closing: "closed" | "stopped" | undefined;
  /** The job is about nothing but the time of day. */
  readonly scheduled: boolean;
  /** The commit that is checked out: after a merge, what the branch points to. */
  readonly commit: string | undefined;
  readonly branch: string | undefined;
  readonly actor: string | undefined;
  /** The page of this job. */
  readonly runUrl: string | undefined;
  /** The folder of the repository. */
  readonly workspace: string;
  /** Files that a runner reads after the step. */
  readonly outputFile: string | undefined;
  readonly summaryFile: string | undefined;
}

/** What options say, before the variables. */
export interface CiOptions {
  forge?: "github" | "gitlab";
  repository?: string;
  pr?: number;
  head?: string;
  commit?: string;
}

type Variables = Readonly<Record<string, string | undefined>>;

export function ciEnvironment(options: CiOptions, variables: Variables = process.env): CiEnvironment {
  const found = known(options, variables);
  const number = options.pr ?? found.change?.number;
  const head = options.head ?? found.change?.head;
  if (options.pr !== undefined && head === undefined)
    throw new UsageError("--pr needs --head SHA: the commit of the pull request's branch that is looked at");
  return {
    ...found,
    commit: options.commit ?? found.commit,
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
  return forge === "github" ? fromGithub(options, variables) : fromGitlab(options, variables);
}

const NOWHERE: CiEnvironment = {
  workspace: process.cwd(),
  forge: undefined,
  change: undefined,
  closing: undefined,
  scheduled: false,
  commit: undefined,
  branch: undefined,
  actor: undefined,
  runUrl: undefined,
  outputFile: undefined,
  summaryFile: undefined,
};

/** The part of GitHub's event that is needed; everything else is of no concern. */
const githubEvent = z.object({
  action: z.string().optional(),
  /** Of a branch that was deleted, without anything in front. */
  ref: z.string().nullish(),
  ref_type: z.string().optional(),
  pull_request: z
    .object({
      number: z.number(),
      head: z.object({ sha: z.string(), repo: z.object({ full_name: z.string() }).nullish() }),
    })
    .optional(),
});

function fromGithub(options: CiOptions, variables: Variables): CiEnvironment {
  const repository = options.repository ?? filled(variables["GITHUB_REPOSITORY"]);
  if (repository === undefined)
    throw new UsageError("GITHUB_REPOSITORY is not set; name it with --repository OWNER/NAME");
  const event = githubEvent.safeParse(eventOf(variables["GITHUB_EVENT_PATH"]));
  const about = event.success ? event.data : {};
  const pull = about.pull_request;
  const deleted =
    variables["GITHUB_EVENT_NAME"] === "delete" && about.ref_type === "branch" ? filled(about.ref ?? "") : undefined;
  const webUrl = variables["GITHUB_SERVER_URL"] ?? "https://github.com";
  const run = variables["GITHUB_RUN_ID"];
  return {
    forge: {
      kind: "github",
      apiUrl: (variables["GITHUB_API_URL"] ?? "https://api.github.com").replace(/\/+$/, ""),
      repository,
      token: filled(variables["GITHUB_TOKEN"]) ?? filled(variables["GH_TOKEN"]),
      webUrl,
    },
    change: pull && {
      number: pull.number,
      head: pull.head.sha,
      ...forkOf(pull.head.repo?.full_name, repository),
    },
    closing: deleted !== undefined || (pull !== undefined && about.action === "closed") ? "closed" : undefined,
    scheduled: variables["GITHUB_EVENT_NAME"] === "schedule",
    commit: filled(variables["GITHUB_SHA"]),
    branch: deleted ?? filled(variables["GITHUB_HEAD_REF"]) ?? filled(variables["GITHUB_REF_NAME"]),
    actor: filled(variables["GITHUB_ACTOR"]),
    runUrl: run === undefined ? undefined : `${webUrl}/${repository}/actions/runs/${run}`,
    workspace: filled(variables["GITHUB_WORKSPACE"]) ?? process.cwd(),
    outputFile: filled(variables["GITHUB_OUTPUT"]),
    summaryFile: filled(variables["GITHUB_STEP_SUMMARY"]),
  };
}

/** A fork that is gone has no name any more. */
function forkOf(from: string | undefined, repository: string): { fork?: string } {
  if (from?.toLowerCase() === repository.toLowerCase()) return {};
  return { fork: from ?? "a repository that is gone" };
}

function eventOf(file: string | undefined): unknown {
  if (filled(file) === undefined) return {};
  try {
    return JSON.parse(readFileSync(file ?? "", "utf8"));
  } catch (error) {
    throw new UsageError(`GITHUB_EVENT_PATH (${file}) can't be read as JSON`, { cause: error });
  }
}

function fromGitlab(options: CiOptions, variables: Variables): CiEnvironment {
  const repository = options.repository ?? filled(variables["CI_PROJECT_ID"]) ?? filled(variables["CI_PROJECT_PATH"]);
  if (repository === undefined)
    throw new UsageError("CI_PROJECT_ID is not set; name the project with --repository GROUP/NAME");
  const number = Number(variables["CI_MERGE_REQUEST_IID"]);
  // In a pipeline of merged results CI_COMMIT_SHA is a merge that nobody else knows.
  const head = filled(variables["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"]) ?? filled(variables["CI_COMMIT_SHA"]);
  const source = variables["CI_MERGE_REQUEST_SOURCE_PROJECT_ID"];
  const isFork = source !== undefined && source !== variables["CI_MERGE_REQUEST_PROJECT_ID"];
  const webUrl = variables["CI_SERVER_URL"] ?? "https://gitlab.com";
  return {
    ...NOWHERE,
    forge: {
      kind: "gitlab",
      apiUrl: (variables["CI_API_V4_URL"] ?? `${webUrl}/api/v4`).replace(/\/+$/, ""),
      repository,
      // A job's own token may not write notes.
      token: filled(variables["GITLAB_TOKEN"]),
      webUrl,
    },
    change:
      Number.isInteger(number) && number > 0 && head !== undefined
        ? { number, head, ...(isFork ? { fork: variables["CI_MERGE_REQUEST_SOURCE_PROJECT_PATH"] ?? source } : {}) }
        : undefined,
    // GitLab runs an environment's job of `on_stop` by itself.
    closing: variables["CI_ENVIRONMENT_ACTION"] === "stop" ? "stopped" : undefined,
    scheduled: variables["CI_PIPELINE_SOURCE"] === "schedule",
    commit: filled(variables["CI_COMMIT_SHA"]),
    branch: filled(variables["CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"]) ?? filled(variables["CI_COMMIT_REF_NAME"]),
    actor: filled(variables["GITLAB_USER_LOGIN"]),
    runUrl: filled(variables["CI_JOB_URL"]),
    workspace: filled(variables["CI_PROJECT_DIR"]) ?? process.cwd(),
  };
}

/** Runners set variables that mean nothing to the empty text. */
function filled(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}
