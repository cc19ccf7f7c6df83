// @module-tag thorough
/**
 * The whole way of a change on both engines: a request with its comment, the merge, the apply of the reviewed plan, an edit by hand, the issue about
 * it, a request that keeps it, and its merge. Nothing is left to do then.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Json } from "../../engine/index.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { getContentMap } from "../../provider/lookups/index.ts";
import { type Ended, outputOf } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { CodeHost } from "./code-host.ts";

onBothEngines((engine, path) => {
  let desk: NearDesk;
  let host: CodeHost;
  beforeEach(async () => {
    desk = await NearDesk.open("quickstart-yaml");
    host = await CodeHost.open();
    return async () => {
      await host.close();
      await desk.close();
    };
  });
  afterEach(async () => {
    expect(
      await outputOf(
        0,
        desk.run(["preview", "--engine", engine, "--refresh", "--detailed-exitcode"], {
          env: runner({}),
        }),
      ),
    ).toContain("no changes");
  });

  function runner(event: object, commit = "f".repeat(40)): Record<string, string> {
    desk.write("event.json", JSON.stringify(event));
    return {
      PATH: path(desk.env["PATH"] ?? ""),
      GITHUB_ACTIONS: "true",
      PULUMI_BACKEND_URL: `file://${desk.folder}`,
      GITHUB_API_URL: host.url,
      GITHUB_REPOSITORY: "acme/funnels",
      GITHUB_EVENT_PATH: desk.path("event.json"),
      GITHUB_SHA: commit,
      GITHUB_REF_NAME: "main",
      GITHUB_WORKSPACE: desk.folder,
      GITHUB_TOKEN: "job-token",
    };
  }

  function job(verb: string, args: readonly string[], env: Record<string, string>): Promise<Ended> {
    return desk.run(["ci", verb, "--engine", engine, ...args], { env });
  }

  /** Plans a request at a commit, as a job checks it out, and returns the comment. */
  async function reviewed(number: number, head: string): Promise<string> {
    for (const pull of host.pulls) if (pull.number === number) pull.head = head;
    const pull_request = { number, head: { sha: head, repo: { full_name: "acme/funnels" } } };
    const { code, stdout, stderr } = await job("plan", ["--plans", "plans"], runner({ pull_request }));
    expect([code, stderr], stdout).toEqual([0, ""]);
    const [comment, ...others] = host.ours(number);
    expect(others).toEqual([]);
    return comment?.body ?? "";
  }

  function merged(number: number, head: string, commit: string): Promise<Ended> {
    const pull = { number, head, merged: true, mergeCommit: commit, commits: [commit] };
    const open = host.pulls.find((one) => one.number === number);
    if (open === undefined) host.pulls.push(pull);
    else Object.assign(open, pull);
    return job("apply", ["--plans", "plans"], runner({}, commit));
  }

  const night = (): Promise<Ended> => job("drift", ["--full", "--detailed-exitcode"], runner({}));

  /** Edits a title by hand, and returns the old one. */
  async function byHand(title: Json): Promise<Json> {
    const api = new LandformApi(desk.emulator);
    const pageId = (await api.pages.list()).find(({ page_name: name }) => name === "Offer")?.id ?? "";
    const { content } = await getContentMap(api, { pageId });
    await api.pages.updateContent({ page_id: pageId, updates: { "hero.title": title } });
    await api.close();
    return content["hero.title"] ?? "";
  }

  const [HEAD, KEEPS, MERGE, KEPT] = ["a", "b", "1", "2"].map((sign) => sign.repeat(40)) as [
    string,
    string,
    string,
    string,
  ];
  const run = leftToSoak(engine) ? test.skip : test;

  run("reviewed, merged, edited by hand, kept, merged: nothing is left", async () => {
    expect(await reviewed(1, HEAD)).toMatch(/5 to create[^]*A mug worth getting up for/);
    expect(desk.writes()).toEqual([]);
    const first = await merged(1, HEAD, MERGE);
    expect([first.code, first.stderr], first.stdout).toEqual([0, ""]);
    expect(host.ours(1)[0]?.body).toContain("5 created");
    expect((await night()).code).toBe(0);

    await byHand("By hand");
    desk.writes();
    for (let count = 0; count < 2; count++) {
      const found = await night();
      expect([found.code, found.stderr], found.stdout).toEqual([2, ""]);
    }
    expect(desk.writes()).toEqual([]);
    expect(host.issues.map(({ state, labels }) => [state, labels])).toEqual([["open", ["landform-drift"]]]);
    expect(host.issues[0]?.body).toMatch(/^Drift at commit `f{12}`$[^]*1 resource has drifted[^]*By hand/m);
    const before = desk.read("landform.yaml");
    await outputOf(0, desk.run(["drift", "--engine", engine, "--write", "--full"], { env: runner({}) }));
    expect(desk.read("landform.yaml")).toBe(before.replace("A mug worth getting up for", "By hand"));
    await reviewed(2, KEEPS);
    const second = await merged(2, KEEPS, KEPT);
    expect([second.code, second.stderr], second.stdout).toEqual([0, ""]);
    const settled = await night();
    expect([settled.code, host.issues[0]?.state], settled.stdout).toEqual([0, "closed"]);
  });

  run("a colleague's edit between review and merge: refused, and applied once it is gone", async () => {
    await reviewed(1, HEAD);
    expect((await merged(1, HEAD, MERGE)).code).toBe(0);
    desk.edit("landform.yaml", "A mug worth getting up for", "A mug to keep");
    await reviewed(2, KEEPS);
    const there = await byHand("By a colleague");
    desk.writes();
    expect(await outputOf(3, merged(2, KEEPS, KEPT))).toContain("By a colleague");
    expect(host.ours(2)[0]?.body).toContain("By a colleague");
    expect(desk.writes()).toEqual([]);
    await byHand(there);
    const applied = await merged(2, KEEPS, KEPT);
    expect([applied.code, applied.stderr], applied.stdout).toEqual([0, ""]);
  });
});
