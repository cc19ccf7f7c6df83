/** Requests of forks: with a key in the job's variables, no command of `ci` runs their code, keeps a plan of it, or applies it. */
import { beforeAll, describe, expect, test } from "vitest";
import { textsOf } from "../reports/texts.ts";
import { aboutRequest, eventIn, githubJob, gitlabJob, jobs } from "./jobs.ts";

const HEAD = "a".repeat(40);

const { desk, host, inJob, job } = jobs();
beforeAll(() => {
  desk.declare({ landform: 1, name: "funnels", sites: { main: { name: "funnels.example" } } });
  host.pull(12, { head: HEAD, fork: "evil/r" });
});

const repo = { full_name: "evil/r", fork: true };

function onGithub(pull_request: object | undefined): void {
  const name = pull_request === undefined ? "workflow_dispatch" : "pull_request_target";
  inJob(githubJob(host, { ...eventIn(desk, { pull_request }), GITHUB_EVENT_NAME: name }));
}

function onGitlab(): void {
  const from = { CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99", CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: "evil/r" };
  inJob(gitlabJob(host, { ...aboutRequest(12, HEAD), CI_MERGE_REQUEST_PROJECT_ID: "12", ...from }));
}

const open = { number: 12, merged: false, head: { sha: HEAD, repo } };
const NAMED = ["--pr", "12", "--head", HEAD];

describe.each([
  ["of GitHub", () => onGithub(open), [], "pull request #12 comes from evil/r"],
  ["of GitHub, named by hand", () => onGithub(undefined), NAMED, "pull request #12 comes from evil/r"],
  ["of GitLab", onGitlab, [], "merge request !12 comes from evil/r"],
  ["of GitLab, named by hand", onGitlab, NAMED, "merge request !12 comes from project 99"],
])("a request %s", (_, begin, named, says) => {
  test.each([["plan", "--plans", "plans"], ["plan", "--detailed-exitcode"], ["drift"], ["preview", "--base", "dev"]])(
    "ci %s %s: said by name, and its code is not run",
    async (...args) => {
      begin();
      const { code, printed, report, calls, kept } = await job(...args, ...named);
      expect([code, report.result, calls, kept], printed).toEqual([0, "succeeded", 0, []]);
      expect(printed).toContain(says);
      expect(textsOf(report, "note")).toEqual([expect.stringContaining("a key opens the whole account")]);
      expect(host.ours(12)).toEqual([]);
    },
  );

  test.each([
    ["apply", "--plans", "plans"],
    ["apply", "--replan"],
  ])("ci %s %s: nothing is applied", async (...args) => {
    begin();
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
