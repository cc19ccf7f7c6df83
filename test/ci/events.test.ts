/** Half-formed events, events of closed or unmerged requests, and events of merge trains: the commands apply, keep and take away nothing wrong. */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { WalkDesk, type Command } from "../walk/desk.ts";
import { CodeHost } from "./code-host.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";
import { textsOf } from "../reports/texts.ts";
import { editInApp } from "../suite/app.ts";

const [HEAD, OTHER, SHA] = ["a".repeat(40), "b".repeat(40), "f".repeat(40)];
const repo = { full_name: "acme/funnels" };
const request = (more: object = {}): object => ({ number: 12, head: { sha: HEAD, repo }, ...more });
const manifest = (title: string): object => ({
  ...{ landform: 1, name: "funnels", projects: { spring: { name: "Spring", description: LONG, context: LONG } } },
  sites: { main: { name: "funnels.example", project: "spring" } },
  pages: { offer: { template: { id: "tpl-hero" }, project: "spring", content: { "hero.title": title } } },
});
const LONG = "A brief about the brand, its customers and what it offers them. ".repeat(5);

const desk = forAllTests(() => WalkDesk.open());
const host = forAllTests(() => CodeHost.open());
beforeAll(async () => {
  desk.declare(manifest("Hello"));
  expect((await desk.run("up", "--yes")).code).toBe(0);
});

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name);
});

function onGithub(event: string | object, name = "pull_request"): void {
  desk.write("event.json", typeof event === "string" ? event : JSON.stringify(event));
  Object.assign(process.env, {
    ...{ GITHUB_ACTIONS: "true", GITHUB_API_URL: host.url, GITHUB_REPOSITORY: "acme/funnels", GITHUB_SHA: SHA },
    ...{ GITHUB_EVENT_PATH: join(desk.folder, "event.json"), GITHUB_EVENT_NAME: name, GITHUB_TOKEN: "job-token" },
    ...{ GITHUB_HEAD_REF: "red", GITHUB_REF_NAME: "12/merge" },
  });
}

function onGitlab(more: Record<string, string>): void {
  Object.assign(process.env, {
    ...{ GITLAB_CI: "true", CI_API_V4_URL: `${host.url}/api/v4`, CI_PROJECT_ID: "12", CI_COMMIT_SHA: SHA },
    ...{ CI_MERGE_REQUEST_IID: "12", CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: HEAD, GITLAB_TOKEN: "job-token", ...more },
  });
}

/** Runs the command, and counts its writes to the account. */
async function job(...args: string[]): Promise<Command & { writes: number; kept: string[] }> {
  desk.emulator.requests.length = 0;
  const ended = await desk.run("ci", ...args);
  const isWrite = ({ method, route }: { method: string; route: string | undefined }): boolean =>
    method !== "GET" && route !== "/pages/validate-before-publish";
  const kept = existsSync(join(desk.folder, "plans")) ? globSync("**/*.json", { cwd: join(desk.folder, "plans") }) : [];
  return { ...ended, writes: desk.emulator.requests.filter(isWrite).length, kept };
}

const JOBS = [
  ["plan", "--plans", "plans"],
  ["apply", "--plans", "plans"],
  ["preview", "--base", "dev"],
] as const;

describe.each([
  ["without a request", {}, "pull_request"],
  ["whose request is null", { action: "opened", pull_request: null }, "pull_request"],
  ["whose head is null", { action: "closed", pull_request: request({ head: null }) }, "pull_request.head"],
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

describe.each([
  ["GitHub, without the file of its event", { GITHUB_EVENT_PATH: "" }, "GITHUB_EVENT_PATH is not set"],
  ["GitLab, without its number", { CI_MERGE_REQUEST_IID: "" }, "CI_MERGE_REQUEST_IID doesn't say which"],
])("a job of a request on %s", (_, without, says) => {
  test.each(JOBS)("ci %s passes for no other job", async (...args) => {
    if ("GITHUB_EVENT_PATH" in without) onGithub({});
    else onGitlab({ CI_PIPELINE_SOURCE: "merge_request_event" });
    Object.assign(process.env, without);
    const { code, printed, report, writes, kept } = await job(...args);
    expect([code, report.result, writes, kept], printed).toEqual([4, "failed", 0, []]);
    expect(printed).toContain(says);
  });
});

test("the plan of a request that is open, closed unmerged, or in a merge train is not applied, though it is kept", async () => {
  desk.declare(manifest("Changed"));
  onGithub({ action: "opened", pull_request: request() });
  const planned = await job("plan", "--plans", "plans");
  expect([planned.code, planned.writes, planned.kept.length], planned.printed).toEqual([0, 0, 1]);
  for (const action of ["synchronize", "closed"]) {
    onGithub({ action, pull_request: request({ merged: false }) });
    const { code, printed, writes } = await job("apply", "--plans", "plans");
    expect([code, writes], printed).toEqual([3, 0]);
    expect(printed).toContain("pull request #12 is not merged");
  }
  for (const name of Object.keys(process.env))
    if (name.startsWith("GITHUB_")) Reflect.deleteProperty(process.env, name);
  onGitlab({ CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" });
  const train = await job("apply", "--plans", "plans");
  expect([train.code, train.writes], train.printed).toEqual([3, 0]);
  expect(train.printed).toContain("merge request !12 is not merged");
});

test("what a merge train tries is planned, and neither told nor kept in the place of what was reviewed", async () => {
  host.comments.clear();
  onGitlab({});
  desk.declare(manifest("Reviewed"));
  expect((await job("plan", "--plans", "plans")).code).toBe(0);
  const reviewed = [host.ours(12)[0]?.body, desk.read(`plans/funnels/dev/${HEAD}.json`)];
  desk.declare(manifest("With another request"));
  onGitlab({ CI_MERGE_REQUEST_EVENT_TYPE: "merge_train" });
  const { code, printed, writes } = await job("plan", "--plans", "plans");
  expect([code, writes], printed).toEqual([0, 0]);
  expect(printed).toContain("This is a merge train");
  expect([host.ours(12)[0]?.body, desk.read(`plans/funnels/dev/${HEAD}.json`)]).toEqual(reviewed);
});

test("merged, the event of its end applies it, as a push does", async () => {
  onGithub({ action: "closed", pull_request: request({ merged: true }) });
  desk.declare(manifest("Reviewed"));
  const { code, printed } = await job("apply", "--plans", "plans");
  expect(code, printed).toBe(0);
  const again = await job("apply", "--plans", "plans");
  expect([again.code, again.writes, again.report.result], again.printed).toEqual([0, 0, "succeeded"]);
});

thorough(
  "the drift of a stack that was never applied can't be told: 4; that of one that was opens an issue",
  async () => {
    const own = await inTest(WalkDesk.open());
    process.env["PULUMI_BACKEND_URL"] = `file://${own.folder}`;
    own.declare(manifest("Hello"));
    onGithub({}, "schedule");
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
    host.faults.push({
      path: "GET /repos/acme/funnels/issues",
      times: 9,
      reply: { status: 401, body: { message: "no" } },
    });
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
  host.pulls.push({ number: 12, head: OTHER, merged: false, commits: [] });
  desk.declare(manifest("The last"));
  const pull_request = { number: 12, head: { sha: OTHER, repo } };
  onGithub({ action: "synchronize", pull_request });
  expect((await job("plan", "--plans", "plans")).code).toBe(0);
  const told = host.ours(12).map(({ body }) => body);
  expect(told).toEqual([expect.stringContaining("The last")]);
  desk.declare(manifest("An earlier one"));
  for (const inJob of [() => onGithub({ action: "synchronize", pull_request: request() }), () => onGitlab({})]) {
    inJob();
    const late = await job("plan", "--plans", "plans");
    expect([late.code, late.writes], late.printed).toEqual([0, 0]);
    expect(late.printed).toMatch(
      /(pull|merge) request .12 is at b{12} by now, so Landform leaves its comment as it is/,
    );
    const preview = await job("preview", "--base", "dev");
    expect([preview.code, preview.writes], preview.printed).toEqual([0, 0]);
    expect(textsOf(preview.report, "note")).toEqual([expect.stringContaining("is at bbbbbbbbbbbb by now")]);
    for (const name of Object.keys(process.env))
      if (name.startsWith("GITHUB_")) Reflect.deleteProperty(process.env, name);
  }
  expect(host.ours(12).map(({ body }) => body)).toEqual(told);
  host.pulls.length = 0;
});
