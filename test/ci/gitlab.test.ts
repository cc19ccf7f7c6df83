/** Jobs of GitLab with wrong settings, tokens or requests. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ciEnvironment } from "../../ci/environment.ts";
import { funnels, gitlabJob, jobs, type Done, type Variables } from "./jobs.ts";

const [HEAD, MERGE] = ["a".repeat(40), "f".repeat(40)];

const { desk, host, inJob, job } = jobs();
beforeAll(async () => {
  desk.declare(funnels("Hello"));
  expect((await desk.run("up", "--yes")).code).toBe(0);
  host.merged(12, HEAD, MERGE);
});

afterEach(() => void host.faults.splice(0));

const REQUEST = { CI_MERGE_REQUEST_IID: "12", CI_MERGE_REQUEST_PROJECT_ID: "12", CI_COMMIT_SHA: HEAD };

function onGitlab(args: readonly string[], variables: Variables = {}): Promise<Done> {
  inJob(gitlabJob(host, { CI_COMMIT_REF_NAME: "main", ...variables }));
  return job(...args);
}

const APPLY = ["apply", "--plans", "plans"] as const;
const PLAN = ["plan", "--plans", "plans"] as const;

describe("a fork", () => {
  const rules = ["gitops", "preview-per-branch"].flatMap((example) => {
    const file = join(import.meta.dirname, "../../examples", example, ".gitlab-ci.yml");
    const jobs = parse(readFileSync(file, "utf8")) as Record<string, { rules?: { if: string }[] }>;
    return Object.values(jobs).flatMap(({ rules: of = [] }) => of.map((rule) => rule.if));
  });
  const starts = (variables: Record<string, string>): string[] =>
    rules.filter((rule) =>
      rule.split(" && ").every((part) => {
        const [left, right] = part.split(" == ").map((side) => variables[side.slice(1)] ?? side.replaceAll('"', ""));
        return left === right;
      }),
    );
  const request = { CI_PIPELINE_SOURCE: "merge_request_event", CI_MERGE_REQUEST_PROJECT_ID: "12" };

  test("starts no job, in its own project or in ours; a branch of ours starts those of requests", () => {
    const fork = { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99" };
    for (const project of ["12", "99"])
      expect(starts({ ...fork, CI_PROJECT_ID: project, CI_DEFAULT_BRANCH: "main" })).toEqual([]);
    const ours = { ...request, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "12", CI_PROJECT_ID: "12" };
    expect(starts({ ...ours, CI_DEFAULT_BRANCH: "main" })).toHaveLength(3);
  });

  test("a pipeline of the fork's own project is about the request in our project", () => {
    const variables = { GITLAB_CI: "true", ...REQUEST, CI_PROJECT_ID: "99", CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99" };
    const { forge, change } = ciEnvironment({}, { variables });
    expect([forge?.repository, change?.fork]).toEqual(["12", "99"]);
  });
});

describe("a job without its variables", () => {
  test("no place for the state: a stack that is not in the job's folder is neither planned nor made", async () => {
    for (const args of [PLAN, ["apply", "--replan", "--yes"]]) {
      const { code, printed, report, writes } = await onGitlab([...args, "--stack", "prod"], {
        CI_DISPOSABLE_ENVIRONMENT: "true",
      });
      expect([code, report.result, writes], printed).toEqual([4, "failed", 0]);
      expect(printed).toContain(
        "PULUMI_BACKEND_URL is not set, so the state of funnels/prod would be in the folder of this job",
      );
    }
    const elsewhere = { PULUMI_BACKEND_URL: `file://${desk.folder}/elsewhere`, CI_DISPOSABLE_ENVIRONMENT: "true" };
    const said = await onGitlab([...PLAN, "--stack", "prod"], elsewhere);
    expect(said.code, said.printed).toBe(0);
    // If a runner may keep its folder, nobody can tell.
    const unknown = { PULUMI_BACKEND_URL: "", CI_DISPOSABLE_ENVIRONMENT: "" };
    const told = await onGitlab([...PLAN, "--stack", "prod"], unknown);
    expect(told.code, told.printed).toBe(0);
    expect(told.printed).toContain(
      "If that folder is deleted after the job, the next job would make everything a second time.",
    );
  });

  test("without a key, the message says where to set it, and names no shell", async () => {
    desk.account = { ...desk.account, apiKey: "" };
    const { code, printed } = await onGitlab(PLAN, REQUEST);
    desk.account = desk.emulator;
    expect(code, printed).toBe(4);
    expect(printed).toContain("LANDFORM_API_KEY is not set in this job");
    expect(printed).toContain("not protected");
    expect(printed).not.toContain("export ");
  });
});

describe("an apply that can't ask which request its commit came from", () => {
  const asked = "which request ffffffffffff came from";

  test("without a token: its variable is named", async () => {
    const { code, printed, writes } = await onGitlab(APPLY, { GITLAB_TOKEN: "" });
    expect([code, writes], printed).toEqual([4, 0]);
    expect(printed).toContain(`only the code host knows ${asked}, and Landform can't ask it here: set GITLAB_TOKEN`);
  });

  test.each([
    [401, "Unauthorized", "GITLAB_TOKEN may not do that: use a project access token that has the scope api"],
    [403, "Forbidden", "GITLAB_TOKEN may not do that"],
    [403, "API rate limit exceeded", "Run this job again once the code host answers"],
    [404, "Not Found", "Run this job again"],
    [200, "", "Run this job again once the code host answers"],
  ])("%i %s: nothing is applied, and the way out is that of its cause", async (status, message, says) => {
    const reply = { status, body: message === "" ? "" : { message } };
    host.faults.push({ path: "/merge_requests", times: 9, reply });
    const { code, printed, writes } = await onGitlab(APPLY);
    expect([code, writes], printed).toEqual([3, 0]);
    expect(printed).toContain(`Landform could not ask ${asked}`);
    expect(printed).toContain(says);
    expect(printed).not.toContain("--replan");
  });
});

test("another stack's name than the one that was reviewed: 3, and no stack of that name is made", async () => {
  const { code, printed, writes } = await onGitlab([...APPLY, "--stack", "typo"]);
  expect([code, writes], printed).toEqual([3, 0]);
  expect(printed).toContain("no plan is kept for");
  expect(existsSync(join(desk.folder, "Pulumi.typo.yaml"))).toBe(false);
  expect((await desk.command("stack", "ls")).printed).not.toContain("typo");
});
