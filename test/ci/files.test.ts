/** The files that a team copies: the test runs each shell step as it stands, against the emulator and a stand-in of the code host. */
import { spawnSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { ciFiles } from "../../cli/init/project.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { whole, thorough } from "../suite/parts.ts";
import { CodeHost } from "./code-host.ts";
import { aboutPull, aboutRequest, eventIn, githubJob, gitlabJob, type Variables } from "./jobs.ts";

const repository = join(import.meta.dirname, "../..");
const example = join(repository, "examples/gitops");
const workflows = ["gitops", "preview-per-branch"].flatMap((name) => {
  const folder = join(repository, "examples", name, ".github/workflows");
  return readdirSync(folder).map((file) => join(folder, file));
});

interface Step {
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string | number>;
}

interface Workflow {
  on: unknown;
  permissions?: Record<string, string>;
  concurrency?: unknown;
  jobs: Record<string, { if?: string; "timeout-minutes"?: number; env?: Record<string, string>; steps: Step[] }>;
}

/** The files of a new project, in a folder of a repository that has others. */
const made = ciFiles({ forge: "github", name: "shop", folder: "/team/sites/shop", repository: "/team" }).map(
  ({ path, text }) => [path, text(undefined) ?? ""] as const,
);
const files = new Map([...workflows.map((file) => [basename(file), readFileSync(file, "utf8")] as const), ...made]);

describe.each([...files])("%s", (file, source) => {
  const parsed = parse(source) as Workflow;
  const jobs = Object.values(parsed.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  test("asks for no more than it needs, ends, and lets nobody else's code in", () => {
    const allowed = ["actions", "contents", "issues", "pull-requests"];
    expect(Object.keys(parsed.permissions ?? {}).filter((scope) => !allowed.includes(scope))).toEqual([]);
    // Only a preview writes: the pictures of its comment.
    expect(parsed.permissions).toMatchObject({ contents: file === "landform-preview.yml" ? "write" : "read" });
    expect(parsed.permissions?.["actions"] ?? "read").toBe("read");
    expect(parsed.concurrency).toBeDefined();
    for (const job of jobs) expect(job["timeout-minutes"]).toBeGreaterThan(0);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    // Texts of others (titles, branches) are never part of a script.
    for (const { run = "" } of steps) expect(run).not.toContain("${{");
  });

  test("a fork's pull request runs nothing that has secrets", () => {
    if (!JSON.stringify(parsed.on).includes("pull_request")) return;
    expect(JSON.stringify(parsed.on)).not.toContain("pull_request_target");
    const guards = jobs.map((job) => [job.if, ...job.steps.map((step) => step.if)].join(" "));
    for (const guard of guards) expect(guard).toContain("head.repo.full_name == github.repository");
  });
});

test.skipIf(!whole || spawnSync("go", ["version"]).status !== 0)(
  "actionlint finds nothing",
  { tags: ["thorough"], timeout: 240_000 },
  () => {
    const args = ["run", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.7", "-no-color", "-shellcheck="];
    const env = { ...process.env, GOFLAGS: "-mod=mod" };
    const folder = mkdtempSync(join(tmpdir(), "landform-workflows-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const all = made.map(([path, text]) => {
      const file = join(folder, basename(path));
      writeFileSync(file, text);
      return file;
    });
    const { stdout, status } = spawnSync("go", [...args, ...workflows, ...all], { env, encoding: "utf8" });
    expect([stdout, status]).toEqual(["", 0]);
  },
);

describe("each step, as it stands", () => {
  const desk = forAllTests(() => NearDesk.open());
  const host = forAllTests(() => CodeHost.open());
  const heads = { github: "a".repeat(40), gitlab: "b".repeat(40) };
  const merges = { github: "1".repeat(40), gitlab: "2".repeat(40) };

  beforeAll(() => {
    cpSync(example, desk.folder, { recursive: true });
    // In place of a registry: this package itself, with nothing to install.
    mkdirSync(desk.path("node_modules/.bin"), { recursive: true });
    mkdirSync(desk.path("bin"));
    const programs = {
      "node_modules/.bin/landform": `exec node '${join(repository, "dist/cli/main.js")}' "$@"`,
      "bin/npm": '[ "$*" = ci ]',
    };
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(desk.path(name), `#!/bin/sh\n${script}\n`);
      chmodSync(desk.path(name), 0o755);
    }
  });

  const settings = (): Variables => ({
    "vars.LANDFORM_BASE_URL": desk.emulator.baseUrl,
    "vars.LANDFORM_PLANS": desk.path("plans"),
    "vars.PULUMI_BACKEND_URL": `file://${desk.path("state")}`,
    "secrets.LANDFORM_API_KEY": desk.emulator.apiKey,
    "secrets.PULUMI_CONFIG_PASSPHRASE": "correct horse",
    "github.token": "job-token",
  });

  async function shell(script: string, env: Record<string, string | undefined>): Promise<string> {
    mkdirSync(desk.path("state"), { recursive: true });
    const path = [desk.path("bin"), join(repository, "node_modules/node/bin"), process.env["PATH"]].join(delimiter);
    const child = spawn("bash", ["-eo", "pipefail", "-c", script], {
      cwd: desk.folder,
      env: { ...desk.env, PATH: path, ...env },
    });
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close") as Promise<[number | null]>,
    ]);
    expect([code, err], out).toEqual([0, ""]);
    return out;
  }

  /** Does the action's work: uploads the folder's files by their paths in it. */
  function upload(pull: number, { name = "", path = "" }: Record<string, string>): void {
    const folder = desk.path(path);
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
    const files = Object.fromEntries(paths.map((file) => [file, readFileSync(join(folder, file), "utf8")]));
    host.uploads.push({ head: heads.github, pull, name, files });
    rmSync(folder, { recursive: true });
  }

  /** Runs the job as GitHub does for an event. */
  async function github(
    file: string,
    event: { name: string; pull?: number; sha?: string; action?: string },
  ): Promise<string> {
    const { name, pull, sha, action = "opened" } = event;
    // The files themselves hand on the token.
    const { GITHUB_TOKEN: _, ...runner } = githubJob(host, {
      ...eventIn(desk, pull === undefined ? {} : { action, ...aboutPull(pull, heads.github) }),
      ...(sha !== undefined && { GITHUB_SHA: sha }),
      GITHUB_EVENT_NAME: name,
      GITHUB_REF_NAME: "main",
      GITHUB_WORKSPACE: desk.folder,
    });
    const known: Variables = {
      ...settings(),
      "vars.LANDFORM_PLANS": "artifact:plans",
      "github.run_attempt": "1",
    };
    const filled = (env: Record<string, string | number> = {}): Variables =>
      Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          String(value).replace(/\$\{\{ (.*?) \}\}/g, (_, key: string) => known[key] ?? ""),
        ]),
      );
    const told: string[] = [];
    for (const job of Object.values((parse(files.get(file) ?? "") as Workflow).jobs))
      for (const step of job.steps) {
        const [, sign, meant] = /^github\.event_name (==|!=) '(\w+)'$/.exec(step.if ?? "") ?? [];
        const due = step.if === undefined || (meant === name) === (sign === "==");
        if (step.uses?.startsWith("actions/upload-artifact@") === true && pull !== undefined)
          upload(pull, filled(step.with));
        if (step.run !== undefined && due)
          told.push(await shell(step.run, { ...runner, ...filled(job.env), ...filled(step.env) }));
      }
    return told.join("\n");
  }

  async function gitlab(job: string, variables: Variables, from = example): Promise<string> {
    const source = readFileSync(join(from, ".gitlab-ci.yml"), "utf8");
    const { script } = (parse(source) as Record<string, { script: string[] }>)[job] ?? { script: [] };
    const set = Object.entries(settings()).map(([name, value]): [string, string] => [
      name.replace(/^\w+\./, ""),
      value,
    ]);
    const place = { CI_COMMIT_REF_NAME: "main", CI_PROJECT_DIR: desk.folder };
    const env = { ...Object.fromEntries(set), ...gitlabJob(host, { ...place, ...variables }) };
    expect(script.length).toBeGreaterThan(0);
    return shell(["npm ci", ...script].join("\n"), env);
  }

  thorough("on GitHub: a pull request, its merge, an edit by hand, a night", async () => {
    await github("landform-plan.yml", { name: "pull_request", pull: 1 });
    expect(host.ours(1)[0]?.body).toContain("to create");
    host.merged(1, heads.github, merges.github);
    expect(await github("landform-apply.yml", { name: "push", sha: merges.github })).toContain("pull request #1");
    expect(await github("landform-apply.yml", { name: "workflow_dispatch" })).toContain("no changes");
    expect(await github("landform-drift.yml", { name: "schedule" })).toContain("no drift");
    await desk.edits("Offer", { "hero.title": "By hand" });
    await github("landform-drift.yml", { name: "schedule" });
    expect(host.issues).toHaveLength(1);
    expect(await github("landform-apply.yml", { name: "workflow_dispatch" })).toContain("updated Page offer");
    expect(await github("landform-drift.yml", { name: "schedule" })).toContain("no drift");
    expect(host.issues[0]?.state).toBe("closed");
  });

  thorough("on GitLab the same", async () => {
    desk.edit("landform.yaml", "hero.cta.text: Choose yours", "hero.cta.text: Take one");
    await gitlab("landform plan", aboutRequest(3, heads.gitlab));
    host.merged(3, heads.gitlab, merges.gitlab);
    expect(await gitlab("landform apply", { CI_COMMIT_SHA: merges.gitlab })).toContain("merge request !3");
    expect(await gitlab("landform put back", { CI_COMMIT_SHA: merges.gitlab })).toContain("no changes");
    expect(await gitlab("landform drift", { CI_COMMIT_SHA: merges.gitlab })).toContain("no drift");
  });

  describe("previews of the stack that the jobs before have applied", () => {
    const previews = join(repository, "examples/preview-per-branch");

    thorough("on GitHub: a pull request, its end, and one whose end was missed", async () => {
      const file = "landform-preview.yml";
      desk.edit("landform.yaml", "hero.title: A mug worth getting up for", "hero.title: A mug to keep");
      const [five, six] = [host.pull(105, { head: heads.github }), host.pull(106, { head: heads.github })];
      await github(file, { name: "pull_request", pull: 105 });
      await github(file, { name: "pull_request", pull: 106 });
      expect(host.ours(105)[0]?.body).toMatch(/\/pr-105-\w{10}\/offer/);
      five.closed = six.closed = true;
      await github(file, { name: "pull_request", pull: 105, action: "closed" });
      expect(await github(file, { name: "schedule" })).toContain("reclaimed  pr-106, closed");
    });

    thorough("on GitLab: a merge request, the stop of its environment, a night", async () => {
      host.pull(107, { head: heads.gitlab });
      const request = aboutRequest(107, heads.gitlab);
      await gitlab("landform preview", request, previews);
      expect(desk.read("preview.env")).toMatch(/^LANDFORM_PREVIEW_URL=http\S+\/pr-107-\w{10}\/offer$/m);
      await gitlab("landform preview away", { ...request, CI_ENVIRONMENT_ACTION: "stop" }, previews);
      expect(host.ours(107)[0]?.body).toContain("is gone");
      const night = { CI_PIPELINE_SOURCE: "schedule", CI_COMMIT_SHA: heads.gitlab };
      expect(await gitlab("landform preview gc", night, previews)).toContain("There are no preview environments.");
    });
  });
});
