// @module-tag thorough
/** Previews from a request's opening to its end, against the emulator and a stand-in of the code hosts. */
import { existsSync } from "node:fs";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { textsOf } from "../reports/texts.ts";
import { partsOf } from "../../ci/note.ts";
import type { Desk, Ended } from "../cli/harness.ts";
import type { CodeHost, Pull } from "./code-host.ts";
import { OBJECTS, PreviewDesk } from "./preview-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { outputOf } from "../cli/harness.ts";

const previews = forAllTests(() => PreviewDesk.open());
let desk: Desk;
let host: CodeHost;

beforeAll(() => {
  ({ desk, host } = previews);
});

beforeEach(() => previews.forget());

const pull: PreviewDesk["pull"] = (...args) => previews.pull(...args);
const event: PreviewDesk["event"] = (...args) => previews.event(...args);
const preview: PreviewDesk["preview"] = (...args) => previews.preview(...args);
const told: PreviewDesk["told"] = (...args) => previews.told(...args);
const previewed = (): string[] => previews.previewed();

describe("on GitHub", () => {
  test("a request gets its preview, told beside its plan in one comment", async () => {
    const twelve = pull(12);
    const plan = await desk.run(["ci", "plan", "--stack", "prod"], { env: event(twelve, "opened") });
    expect([plan.code, plan.stderr]).toEqual([0, ""]);
    const { code, stderr } = await preview(event(twelve, "opened"));
    expect([code, stderr]).toEqual([0, ""]);
    expect(host.ours(12)).toHaveLength(1);
    expect(partsOf(host.ours(12)[0]?.body ?? "").plan).toContain("No changes");
    expect(told(12)).toMatch(/- Page offer http\S+\/pr-12-\w{10}\/offer \(now: http\S+\/offer\)/);
    expect(desk.read("outputs")).toMatch(/\nurl<<(end-[\w-]+)\nhttp\S+\/story\n\1\n/);
    expect(previewed()).toHaveLength(OBJECTS);
  });

  test("a push: the same comment", async () => {
    const [twelve] = host.pulls;
    if (twelve === undefined) throw new Error("no request");
    Object.assign(twelve, { head: "a".repeat(40) });
    desk.edit("landform.yaml", "A mug worth getting up for", "A mug to keep");
    // The objects of the branch say nothing about a named request.
    const named = ["--pr", "12", "--head", twelve.head, "--branch", "not-there"];
    const { code, stderr } = await preview(event(twelve, "synchronize"), ...named);
    expect([code, stderr]).toEqual([0, ""]);
    expect(host.ours(12)).toHaveLength(1);
  });

  test("a job of its end that comes after it was opened again takes nothing away", async () => {
    const [twelve] = host.pulls as [Pull];
    expect(await outputOf(0, preview(event(twelve, "closed")))).toContain("pull request #12 is open again");
    expect(previewed()).toHaveLength(OBJECTS);
  });

  test("closed, with code that is broken and a code host that takes nothing: it goes all the same", async () => {
    const [twelve] = host.pulls as [Pull];
    twelve.closed = true;
    desk.edit("landform.yaml", "landform: 1", "landform: [");
    // The wrong passphrase fails the removal, and the report is of a removal.
    const wrong = { ...event(twelve, "closed"), PULUMI_CONFIG_PASSPHRASE: "wrong" };
    const failed = await preview(wrong, "--json");
    expect([failed.code, failed.stderr]).toEqual([4, expect.stringContaining("passphrase")]);
    expect(JSON.parse(failed.stdout)).toMatchObject({ command: "destroy", result: "failed", stack: "pr-12" });
    host.faults.push({ path: "/issues/", times: 99, reply: { status: 403, body: { message: "no" } } });
    const refused = await outputOf(0, preview(event(twelve, "closed")));
    expect(refused).toContain("the note could not be written");
    expect(previewed()).toEqual([]);
    host.faults.length = 0;
    const again = await preview(event(twelve, "closed"), "--json", "gone.json");
    expect([again.code, again.stderr]).toEqual([0, ""]);
    expect(JSON.parse(desk.read("gone.json"))).toMatchObject({ command: "destroy", result: "succeeded" });
    expect(told(12)).toContain("is gone");
    desk.edit("landform.yaml", "landform: [", "landform: 1");
  });

  test("a job of a push that comes after the end deploys nothing", async () => {
    const [twelve] = host.pulls as [Pull];
    desk.writes();
    const late = await preview(event(twelve, "synchronize"));
    expect([late.code, late.stderr]).toEqual([0, ""]);
    expect([desk.writes(), previewed()]).toEqual([[], []]);
  });

  test("closed while it is deployed: it goes again, and the one report on standard output is of that", async () => {
    const sixteen = pull(16);
    desk.writes();
    const child = preview(event(sixteen, "opened"), "--json");
    await vi.waitFor(() => expect(desk.writes()).not.toEqual([]), { timeout: 20_000, interval: 5 });
    sixteen.closed = true;
    const { code, stdout, stderr } = await child;
    expect([code, previews.previewed("pr-16-")]).toEqual([0, []]);
    expect(stderr).toContain("pr-16 is gone");
    expect(JSON.parse(stdout)).toMatchObject({ command: "destroy", result: "succeeded", stack: "pr-16" });
    expect(told(16)).toContain("16 was closed meanwhile");
  });

  test("a fork gets none: said by name, and nothing fails", async () => {
    const thirteen = pull(13, { fork: "mallory/funnels" });
    desk.writes();
    expect(await outputOf(0, preview(event(thirteen, "opened"), "--json", "none.json"))).toContain(
      "pull request #13 comes from mallory/funnels",
    );
    expect([desk.writes(), host.ours(13)]).toEqual([[], []]);
    expect(desk.read("outputs")).toContain("skipped");
    const report = JSON.parse(desk.read("none.json")) as Report;
    expect(report.result).toBe("succeeded");
    expect(textsOf(report, "note")).toEqual([expect.stringContaining("mallory/funnels")]);
  });
});

describe("what the close job missed", () => {
  const nightly = () => ({ ...event(host.pulls[0] as Pull, ""), GITHUB_EVENT_NAME: "schedule", GITHUB_EVENT_PATH: "" });
  const gc = (): Promise<Ended> => desk.run(["env", "gc", "--yes"], { env: nightly() });

  test("a failed list ends no preview; the preview of a closed request goes, and its comment says so", async () => {
    const fifteen = pull(15);
    expect((await preview(event(fifteen, "opened"))).code).toBe(0);
    fifteen.merged = true;
    host.faults.push({ path: "GET /repos/acme/funnels/pulls", times: 1, reply: { status: 403, body: {} } });
    expect(await outputOf(1, gc())).toContain("kept       pr-15: GET");
    expect(previewed()).toHaveLength(OBJECTS);
    const { code, stdout, stderr } = await gc();
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("reclaimed  pr-15, closed")]);
    expect(previewed()).toEqual([]);
    expect(told(15)).toContain("its request was closed, or its branch was deleted");
  });
});

test("on GitLab: the address for its environment, and its end", async () => {
  pull(21, { head: "e".repeat(40) });
  const job = (more: Record<string, string> = {}) => ({
    GITLAB_CI: "true",
    CI_API_V4_URL: `${host.url}/api/v4`,
    CI_PROJECT_ID: "12",
    CI_COMMIT_SHA: "e".repeat(40),
    CI_MERGE_REQUEST_IID: "21",
    CI_MERGE_REQUEST_PROJECT_ID: "12",
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "12",
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: "red",
    GITLAB_TOKEN: "job-token",
    ...more,
  });
  const up = await preview(job(), "--dotenv", "preview.env");
  expect([up.code, up.stderr]).toEqual([0, ""]);
  expect(desk.read("preview.env")).toMatch(/^LANDFORM_PREVIEW_STACK=pr-21\nLANDFORM_PREVIEW_URL=http\S+\/story\n$/);
  const stopped = await preview(job({ CI_ENVIRONMENT_ACTION: "stop" }));
  expect([stopped.code, stopped.stderr, previewed()]).toEqual([0, "", []]);
  expect(told(21)).toContain("is gone");
  const foreign = await preview(job({ CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99" }));
  expect([foreign.code, existsSync(desk.path("preview.env"))]).toEqual([0, true]);
  expect(foreign.stderr).toContain("merge request !21 comes from 99");
});
