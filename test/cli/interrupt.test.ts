// @module-tag thorough
/** Ctrl-C, and the next run after it. On Pulumi's engine a cancelled job (cancelled.test.ts) shows the same in CI. */
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { Desk } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);
const desk = forEachTest(() => Desk.open());

/** Each waits for the one before. */
function fourProjects(context: string): string {
  const project = `new landform.Project("p" + i, { description: "${LONG}", context: "${context}" }, i > 0 ? { dependsOn: [all[i - 1]] } : {})`;
  return `const all: landform.Project[] = [];\nfor (let i = 0; i < 4; i++) all.push(${project});`;
}

beforeEach(() => desk.program(fourProjects(LONG)));

/** Resolves when so many creations have begun, by the run's own record. */
async function untilCreating(count: number): Promise<void> {
  const journal = desk.path(".pulumi/stacks/test/dev.journal");
  const begun = () => (existsSync(journal) ? readFileSync(journal, "utf8").split('"creating"').length - 1 : 0);
  while (begun() < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("once: what is under way ends and is saved, and nothing new begins", async () => {
  desk.emulator.faults.add({ method: "POST", path: "/projects", phase: "slow", delayMs: 1_500, skip: 1 });
  const child = desk.start(["up", "--yes"]);
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => (out += String(data)));
  child.stderr?.on("data", (data) => (err += String(data)));
  await untilCreating(2);
  child.kill("SIGINT");
  const [code] = (await once(child, "close")) as [number];
  expect(err).toContain("Stopping: nothing new is begun");
  expect(out).toContain("created Project p1");
  expect(out).not.toContain("created Project p2");
  expect(out).toContain("Stopped before its end");
  expect(code).toBe(1);
  expect(await desk.up()).toContain("2 created, 2 unchanged");
});

test("twice: it stops at once, and the next run finds what was under way", async () => {
  desk.emulator.faults.add({ method: "POST", path: "/projects", phase: "slow", delayMs: 6_000 });
  const child = desk.start(["up", "--yes"]);
  let err = "";
  child.stderr?.on("data", (data) => (err += String(data)));
  child.stdout.resume();
  await untilCreating(1);
  child.kill("SIGINT");
  while (!err.includes("Stopping:")) await once(child.stderr ?? child, "data");
  child.kill("SIGINT");
  const [code] = (await once(child, "close")) as [number];
  expect(err).toContain("Stopping at once");
  expect(code).toBe(1);
  const next = await desk.run(["up", "--yes", "--json"]);
  expect(next.code).toBe(0);
  const report = JSON.parse(next.stdout) as { pending: { operation: string; outcome: string }[] };
  expect(report.pending).toMatchObject([
    { operation: "creating", outcome: expect.stringContaining("creates") as string },
  ]);
  const projects = desk.emulator.requests.filter(({ method, route }) => method === "POST" && route === "/projects");
  expect(projects).toHaveLength(4);
});

/** Resolves when the service has made a project, though its answer is not there yet. */
async function untilMade(): Promise<void> {
  while ((desk.emulator.records().projects ?? []).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Kills a run before the service has answered its first creation. No list shows the new object. */
async function killWhileCreating(): Promise<void> {
  desk.emulator.faults.add({ method: "POST", path: "/projects", phase: "slow", delayMs: 60_000 });
  const child = desk.start(["up", "--yes"]);
  await untilMade();
  child.kill("SIGKILL");
  await once(child, "close");
  desk.emulator.faults.clear();
  for (const path of ["/projects", "/search/projects"])
    desk.emulator.faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
}

/** Counts the looks for a lost creation by its marker. */
function looks(): number {
  return desk.emulator.requests.filter(({ route, path }) => route === "/search/projects" && path.includes("lf-"))
    .length;
}

test("what a killed creation may have made is waited for once: later runs look, and don't wait", async () => {
  await killWhileCreating();
  const patient = { env: { LANDFORM_PATIENCE_MS: "2500" } };
  expect((await desk.run(["up", "--yes"], patient)).code).toBe(0);
  const waited = looks();
  expect(waited).toBeGreaterThan(3);
  desk.program(fourProjects(LONG.toUpperCase()));
  const next = await desk.run(["up", "--yes"], patient);
  // One look for the plan, and one after it.
  expect([next.code, looks() - waited]).toEqual([0, 2]);
});

test("a look that waits ends with the run that is interrupted, and is made again by the next one", async () => {
  await killWhileCreating();
  desk.program("");
  const child = desk.start(["up", "--yes"], { env: { LANDFORM_PATIENCE_MS: "600000" } });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data) => (out += String(data)));
  child.stderr?.on("data", (data) => (err += String(data)));
  while (!out.includes("Looking for leftovers of an interrupted run")) await once(child.stdout, "data");
  child.kill("SIGTERM");
  const [code] = (await once(child, "close")) as [number];
  expect([code, err.includes("Stopping")]).toEqual([1, true]);
  expect(out).toContain("Landform did not finish looking for leftovers");
  desk.emulator.faults.clear();
  const { stdout } = await desk.run(["up", "--yes"]);
  expect(stdout).toContain("Removed project");
  expect(stdout).not.toContain("not looked into");
  expect(desk.emulator.records().projects).toEqual([]);
});
