/** Requests of forks: with a key in the job's variables, no command of `ci` runs their code, keeps a plan of it, or applies it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { WalkDesk, type Command } from "../walk/desk.ts";
import { CodeHost } from "./code-host.ts";
import { forAllTests } from "../suite/opened.ts";
import { textsOf } from "../reports/texts.ts";

const [HEAD, SHA] = ["a".repeat(40), "f".repeat(40)];

const desk = forAllTests(() => WalkDesk.open());
const host = forAllTests(() => CodeHost.open());
beforeAll(() => {
  desk.declare({ landform: 1, name: "funnels", sites: { main: { name: "funnels.example" } } });
  host.pulls.push({ number: 12, head: HEAD, merged: false, fork: "evil/r", commits: [] });
});

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name);
});

const repo = { full_name: "evil/r", fork: true };

function onGithub(pull_request: object | undefined): void {
  desk.write("event.json", JSON.stringify({ pull_request }));
  Object.assign(process.env, {
    ...{ GITHUB_ACTIONS: "true", GITHUB_API_URL: host.url, GITHUB_REPOSITORY: "acme/funnels", GITHUB_SHA: SHA },
    ...{ GITHUB_EVENT_PATH: join(desk.folder, "event.json"), GITHUB_TOKEN: "job-token" },
    GITHUB_EVENT_NAME: pull_request === undefined ? "workflow_dispatch" : "pull_request_target",
  });
}

function onGitlab(): void {
  Object.assign(process.env, {
    ...{ GITLAB_CI: "true", CI_API_V4_URL: `${host.url}/api/v4`, CI_PROJECT_ID: "12", CI_COMMIT_SHA: SHA },
    ...{ CI_MERGE_REQUEST_IID: "12", CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD, GITLAB_TOKEN: "job-token" },
    ...{ CI_MERGE_REQUEST_PROJECT_ID: "12", CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99" },
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "evil/r",
  });
}

/** Runs the command, counts its calls to the account, and tells if it kept a plan. */
async function job(...args: string[]): Promise<Command & { calls: number; kept: boolean }> {
  desk.emulator.requests.length = 0;
  const ended = await desk.run("ci", ...args);
  return { ...ended, calls: desk.emulator.requests.length, kept: existsSync(join(desk.folder, "plans")) };
}

const open = { number: 12, merged: false, head: { sha: HEAD, repo } };
const NAMED = ["--pr", "12", "--head", HEAD];

describe.each([
  ["of GitHub", () => onGithub(open), [], "pull request #12 comes from evil/r"],
  ["of GitHub, named by hand", () => onGithub(undefined), NAMED, "pull request #12 comes from evil/r"],
  ["of GitLab", onGitlab, [], "merge request !12 comes from evil/r"],
  ["of GitLab, named by hand", onGitlab, NAMED, "merge request !12 comes from project 99"],
])("a request %s", (_, inJob, named, says) => {
  test.each([["plan", "--plans", "plans"], ["plan", "--detailed-exitcode"], ["drift"], ["preview", "--base", "dev"]])(
    "ci %s %s: said by name, and its code is not run",
    async (...args) => {
      inJob();
      const { code, printed, report, calls, kept } = await job(...args, ...named);
      expect([code, report.result, calls, kept], printed).toEqual([0, "succeeded", 0, false]);
      expect(printed).toContain(says);
      expect(textsOf(report, "note")).toEqual([expect.stringContaining("a key opens the whole account")]);
      expect(host.ours(12)).toEqual([]);
    },
  );

  test.each([
    ["apply", "--plans", "plans"],
    ["apply", "--replan"],
  ])("ci %s %s: nothing is applied", async (...args) => {
    inJob();
    const { code, printed, report, calls } = await job(...args, ...named);
    expect([code, report.result, calls], printed).toEqual([3, "failed", 0]);
    expect(printed).toContain(`${says}, and is not applied`);
    host.comments.clear();
  });
});

test("what was merged is code of this repository, and may be applied", async () => {
  onGithub({ ...open, merged: true });
  const { code, printed } = await job("apply", "--replan");
  expect(code, printed).toBe(0);
});
