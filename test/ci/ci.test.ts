// @module-tag thorough
/** From a pull request to its merge, against the emulator and a stand-in of the code hosts. */
import { mkdirSync, readdirSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { getContentMap } from "../../provider/lookups/index.ts";
import { type Ended, outputOf } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { CodeHost } from "./code-host.ts";
import { forAllTests } from "../suite/opened.ts";

const HEADS = {
  first: "a".repeat(40),
  second: "b".repeat(40),
  third: "c".repeat(40),
  other: "6".repeat(40),
};
const MERGES = { first: "1".repeat(40), second: "2".repeat(40), third: "3".repeat(40) };

const desk = forAllTests(() => NearDesk.open("quickstart-yaml"));
const host = forAllTests(() => CodeHost.open());

type Job = { pull: number; head: string } | { commit: string };

function onGithub(job: Job): Record<string, string> {
  const event =
    "pull" in job
      ? { pull_request: { number: job.pull, head: { sha: job.head, repo: { full_name: "acme/funnels" } } } }
      : {};
  desk.write("event.json", JSON.stringify(event));
  return {
    GITHUB_ACTIONS: "true",
    PULUMI_BACKEND_URL: `file://${desk.folder}`,
    GITHUB_API_URL: host.url,
    GITHUB_REPOSITORY: "acme/funnels",
    GITHUB_EVENT_PATH: desk.path("event.json"),
    GITHUB_SHA: "commit" in job ? job.commit : "f".repeat(40),
    GITHUB_RUN_ID: "77",
    GITHUB_TOKEN: "job-token",
    GITHUB_OUTPUT: desk.path("outputs"),
    GITHUB_STEP_SUMMARY: desk.path("summary.md"),
  };
}

function onGitlab(job: Job): Record<string, string> {
  const about: Record<string, string> =
    "pull" in job ? { CI_MERGE_REQUEST_IID: String(job.pull), CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: job.head } : {};
  return {
    ...about,
    GITLAB_CI: "true",
    PULUMI_BACKEND_URL: `file://${desk.folder}`,
    CI_API_V4_URL: `${host.url}/api/v4`,
    CI_PROJECT_ID: "12",
    CI_COMMIT_SHA: "commit" in job ? job.commit : "f".repeat(40),
    GITLAB_TOKEN: "job-token",
  };
}

function ci(verb: string, env: Record<string, string>, ...args: string[]): Promise<Ended> {
  return desk.run(["ci", verb, ...(verb === "drift" ? [] : ["--plans", "plans"]), ...args], { env });
}

function plansKept(): string[] {
  const folder = desk.path("plans");
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".json"));
}

describe("on GitHub", { timeout: 300_000 }, () => {
  test("a plan is told in one comment, kept for its commit, and writes nothing", async () => {
    host.paste(12, "<!-- landform:plan:quickstart/dev --> I pasted that");
    host.paste(12, "Looks good");
    const { code, stderr, stdout } = await ci("plan", onGithub({ pull: 12, head: HEADS.first }), "--json", "plan.json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(`The plan is kept for ${HEADS.first.slice(0, 12)}.`);
    expect(desk.writes()).toEqual([]);
    const [comment, ...others] = host.ours(12);
    expect(others).toEqual([]);
    expect(comment?.body).toMatch(/^<!-- landform:plan:[\w-]+\/dev -->\n/);
    expect(comment?.body).toContain("to create");
    expect(comment?.body).toContain("/actions/runs/77");
    expect(desk.read("summary.md")).toContain("to create");
    expect(desk.read("outputs")).toMatch(/changes<<(end-[\w-]+)\n[1-9]\d*\n\1\n/);
  });

  test("a second plan edits the same comment, also on a later page of comments", async () => {
    for (let index = 0; index < 5; index += 1) host.paste(12, `Remark ${index}`);
    const [before] = host.ours(12);
    expect((await ci("plan", onGithub({ pull: 12, head: HEADS.second }))).code).toBe(0);
    expect(host.ours(12).map(({ id }) => id)).toEqual([before?.id]);
    expect(host.ours(12)[0]?.body).toContain(HEADS.second.slice(0, 12));
    expect(plansKept()).toHaveLength(2);
  });

  test("a commit that came from no merge, a plan that isn't there, a code host that fails: 3, and nothing is sent", async () => {
    expect(await outputOf(3, ci("apply", onGithub({ commit: "9".repeat(40) })))).toContain("nobody has reviewed");
    host.pulls.push({
      number: 11,
      head: "d".repeat(40),
      merged: true,
      mergeCommit: "8".repeat(40),
      commits: ["8".repeat(40)],
    });
    expect(await outputOf(3, ci("apply", onGithub({ commit: "8".repeat(40) })))).toContain("no plan is kept");
    expect(host.ours(11)[0]?.body).toContain("no plan is kept");
    host.faults.push({ path: "/pulls", times: 1, reply: { status: 404, body: { message: "Not Found" } } });
    expect(await outputOf(3, ci("apply", onGithub({ commit: MERGES.first })))).toContain(
      "Landform could not ask which request",
    );
    expect(desk.writes()).toEqual([]);
  });

  test("after a squash the plan of the reviewed head is applied, and a job that runs again finds it done", async () => {
    host.pulls.push({
      number: 12,
      head: HEADS.second,
      merged: true,
      mergeCommit: MERGES.second,
      commits: [MERGES.second],
    });
    // A request that holds the commit but did not merge it.
    host.pulls.push({
      number: 13,
      head: "e".repeat(40),
      merged: true,
      mergeCommit: "7".repeat(40),
      commits: [MERGES.second],
    });
    const applied = await ci("apply", onGithub({ commit: MERGES.second }));
    expect([applied.code, applied.stderr]).toEqual([0, ""]);
    expect(applied.stdout).toContain("Applying the plan that was reviewed as pull request #12.");
    expect(applied.stdout).toMatch(/Seen live\n[^]*✓ Page \w+: seen after/);
    expect(host.ours(12)).toHaveLength(1);
    expect(host.ours(12)[0]?.body).toContain("created");
    desk.writes();
    const again = await ci("apply", onGithub({ commit: MERGES.second }));
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(desk.writes()).toEqual([]);
    expect(host.ours(12)).toHaveLength(1);
    expect(await outputOf(0, desk.run(["preview", "--detailed-exitcode"]))).toContain("no changes");
  });

  test("the key of another account: 3, told with both accounts where it was reviewed, and nothing is sent to either", async () => {
    const other = await NearDesk.open();
    try {
      desk.edit("landform.yaml", "hero.title: A mug", "hero.title: Any mug");
      expect((await ci("plan", onGithub({ pull: 18, head: HEADS.other }))).code).toBe(0);
      const merge = "5".repeat(40);
      host.pulls.push({ number: 18, head: HEADS.other, merged: true, mergeCommit: merge, commits: [merge] });
      const { LANDFORM_BASE_URL = "", LANDFORM_API_KEY = "" } = other.env;
      desk.writes();
      const { code, stderr } = await ci("apply", {
        ...onGithub({ commit: merge }),
        LANDFORM_BASE_URL,
        LANDFORM_API_KEY,
      });
      expect([code, desk.writes(), other.writes()]).toEqual([3, [], []]);
      const why =
        /the plan was made for account acct_\w+, and the key .* belongs to account acct_\w+\. Nothing was sent/;
      expect(stderr).toMatch(why);
      expect(host.ours(18)[0]?.body).toContain("the plan was made for account acct");
    } finally {
      desk.edit("landform.yaml", "hero.title: Any mug", "hero.title: A mug");
      await other.close();
    }
  });

  test("a colleague's edit of what the plan changes: 3, with both values, told where it was reviewed", async () => {
    desk.edit("landform.yaml", "hero.title: A mug", "hero.title: Fresh, a mug");
    expect((await ci("plan", onGithub({ pull: 14, head: HEADS.third }))).code).toBe(0);
    host.pulls.push({
      number: 14,
      head: HEADS.third,
      merged: true,
      mergeCommit: MERGES.third,
      commits: [MERGES.third],
    });
    // Somebody edits in the app first, and then in the code.
    const api = new LandformApi(desk.emulator);
    const offer = (await api.pages.list()).find(({ page_name: name }) => name === "Offer")?.id ?? "";
    const { content } = await getContentMap(api, { pageId: offer });
    await api.pages.updateContent({ page_id: offer, updates: { "hero.title": "By a colleague" } });
    desk.writes();
    expect(await outputOf(3, ci("apply", onGithub({ commit: MERGES.third })))).toContain("By a colleague");
    expect(desk.writes()).toEqual([]);
    await api.pages.updateContent({ page_id: offer, updates: { "hero.title": content["hero.title"] ?? "" } });
    desk.edit("landform.yaml", "hero.title: Fresh, a mug", "hero.title: Fresher, a mug");
    desk.writes();
    expect(await outputOf(3, ci("apply", onGithub({ commit: MERGES.third })))).toMatch(
      /Page \w+: content\["hero\.title"\] would become ".*", and the reviewed plan says ".*"/,
    );
    expect(host.ours(14)[0]?.body).toContain("the reviewed plan says");
    expect(desk.writes()).toEqual([]);
    const replanned = await ci("apply", onGithub({ commit: MERGES.third }), "--replan");
    expect([replanned.code, replanned.stderr]).toEqual([0, ""]);
    expect(desk.writes()).not.toEqual([]);
  });

  test("what can't be told fails nothing, and is said", async () => {
    host.faults.push({
      path: "POST /repos/acme/funnels/issues",
      times: 9,
      reply: { status: 403, body: { message: "no" } },
    });
    expect(await outputOf(0, ci("plan", onGithub({ pull: 15, head: HEADS.first })))).toContain(
      "note: the note could not be written: POST",
    );
    host.faults.length = 0;
  });

  test("a failure is an annotation on its line", async () => {
    desk.edit("landform.yaml", "landform: 1", "landform: 1\nnonsense: 1");
    await outputOf(4, ci("plan", onGithub({ pull: 16, head: HEADS.first })));
    expect(host.ours(16)[0]?.body).toContain("nonsense");
    desk.edit("landform.yaml", "landform: 1\nnonsense: 1", "landform: 1");
  });
});

describe("drift as a choice", { timeout: 300_000 }, () => {
  const nightly = () => ({
    ...onGithub({ commit: "f".repeat(40) }),
    GITHUB_REF_NAME: "main",
    GITHUB_WORKSPACE: desk.folder,
  });

  test("who moved is told for each field: the app, the code, or both", async () => {
    const api = new LandformApi(desk.emulator);
    const offer = (await api.pages.list()).find(({ page_name: name }) => name === "Offer")?.id ?? "";
    const before = desk.read("landform.yaml");
    const updates = { "hero.title": "Title by the app", "hero.cta.text": "Button by the app" };
    await api.pages.updateContent({ page_id: offer, updates });
    desk.edit("landform.yaml", "hero.cta.text: Choose yours", "hero.cta.text: Button by the code");
    desk.edit("landform.yaml", "glazed in four colours", "glazed in five colours");
    desk.writes();
    const found = await ci("drift", nightly(), "--full", "--detailed-exitcode");
    expect([found.code, found.stderr, desk.writes()]).toEqual([2, "", []]);
    const UNSEEN = " (in a draft: visitors don't see it yet)";
    const rows = host.issues.at(-1)?.body.match(/^\| .*hero\..*$/gm) ?? [];
    expect(rows.map((row) => row.split(" | ")[0]).sort()).toEqual([
      `| \`content["hero.cta.text"]\` changed in the code, and edited in the app${UNSEEN}`,
      '| `content["hero.text"]` changed in the code',
      `| \`content["hero.title"]\` edited in the app${UNSEEN}`,
    ]);
    expect(found.stdout).toMatch(/content\["hero\.cta\.text"\] +changed in the code, and edited in the app/);

    const planned = await ci("plan", onGithub({ pull: 17, head: HEADS.first }), "--refresh");
    expect([planned.code, planned.stderr]).toEqual([0, ""]);
    expect(host.ours(17)[0]?.body).toMatch(/hero\.cta\.text.*Button by the app.*Button by the code/);
    expect((await desk.run(["up", "--refresh", "--yes"])).code).toBe(1);
    expect((await desk.run(["up", "--refresh", "--yes", "--foreign-edits", "include"])).code).toBe(0);
    expect((await ci("drift", nightly(), "--full", "--detailed-exitcode")).code).toBe(0);
    desk.write("landform.yaml", before);
    expect((await desk.run(["up", "--yes"])).code).toBe(0);
    expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
  });

  test("a look that failed closes nothing", async () => {
    host.issues.push({
      number: 500,
      title: "Drift",
      body: "<!-- landform:drift:quickstart-yaml/dev -->",
      labels: ["landform-drift"],
      state: "open",
      user: { id: 41898282, login: "github-actions[bot]", type: "Bot" },
    });
    const broken = await ci("drift", { ...nightly(), LANDFORM_API_KEY: "lf_wrong" });
    expect(broken.code).not.toBe(0);
    expect(host.issues.at(-1)?.state).toBe("open");
    host.issues.pop();
  });
});

test("on GitLab the same, by its own variables", async () => {
  desk.edit("landform.yaml", "hero.title: Fresher", "hero.title: On GitLab");
  expect((await ci("plan", onGitlab({ pull: 21, head: "4".repeat(40) }))).code).toBe(0);
  expect((await ci("plan", onGitlab({ pull: 21, head: "5".repeat(40) }))).code).toBe(0);
  expect(host.ours(21)).toHaveLength(1);
  host.pulls.push({
    number: 21,
    head: "5".repeat(40),
    merged: true,
    mergeCommit: "6".repeat(40),
    commits: ["6".repeat(40)],
  });
  const applied = await ci("apply", onGitlab({ commit: "6".repeat(40) }));
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  expect(applied.stdout).toContain("merge request !21");
});
