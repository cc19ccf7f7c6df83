// @module-tag thorough
/** Previews from a request's opening to its end, against the emulator and a stand-in of the code hosts. */
import { existsSync } from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { textsOf } from "../reports/texts.ts";
import { partsOf } from "../../ci/note.ts";
import { cleanOutputOf, outputOf, type Ended } from "../cli/harness.ts";
import { forAllTests } from "../suite/opened.ts";
import type { Pull } from "./code-host.ts";
import { gitlabJob, type Variables } from "./jobs.ts";
import { OBJECTS, PreviewDesk } from "./preview-desk.ts";

const previews = forAllTests(() => PreviewDesk.open());
beforeEach(() => previews.forget());

describe("on GitHub", () => {
  test("a request gets its preview, told beside its plan in one comment", async () => {
    const twelve = previews.pull(12);
    const env = previews.event(twelve, "opened");
    await cleanOutputOf(previews.desk.run(["ci", "plan", "--stack", "prod"], { env }));
    await previews.job(twelve, "opened");
    const [comment, ...others] = previews.host.ours(12);
    expect(others).toEqual([]);
    expect(partsOf(comment?.body ?? "").plan).toContain("No changes");
    expect(previews.told(12)).toMatch(/- Page offer http\S+\/pr-12-\w{10}\/offer \(now: http\S+\/offer\)/);
    expect(previews.desk.read("outputs")).toMatch(/\nurl<<(end-[\w-]+)\nhttp\S+\/story\n\1\n/);
    expect(previews.previewed()).toHaveLength(OBJECTS);
    expect(previews.told(12)).toContain("with 1 funnel ");
  });

  test("a push: the same comment", async () => {
    const [twelve] = previews.host.pulls as [Pull];
    twelve.head = "a".repeat(40);
    previews.desk.code("A mug worth getting up for", "A mug to keep");
    // The objects of the branch say nothing about a named request.
    await previews.job(twelve, "synchronize", "--pr", "12", "--head", twelve.head, "--branch", "not-there");
    expect(previews.host.ours(12)).toHaveLength(1);
  });

  test("a job of its end that comes after it was opened again takes nothing away", async () => {
    const [twelve] = previews.host.pulls as [Pull];
    expect(await outputOf(0, previews.preview(previews.event(twelve, "closed")))).toContain(
      "pull request #12 is open again",
    );
    expect(previews.previewed()).toHaveLength(OBJECTS);
  });

  test("closed, with code that is broken and a code host that takes nothing: it goes all the same", async () => {
    const [twelve] = previews.host.pulls as [Pull];
    twelve.closed = true;
    previews.desk.code("landform: 1", "landform: [");
    // The wrong passphrase fails the removal, and the report is of a removal.
    const wrong = { ...previews.event(twelve, "closed"), PULUMI_CONFIG_PASSPHRASE: "wrong" };
    const failed = await previews.preview(wrong, "--json");
    expect([failed.code, failed.stderr]).toEqual([4, expect.stringContaining("passphrase")]);
    expect(JSON.parse(failed.stdout)).toMatchObject({ command: "destroy", result: "failed", stack: "pr-12" });
    previews.host.fails("/issues/", 403, { times: 99 });
    const refused = await outputOf(0, previews.preview(previews.event(twelve, "closed")));
    expect(refused).toContain("the note could not be written");
    expect(previews.previewed()).toEqual([]);
    previews.host.faults.length = 0;
    await previews.job(twelve, "closed", "--json", "gone.json");
    expect(previews.desk.report("gone.json")).toMatchObject({ command: "destroy", result: "succeeded" });
    expect(previews.told(12)).toContain("is gone");
    previews.desk.code("landform: [", "landform: 1");
  });

  test("a job of a push that comes after the end deploys nothing", async () => {
    const [twelve] = previews.host.pulls as [Pull];
    previews.desk.writes();
    await previews.job(twelve, "synchronize");
    expect([previews.desk.writes(), previews.previewed()]).toEqual([[], []]);
  });

  test("closed while it is deployed: it goes again, and the one report on standard output is of that", async () => {
    const sixteen = previews.pull(16);
    previews.desk.writes();
    const child = previews.preview(previews.event(sixteen, "opened"), "--json");
    await vi.waitFor(() => expect(previews.desk.writes()).not.toEqual([]), { timeout: 20_000, interval: 5 });
    sixteen.closed = true;
    const { code, stdout, stderr } = await child;
    expect([code, previews.previewed("pr-16-")]).toEqual([0, []]);
    expect(stderr).toContain("pr-16 is gone");
    expect(JSON.parse(stdout)).toMatchObject({ command: "destroy", result: "succeeded", stack: "pr-16" });
    expect(previews.told(16)).toContain("16 was closed meanwhile");
  });

  test("of what a push changes: those pages, then what leads to them; without a change there is none", async () => {
    const seventeen = previews.pull(17);
    const [kept, given] = ["A mug worth getting up for", "A mug to give"];
    previews.desk.code("A mug to keep", kept);
    const job = (): Promise<string> => cleanOutputOf(previews.ofChange(previews.event(seventeen, "synchronize")));
    const before = JSON.stringify(previews.desk.emulator.records()["pages"]);
    await job();
    expect(previews.told(17)).toContain("Preview `pr-17`: none");
    expect(previews.desk.read("outputs")).toContain("skipped");
    previews.desk.code(kept, given);
    await job();
    const told = previews.told(17);
    expect(told).toMatch(/\*\*Pages that the code changes\*\*\n\n- .*\/pr-17-\w{10}\/offer /);
    expect(told).toContain("2 other pages stay the public ones");
    expect(previews.desk.read("outputs")).toMatch(/\nurl<<(end-[\w-]+)\nhttp\S+\/offer\n\1\n/);
    previews.desk.code(given, kept);
    await job();
    expect(previews.told(17)).toContain("Preview `pr-17`: none");
    expect(JSON.stringify(previews.desk.emulator.records()["pages"])).toBe(before);
    expect(previews.previewed("pr-17-")).toEqual([]);
  });

  test("an error before its base is known stands in the plan's comment, and goes with the next good run", async () => {
    const nineteen = previews.pull(19);
    const env = previews.event(nineteen, "opened");
    const plan = (): Promise<Ended> => previews.desk.run(["ci", "plan", "--stack", "prod"], { env });
    // This job finds the base by itself, and its code is broken before it looks.
    const preview = (): Promise<Ended> => previews.desk.run(["ci", "preview", "--all"], { env });
    previews.desk.code("landform: 1", "landform: [");
    expect((await preview()).code).toBe(4);
    expect(previews.host.ours(19)).toHaveLength(1);
    expect(previews.told(19)).toContain("could not be deployed");
    expect((await plan()).code).toBe(4);
    expect((await preview()).code).toBe(4);
    const [broken, ...others] = previews.host.ours(19);
    expect([Object.keys(partsOf(broken?.body ?? "")), others]).toEqual([["plan", "preview"], []]);
    previews.desk.code("landform: [", "landform: 1");
    await cleanOutputOf(plan());
    await cleanOutputOf(preview());
    const [whole, ...more] = previews.host.ours(19);
    expect([whole?.body.split("\n")[0], more]).toEqual([broken?.body.split("\n")[0], []]);
    expect(previews.told(19)).not.toContain("could not be deployed");
    nineteen.closed = true;
    await previews.job(nineteen, "closed");
  });

  test("an error that stands alone goes with the next good run, and as the request closes", async () => {
    const [stays, ends] = [previews.pull(23), previews.pull(24)];
    const job = (pull: Pull, action: string): Promise<Ended> =>
      previews.desk.run(["ci", "preview", "--all"], { env: previews.event(pull, action) });
    previews.desk.code("landform: 1", "landform: [");
    for (const one of [stays, ends]) expect((await job(one, "opened")).code).toBe(4);
    ends.closed = true;
    expect((await job(ends, "closed")).code).toBe(0);
    previews.desk.code("landform: [", "landform: 1");
    await cleanOutputOf(job(stays, "synchronize"));
    for (const { number } of [stays, ends]) {
      expect(previews.host.ours(number)).toHaveLength(1);
      expect(previews.told(number)).not.toContain("could not be deployed");
    }
    expect(previews.host.ours(23)[0]?.body).toMatch(/^<!-- landform:plan:[\w.-]+\/prod -->/);
    stays.closed = true;
    await previews.job(stays, "closed");
  });

  test("a fork gets none: said by name, and nothing fails", async () => {
    const thirteen = previews.pull(13, { fork: "mallory/funnels" });
    previews.desk.writes();
    const said = await outputOf(0, previews.preview(previews.event(thirteen, "opened"), "--json", "none.json"));
    expect(said).toContain("pull request #13 comes from mallory/funnels");
    expect([previews.desk.writes(), previews.host.ours(13)]).toEqual([[], []]);
    expect(previews.desk.read("outputs")).toContain("skipped");
    const report = previews.desk.report<Report>("none.json");
    expect(report.result).toBe("succeeded");
    expect(textsOf(report, "note")).toEqual([expect.stringContaining("mallory/funnels")]);
  });
});

describe("what the close job missed", () => {
  const nightly = () => ({
    ...previews.event(previews.host.pulls[0] as Pull, ""),
    GITHUB_EVENT_NAME: "schedule",
    GITHUB_EVENT_PATH: "",
  });
  const gc = (): Promise<Ended> => previews.desk.run(["env", "gc", "--yes"], { env: nightly() });

  test("a failed list ends no preview; the preview of a closed request goes, and its comment says so", async () => {
    const fifteen = previews.pull(15);
    expect((await previews.preview(previews.event(fifteen, "opened"))).code).toBe(0);
    fifteen.merged = true;
    previews.host.fails("GET /repos/acme/funnels/pulls", 403, { times: 1 });
    expect(await outputOf(1, gc())).toContain("kept       pr-15: GET");
    expect(previews.previewed()).toHaveLength(OBJECTS);
    expect(await cleanOutputOf(gc())).toContain("reclaimed  pr-15, closed");
    expect(previews.previewed()).toEqual([]);
    expect(previews.told(15)).toContain("its request was closed, or its branch was deleted");
  });
});

test("on GitLab: the address for its environment, and its end", async () => {
  const head = "e".repeat(40);
  previews.pull(21, { head });
  const job = (more: Variables = {}): Variables =>
    gitlabJob(previews.host, {
      CI_COMMIT_SHA: head,
      CI_MERGE_REQUEST_IID: "21",
      CI_MERGE_REQUEST_PROJECT_ID: "12",
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "12",
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "red",
      ...more,
    });
  await cleanOutputOf(previews.preview(job(), "--dotenv", "preview.env"));
  expect(previews.desk.read("preview.env")).toMatch(
    /^LANDFORM_PREVIEW_STACK=pr-21\nLANDFORM_PREVIEW_URL=http\S+\/story\n$/,
  );
  await cleanOutputOf(previews.preview(job({ CI_ENVIRONMENT_ACTION: "stop" })));
  expect(previews.previewed()).toEqual([]);
  expect(previews.told(21)).toMatch(/is gone[^]*emptied and retired: Funnel /);
  const foreign = await previews.preview(job({ CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99" }));
  expect([foreign.code, existsSync(previews.desk.path("preview.env"))]).toEqual([0, true]);
  expect(foreign.stderr).toContain("merge request !21 comes from 99");
});
