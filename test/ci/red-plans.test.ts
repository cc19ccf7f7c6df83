/** A request's check is red if its apply is sure to fail: at the faulty line, or by the limit for deletions. */
import { beforeAll, expect, test } from "vitest";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { type Ended, outputOf } from "../cli/harness.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { sampledTable } from "../suite/parts.ts";
import { CodeHost, type Pull } from "./code-host.ts";
import { aboutPull, aboutRequest, eventIn, githubJob, gitlabJob, type Variables } from "./jobs.ts";

const MERGE = "1".repeat(40);

const desk = forAllTests(() => NearDesk.open());
const host = forAllTests(() => CodeHost.open());
beforeAll(() => mkdirSync(desk.path("shop")));

const HEADS = { github: "a".repeat(40), gitlab: "b".repeat(40) };

const state = (): Variables => ({ PULUMI_BACKEND_URL: `file://${desk.folder}` });

function job(forge: "github" | "gitlab", args: readonly string[]): Promise<Ended> {
  const head = HEADS[forge];
  const isApply = args[0] === "apply";
  const ofForge = {
    github: () =>
      githubJob(host, {
        ...eventIn(desk, isApply ? {} : aboutPull(12, head)),
        GITHUB_SHA: MERGE,
        GITHUB_WORKSPACE: desk.folder,
      }),
    gitlab: () =>
      gitlabJob(host, {
        ...(isApply ? {} : aboutRequest(12, head)),
        CI_COMMIT_SHA: MERGE,
        CI_PROJECT_DIR: desk.folder,
      }),
  };
  const env = { ...ofForge[forge](), ...state() };
  return desk.run(["ci", ...args, "-C", "shop", "--plans", "plans"], { env });
}

/** Leaves the one request. */
function asks(forge: "github" | "gitlab", parts: Partial<Pull> = {}): Pull {
  host.pulls.length = 0;
  return host.pull(12, { head: HEADS[forge], ...parts });
}

const MUGS = `landform: 1
name: shop
products:
  mug: { each: { file: mugs.csv, key: key }, price: "\${each.price}", description: "\${each.text}" }
`;

const manifest = (products: number): string =>
  JSON.stringify({
    ...{ landform: 1, name: "shop" },
    products: Object.fromEntries(Array.from({ length: products }, (_, index) => [`mug-${index}`, { price: 2 }])),
  });

test("an unknown property has an annotation at its line", async () => {
  desk.write("shop/landform.yaml", "landform: 1\npages:\n  p: { titel: x }\n");
  asks("github");
  const { code, stderr } = await job("github", ["plan"]);
  expect(code, stderr).toBe(4);
  expect(stderr).toMatch(/^::error file=shop\/landform\.yaml,line=3::pages\.p has no property "titel"/m);
});

test("a finding of --fail-on: 1 at its cell, and no plan is kept", async () => {
  desk.write("shop/landform.yaml", MUGS);
  desk.write("shop/mugs.csv", "key,price,text\na,12.5,Gem\u00c3\u00bcse\n");
  asks("github");
  const { code, stderr } = await job("github", ["plan", "--fail-on", "error"]);
  expect(code, stderr).toBe(1);
  expect(stderr).toMatch(/^::error file=shop\/mugs\.csv,line=2::.*\[garbled-text\]/m);
  expect(existsSync(desk.path("shop/plans"))).toBe(false);
  expect(await outputOf(3, job("github", ["plan"]))).toContain("[garbled-text]");
  desk.write("shop/mugs.csv", "key,price,text\na,12.5,A IRM\u00c3\u201d\n");
  expect(await outputOf(0, job("github", ["plan"]))).toContain("[garbled-text]");
});

sampledTable(
  ["github", "gitlab"] as const,
  1,
  (forge) => `too many deletions on ${forge}: 3, and with the label applied`,
  async (forge) => {
    rmSync(desk.path("shop/plans"), { recursive: true, force: true });
    desk.write("shop/landform.yaml", manifest(12));
    await desk.saysWith(state(), 0, "up", "--yes", "-C", "shop");
    desk.write("shop/landform.yaml", manifest(5));
    const pull = asks(forge);
    expect(await outputOf(3, job(forge, ["plan"]))).toMatch(/deletes 7 of 12 resources[^]*landform:allow-deletes/);
    pull.labels = ["landform:allow-deletes"];
    await outputOf(0, job(forge, ["plan"]));
    asks(forge, { merged: true, mergeCommit: MERGE, commits: [MERGE] });
    await outputOf(0, job(forge, ["apply"]));
    expect(desk.emulator.records()["products"]).toHaveLength(5);
    expect((await job(forge, ["plan", "--detailed-exitcode"])).code).toBe(0);
  },
  120_000,
);
