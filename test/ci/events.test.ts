/** Half-formed events, events of closed or unmerged requests, and events of merge trains: the commands apply, keep and take away nothing wrong. */
import { beforeAll, describe, expect, test } from "vitest";
import { textsOf } from "../reports/texts.ts";
import { editInApp } from "../suite/app.ts";
import { inTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";
import { WalkDesk } from "../walk/desk.ts";
import { aboutPull, aboutRequest, eventIn, funnels, githubJob, gitlabJob, jobs, type Variables } from "./jobs.ts";

const [HEAD, OTHER] = ["a".repeat(40), "b".repeat(40)] as const;
const request = (action: string, more: object = {}): object => ({
  action,
  pull_request: { ...aboutPull(12, HEAD).pull_request, ...more },
});

const { desk, host, inJob, job } = jobs();
beforeAll(async () => {
  desk.declare(funnels("Hello"));
  expect((await desk.run("up", "--yes")).code).toBe(0);
});

function onGithub(event: string | object, more: Variables = {}): void {
  const about = { GITHUB_EVENT_NAME: "pull_request", GITHUB_HEAD_REF: "red", GITHUB_REF_NAME: "12/merge" };
  inJob(githubJob(host, { ...eventIn(desk, event), ...about, ...more }));
}

function onGitlab(more: Variables = {}): void {
  inJob(gitlabJob(host, { ...aboutRequest(12, HEAD), ...more }));
}

const JOBS = [
  ["plan", "--plans", "plans"],
  ["apply", "--plans", "plans"],
  ["preview", "--base", "dev"],
] as const;

describe.each([
  ["without a request", {}, "pull_request"],
  ["whose request is null", { action: "opened", pull_request: null }, "pull_request"],
  ["whose head is null", request("closed", { head: null }), "pull_request.head"],
  ["that is a list", [], "pull_request"],
  ["that is empty", "", "can't be read as JSON"],
  ["that is cut off", '{"action":"closed","pull_request":{"number":1', "can't be read as JSON"],
])("an event %s", (_, event, says) => {
  test.each(JOBS)("ci %s: told, and nothing is done", async (...args) => {
    onGithub(event);
    const { code, printed, report, writes, kept } = await job(...args);
    expect([code, report.result, writes, kept], printed).toEqual([4, "failed", 0, []]);
    expect(printed).toContain("event.json");
    expect(printed).toContain(says);
    expect(printed).toContain("--pr NUMBER --head SHA");
    expect(host.comments.size).toBe(0);
  });
});

const unnumbered = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_IID: "" };

describe.each([
  [
    "GitHub, without the file of its event",
    () => onGithub({}, { GITHUB_EVENT_PATH: "" }),
    "GITHUB_EVENT_PATH is not set",
  ],
  ["GitLab, without its number", () => onGitlab(unnumbered), "CI_MERGE_REQUEST_IID doesn't say which"],
])("a job of a request on %s", (_, begin, says) => {
  test.each(JOBS)("ci %s passes for no other job", async (...args) => {
    begin();
    const { code, printed, report, writes, kept } = await job(...args);
    expect([code, report.result, writes, kept], printed).toEqual([4, "failed", 0, []]);
    expect(printed).toContain(says);
  });
});

test("the plan of a request that is open, closed unmerged, or in a merge train is not applied, though it is kept", async () => {
  desk.declare(funnels("Changed"));
  onGithub(request("opened"));
  const planned = await job("plan", "--plans", "plans");
  expect([planned.code, planned.writes, planned.kept.length], planned.printed).toEqual([0, 0, 1]);
  for (const action of ["synchronize", "closed"]) {
    onGithub(request(action, { merged: false }));
    const { code, printed, writes } = await job("apply", "--plans", "plans");
    expect([code, writes], printed).toEqual([3, 0]);
    expect(printed).toContain("pull request #12 is not merged");
  }
  onGitlab({ CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" });
  const train = await job("apply", "--plans", "plans");
  expect([train.code, train.writes], train.printed).toEqual([3, 0]);
  expect(train.printed).toContain("merge request !12 is not merged");
});

test("what a merge train tries is planned, and neither told nor kept in the place of what was reviewed", async () => {
  host.comments.clear();
  onGitlab();
  desk.declare(funnels("Reviewed"));
  expect((await job("plan", "--plans", "plans")).code).toBe(0);
  const reviewed = [host.ours(12)[0]?.body, desk.read(`plans/funnels/dev/${HEAD}.json`)];
  desk.declare(funnels("With another request"));
  onGitlab({ CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" });
  const { code, printed, writes } = await job("plan", "--plans", "plans");
  expect([code, writes], printed).toEqual([0, 0]);
  expect(printed).toContain("This is a merge train");
  expect([host.ours(12)[0]?.body, desk.read(`plans/funnels/dev/${HEAD}.json`)]).toEqual(reviewed);
});

test("merged, the event of its end applies it, as a push does", async () => {
  onGithub(request("closed", { merged: true }));
  desk.declare(funnels("Reviewed"));
  const { code, printed } = await job("apply", "--plans", "plans");
  expect(code, printed).toBe(0);
  const again = await job("apply", "--plans", "plans");
  expect([again.code, again.writes, again.report.result], again.printed).toEqual([0, 0, "succeeded"]);
});

thorough(
  "the drift of a stack that was never applied can't be told: 4; that of one that was opens an issue",
  async () => {
    const own = await inTest(WalkDesk.open());
    own.declare(funnels("Hello"));
    onGithub({}, { GITHUB_EVENT_NAME: "schedule", PULUMI_BACKEND_URL: `file://${own.folder}` });
    const planned = await own.run("ci", "plan");
    expect(planned.code, planned.printed).toBe(0);
    const never = await own.run("ci", "drift", "--detailed-exitcode");
    expect([never.code, never.report.result], never.printed).toEqual([4, "failed"]);
    expect(never.printed).toContain("the state at PULUMI_BACKEND_URL has no run of funnels/dev");
    expect(host.issues).toEqual([]);
    expect((await own.run("ci", "apply", "--replan")).code).toBe(0);
    const [page] = own.emulator.records()["pages"] as unknown as { id: string }[];
    await editInApp(own, page?.id, { "hero.title": "By hand" });
    // The code host fails, so nobody gets a message.
    host.fails("GET /repos/acme/funnels/issues", 401);
    const untold = await own.run("ci", "drift", "--full");
    expect([untold.code, untold.report.result], untold.printed).toEqual([1, "failed"]);
    expect(untold.printed).toMatch(/1 resource has drifted, and Landform could not write the issue about it: GET/);
    expect((await own.run("ci", "drift", "--full", "--detailed-exitcode")).code).toBe(2);
    host.faults.length = 0;
    Reflect.deleteProperty(process.env, "GITHUB_TOKEN");
    const unset = await own.run("ci", "drift", "--full");
    expect([unset.code, unset.printed]).toEqual([1, expect.stringContaining("GITHUB_TOKEN is not set")]);
    process.env["GITHUB_TOKEN"] = "job-token";
    const drifted = await own.run("ci", "drift", "--full");
    expect([drifted.code, host.issues.length], drifted.printed).toEqual([0, 1]);
    expect((await own.run("ci", "apply", "--replan", "--refresh")).code).toBe(0);
    expect((await own.run("ci", "drift", "--full", "--detailed-exitcode")).code).toBe(0);
    expect(host.issues.map(({ state }) => state)).toEqual(["closed"]);
  },
);

test("a job of an earlier commit, late or run again, leaves the comment and the preview of the last one as they are", async () => {
  host.comments.clear();
  host.pull(12, { head: OTHER });
  desk.declare(funnels("The last"));
  onGithub({ action: "synchronize", ...aboutPull(12, OTHER) });
  expect((await job("plan", "--plans", "plans")).code).toBe(0);
  const told = host.ours(12).map(({ body }) => body);
  expect(told).toEqual([expect.stringContaining("The last")]);
  desk.declare(funnels("An earlier one"));
  for (const begin of [() => onGithub(request("synchronize")), () => onGitlab()]) {
    begin();
    const late = await job("plan", "--plans", "plans");
    expect([late.code, late.writes], late.printed).toEqual([0, 0]);
    expect(late.printed).toMatch(
      /(pull|merge) request .12 is at b{12} by now, so Landform leaves its comment as it is/,
    );
    const preview = await job("preview", "--base", "dev");
    expect([preview.code, preview.writes], preview.printed).toEqual([0, 0]);
    expect(textsOf(preview.report, "note")).toEqual([expect.stringContaining("is at bbbbbbbbbbbb by now")]);
  }
  expect(host.ours(12).map(({ body }) => body)).toEqual(told);
  host.pulls.length = 0;
});
