// @module-tag thorough
/** From a pull request to its merge, against the emulator and a stand-in of the code hosts. */
import { mkdirSync, readdirSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { cleanOutputOf, type Ended, outputOf } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { CodeHost } from "./code-host.ts";
import { aboutPull, aboutRequest, eventIn, githubJob, gitlabJob, type Variables } from "./jobs.ts";

const [FIRST, SECOND, THIRD, OTHER] = ["a", "b", "c", "6"].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];

const desk = forAllTests(() => NearDesk.open("quickstart-yaml"));
const host = forAllTests(() => CodeHost.open());

type Job = { pull: number; head: string } | { commit: string };

const onGithub = (job: Job): Variables =>
  githubJob(host, {
    PULUMI_BACKEND_URL: `file://${desk.folder}`,
    ...eventIn(desk, "pull" in job ? aboutPull(job.pull, job.head) : {}),
    ...("commit" in job && { GITHUB_SHA: job.commit }),
    GITHUB_RUN_ID: "77",
    GITHUB_OUTPUT: desk.path("outputs"),
    GITHUB_STEP_SUMMARY: desk.path("summary.md"),
  });

function onGitlab(job: Job): Variables {
  const about = "pull" in job ? aboutRequest(job.pull, job.head) : { CI_COMMIT_SHA: job.commit };
  return gitlabJob(host, { ...about, PULUMI_BACKEND_URL: `file://${desk.folder}` });
}

const ci = (verb: string, env: Variables, ...args: string[]): Promise<Ended> =>
  desk.run(["ci", verb, ...(verb === "drift" ? [] : ["--plans", "plans"]), ...args], { env });

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
    const told = await cleanOutputOf(ci("plan", onGithub({ pull: 12, head: FIRST }), "--json", "plan.json"));
    expect(told).toContain(`The plan is kept for ${FIRST.slice(0, 12)}.`);
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
    expect((await ci("plan", onGithub({ pull: 12, head: SECOND }))).code).toBe(0);
    expect(host.ours(12).map(({ id }) => id)).toEqual([before?.id]);
    expect(host.ours(12)[0]?.body).toContain(SECOND.slice(0, 12));
    expect(plansKept()).toHaveLength(2);
  });

  test("a commit that came from no merge, a plan that isn't there, a code host that fails: 3, and nothing is sent", async () => {
    expect(await outputOf(3, ci("apply", onGithub({ commit: "9".repeat(40) })))).toContain("nobody has reviewed");
    host.merged(11, "d".repeat(40), "8".repeat(40));
    expect(await outputOf(3, ci("apply", onGithub({ commit: "8".repeat(40) })))).toContain("no plan is kept");
    expect(host.ours(11)[0]?.body).toContain("no plan is kept");
    host.fails("/pulls", 404, { times: 1 });
    expect(await outputOf(3, ci("apply", onGithub({ commit: "1".repeat(40) })))).toContain(
      "Landform could not ask which request",
    );
    expect(desk.writes()).toEqual([]);
  });

  test("after a squash the plan of the reviewed head is applied, and a job that runs again finds it done", async () => {
    const merge = "2".repeat(40);
    host.merged(12, SECOND, merge);
    // A request that holds the commit but did not merge it.
    host.merged(13, "e".repeat(40), "7".repeat(40), { commits: [merge] });
    const applied = await cleanOutputOf(ci("apply", onGithub({ commit: merge })));
    expect(applied).toContain("Applying the plan that was reviewed as pull request #12.");
    expect(applied).toMatch(/Seen live\n[^]*✓ Page \w+: seen after/);
    expect(host.ours(12)).toHaveLength(1);
    expect(host.ours(12)[0]?.body).toContain("created");
    desk.writes();
    await cleanOutputOf(ci("apply", onGithub({ commit: merge })));
    expect(desk.writes()).toEqual([]);
    expect(host.ours(12)).toHaveLength(1);
    expect(await desk.plansNothing()).toContain("no changes");
  });

  test("the key of another account: 3, told with both accounts where it was reviewed, and nothing is sent to either", async () => {
    const other = await NearDesk.open();
    try {
      desk.code("hero.title: A mug", "hero.title: Any mug");
      expect((await ci("plan", onGithub({ pull: 18, head: OTHER }))).code).toBe(0);
      const merge = "5".repeat(40);
      host.merged(18, OTHER, merge);
      const { LANDFORM_BASE_URL = "", LANDFORM_API_KEY = "" } = other.env;
      desk.writes();
      const job = { ...onGithub({ commit: merge }), LANDFORM_BASE_URL, LANDFORM_API_KEY };
      const { code, stderr } = await ci("apply", job);
      expect([code, desk.writes(), other.writes()]).toEqual([3, [], []]);
      const why =
        /the plan was made for account acct_\w+, and the key .* belongs to account acct_\w+\. Nothing was sent/;
      expect(stderr).toMatch(why);
      expect(host.ours(18)[0]?.body).toContain("the plan was made for account acct");
    } finally {
      desk.code("hero.title: Any mug", "hero.title: A mug");
      await other.close();
    }
  });

  test("a colleague's edit of what the plan changes: 3, with both values, told where it was reviewed", async () => {
    desk.code("hero.title: A mug", "hero.title: Fresh, a mug");
    expect((await ci("plan", onGithub({ pull: 14, head: THIRD }))).code).toBe(0);
    const merge = "3".repeat(40);
    host.merged(14, THIRD, merge);
    // Somebody edits in the app first, and then in the code.
    const title = String(await desk.drafts("Offer", "hero.title"));
    await desk.edits("Offer", { "hero.title": "By a colleague" });
    desk.writes();
    const said = await outputOf(3, ci("apply", onGithub({ commit: merge })));
    expect(said).toMatch(/By a colleague.*by hand.*--replan --refresh --foreign-edits include/s);
    // It leaves a value that both have changed.
    expect(said).not.toContain("drift --write");
    expect(desk.writes()).toEqual([]);
    await desk.edits("Offer", { "hero.title": title });
    desk.code("hero.title: Fresh, a mug", "hero.title: Fresher, a mug");
    desk.writes();
    expect(await outputOf(3, ci("apply", onGithub({ commit: merge })))).toMatch(
      /Page \w+: content\["hero\.title"\] would become ".*", and the reviewed plan says ".*"/,
    );
    expect(host.ours(14)[0]?.body).toContain("the reviewed plan says");
    expect(desk.writes()).toEqual([]);
    await cleanOutputOf(ci("apply", onGithub({ commit: merge }), "--replan"));
    expect(desk.writes()).not.toEqual([]);
  });

  test("what can't be told fails nothing, and is said", async () => {
    host.fails("POST /repos/acme/funnels/issues", 403);
    expect(await outputOf(0, ci("plan", onGithub({ pull: 15, head: FIRST })))).toContain(
      "note: the note could not be written: POST",
    );
    host.faults.length = 0;
  });

  test("a failure is an annotation on its line", async () => {
    desk.code("landform: 1", "landform: 1\nnonsense: 1");
    await outputOf(4, ci("plan", onGithub({ pull: 16, head: FIRST })));
    expect(host.ours(16)[0]?.body).toContain("nonsense");
    desk.code("landform: 1\nnonsense: 1", "landform: 1");
  });
});

describe("drift as a choice", { timeout: 300_000 }, () => {
  const nightly = () => ({
    ...onGithub({ commit: "f".repeat(40) }),
    GITHUB_REF_NAME: "main",
    GITHUB_WORKSPACE: desk.folder,
  });

  test("who moved is told for each field: the app, the code, or both", async () => {
    const before = desk.read("landform.yaml");
    await desk.edits("Offer", { "hero.title": "Title by the app", "hero.cta.text": "Button by the app" });
    desk.code("hero.cta.text: Choose yours", "hero.cta.text: Button by the code");
    desk.code("glazed in four colours", "glazed in five colours");
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

    await cleanOutputOf(ci("plan", onGithub({ pull: 17, head: FIRST }), "--refresh"));
    expect(host.ours(17)[0]?.body).toMatch(/hero\.cta\.text.*Button by the app.*Button by the code/);
    await desk.says(1, "up", "--refresh", "--yes");
    await desk.up("--refresh", "--foreign-edits", "include");
    expect((await ci("drift", nightly(), "--full", "--detailed-exitcode")).code).toBe(0);
    desk.write("landform.yaml", before);
    await desk.applies();
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
  desk.code("hero.title: Fresher", "hero.title: On GitLab");
  expect((await ci("plan", onGitlab({ pull: 21, head: "4".repeat(40) }))).code).toBe(0);
  expect((await ci("plan", onGitlab({ pull: 21, head: "5".repeat(40) }))).code).toBe(0);
  expect(host.ours(21)).toHaveLength(1);
  host.merged(21, "5".repeat(40), "6".repeat(40));
  expect(await cleanOutputOf(ci("apply", onGitlab({ commit: "6".repeat(40) })))).toContain("merge request !21");
});
