/** The variables of jobs on the code hosts, and a desk whose commands are such jobs. */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { afterEach } from "vitest";
import { forAllTests } from "../suite/opened.ts";
import { WalkDesk, type Command } from "../walk/desk.ts";
import { CodeHost } from "./code-host.ts";

export type Variables = Record<string, string>;
type Folder = Readonly<{ folder: string; write(name: string, text: string): void }>;

/** The commit of a job that is about none in particular. */
const SHA = "f".repeat(40);
const LONG = "A brief about the brand, its customers and what it offers them. ".repeat(5);

/** Returns what an event says about a pull request. */
export function aboutPull(number: number, sha: string, full_name = "acme/funnels"): { pull_request: object } {
  return { pull_request: { number, head: { sha, repo: { full_name } } } };
}

/** Returns what a job of GitLab knows about its merge request. */
export function aboutRequest(number: number, head: string): Variables {
  return { CI_MERGE_REQUEST_IID: String(number), CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head };
}

export const githubJob = ({ url }: CodeHost, more: Variables = {}): Variables => ({
  GITHUB_ACTIONS: "true",
  GITHUB_API_URL: url,
  GITHUB_REPOSITORY: "acme/funnels",
  GITHUB_SHA: SHA,
  GITHUB_TOKEN: "job-token",
  ...more,
});

export const gitlabJob = ({ url }: CodeHost, more: Variables = {}): Variables => ({
  GITLAB_CI: "true",
  CI_API_V4_URL: `${url}/api/v4`,
  CI_PROJECT_ID: "12",
  CI_COMMIT_SHA: SHA,
  GITLAB_TOKEN: "job-token",
  ...more,
});

/** Leaves the event in the folder, and returns the variable that tells where. */
export function eventIn(desk: Folder, event: string | object): Variables {
  desk.write("event.json", typeof event === "string" ? event : JSON.stringify(event));
  return { GITHUB_EVENT_PATH: join(desk.folder, "event.json") };
}

export const funnels = (title: string): object => ({
  ...{ landform: 1, name: "funnels", projects: { spring: { name: "Spring", description: LONG, context: LONG } } },
  sites: { main: { name: "funnels.example", project: "spring" } },
  pages: { offer: { template: { id: "tpl-hero" }, project: "spring", content: { "hero.title": title } } },
});

export interface Done extends Command {
  readonly calls: number;
  /** The number of those that change something. */
  readonly writes: number;
  /** The plans in the folder `plans`. */
  readonly kept: readonly string[];
}

/** Opens a desk and a code host for all tests of a file. The variables of a job are gone after its test. */
export function jobs() {
  const desk = forAllTests(() => WalkDesk.open());
  const host = forAllTests(() => CodeHost.open());
  const before = { ...process.env };
  const leave = (): void => {
    for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name);
  };
  afterEach(leave);
  /** Begins another job, which knows nothing of the variables of the one before. */
  const inJob = (variables: Variables): void => {
    leave();
    Object.assign(process.env, variables);
  };
  const job = async (...args: readonly string[]): Promise<Done> => {
    const { requests } = desk.emulator;
    requests.length = 0;
    const ended = await desk.run("ci", ...args);
    const writes = requests.filter(
      ({ method, route }) => method !== "GET" && route !== "/pages/validate-before-publish",
    );
    const plans = join(desk.folder, "plans");
    const kept = existsSync(plans) ? globSync("**/*.json", { cwd: plans }) : [];
    return { ...ended, calls: requests.length, writes: writes.length, kept };
  };
  return { desk, host, inJob, job };
}
