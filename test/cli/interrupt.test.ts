// @module-tag thorough
/** Ctrl-C, and the next run after it. On Pulumi's engine a cancelled job (cancelled.test.ts) shows the same in CI. */
import { existsSync, readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { Desk } from "./harness.ts";
import { BRIEF } from "./manifests.ts";
import { forEachTest } from "../suite/opened.ts";

const SLOWLY = { timeout: 60_000 };
const desk = forEachTest(() => Desk.open());

/** Each waits for the one before. */
function fourProjects(context: string): string {
  const project = `new landform.Project("p" + i, { description: "${BRIEF}", context: "${context}" }, i > 0 ? { dependsOn: [all[i - 1]] } : {})`;
  return `const all: landform.Project[] = [];\nfor (let i = 0; i < 4; i++) all.push(${project});`;
}

beforeEach(() => desk.program(fourProjects(BRIEF)));

/** Resolves when so many creations have begun, by the run's own record. */
async function untilCreating(count: number): Promise<void> {
  const journal = desk.path(".pulumi/stacks/test/dev.journal");
  const begun = () => (existsSync(journal) ? readFileSync(journal, "utf8").split('"creating"').length - 1 : 0);
  while (begun() < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s once: what is under way ends and is saved, and nothing new begins",
  async (signal) => {
    desk.emulator.faults.add({ method: "POST", path: "/projects", phase: "slow", delayMs: 1_500, skip: 1 });
    const { child, ended, told } = desk.begin(["up", "--yes"]);
    await untilCreating(2);
    child.kill(signal);
    expect(await ended).toBe(1);
    for (const said of ["Stopping: nothing new is begun", "created Project p1", "Stopped before its end"])
      expect(told()).toContain(said);
    expect(told()).not.toContain("created Project p2");
    expect(await desk.up()).toContain("2 created, 2 unchanged");
  },
);

test("twice: it stops at once, and the next run finds what was under way", async () => {
  desk.emulator.faults.add({ method: "POST", path: "/projects", phase: "slow", delayMs: 6_000 });
  const { child, ended, told } = desk.begin(["up", "--yes"]);
  await untilCreating(1);
  child.kill("SIGINT");
  await expect.poll(told, SLOWLY).toContain("Stopping:");
  child.kill("SIGINT");
  expect(await ended).toBe(1);
  expect(told()).toContain("Stopping at once");
  const report = await desk.json("up", "--yes");
  expect(report.pending).toMatchObject([{ operation: "creating" }]);
  expect(report.pending[0]?.outcome).toContain("creates");
  const projects = desk.emulator.requests.filter(({ method, route }) => method === "POST" && route === "/projects");
  expect(projects).toHaveLength(4);
});

/** Kills a run before the service has answered its first creation. No list shows the new object. */
async function killWhileCreating(): Promise<void> {
  desk.emulator.faults.add({ method: "POST", path: "/projects", phase: "slow", delayMs: 60_000 });
  const { child, ended } = desk.begin(["up", "--yes"]);
  await expect.poll(() => desk.rows("projects"), SLOWLY).not.toEqual([]);
  child.kill("SIGKILL");
  await ended;
  desk.emulator.faults.clear();
  for (const path of ["/projects", "/search/projects"])
    desk.emulator.faults.add({ method: "GET", path, phase: "altered", list: "empty", times: Infinity });
}

/** Counts the looks for a lost creation by its marker. */
function looks(): number {
  const searches = desk.emulator.requests.filter(({ route }) => route === "/search/projects");
  return searches.filter(({ path }) => path.includes("lf-")).length;
}

test("what a killed creation may have made is waited for once: later runs look, and don't wait", async () => {
  await killWhileCreating();
  desk.also.env = { LANDFORM_PATIENCE_MS: "2500" };
  await desk.up();
  const waited = looks();
  expect(waited).toBeGreaterThan(3);
  await desk.program(fourProjects(BRIEF.toUpperCase())).up();
  // One look for the plan, and one after it.
  expect(looks() - waited).toBe(2);
});

test("a look that waits ends with the run that is interrupted, and is made again by the next one", async () => {
  await killWhileCreating();
  desk.program("");
  const { child, ended, told } = desk.begin(["up", "--yes"], { LANDFORM_PATIENCE_MS: "600000" });
  await expect.poll(told, SLOWLY).toContain("Looking for leftovers of an interrupted run");
  child.kill("SIGTERM");
  expect(await ended).toBe(1);
  expect(told()).toContain("Stopping");
  expect(told()).toContain("Landform did not finish looking for leftovers");
  desk.emulator.faults.clear();
  const next = await desk.up();
  expect(next).toContain("Removed project");
  expect(next).not.toContain("not looked into");
  expect(desk.rows("projects")).toEqual([]);
});
