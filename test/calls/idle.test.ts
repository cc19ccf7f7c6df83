/** An up that would change and record nothing ends with its preview. One that records something doesn't. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/harness.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { WalkDesk } from "../walk/desk.ts";

const project = {
  name: "Spring",
  description: "A project of a test that is about what is recorded, and about nothing else.",
  context: "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3),
};

async function openUp(
  more: object,
): Promise<{ desk: WalkDesk; state: () => string; up: (declared: object) => Promise<string> }> {
  const desk = await WalkDesk.open();
  onTestFinished(() => desk.close());
  const state = (): string => readFileSync(join(desk.folder, ".pulumi/stacks/idle/dev.json"), "utf8");
  const up = async (declared: object): Promise<string> => {
    desk.declare({ landform: 1, name: "idle", ...declared });
    desk.emulator.requests.length = 0;
    const { code, printed, report } = await desk.run("up", "--yes", "-s", "dev");
    expect(code, printed).toBe(0);
    expect(report.command).toBe("up");
    return printed;
  };
  await up({ projects: { spring: project }, ...more });
  return { desk, state, up };
}

test("nothing is called, and nothing recorded", async () => {
  const { desk, state, up } = await openUp({ outputs: { id: "projects.spring.id" } });
  const before = state();
  const printed = await up({ projects: { spring: project }, outputs: { id: "projects.spring.id" } });
  expect(printed).toContain("no changes, 1 unchanged");
  expect(printed).toContain(desk.state()[0]?.id);
  expect(desk.emulator.requests).toEqual([]);
  expect(state()).toBe(before);
});

test.each([
  ["an output", {}, { outputs: { id: "projects.spring.id" } }],
  ["an output that goes", { outputs: { id: "projects.spring.id" } }, {}],
  ["another value", { outputs: { id: "projects.spring.id" } }, { outputs: { id: "projects.spring.name" } }],
])("%s is recorded, though no resource changes", async (_, then, now) => {
  const { state, up } = await openUp(then);
  const outputs = (): unknown =>
    (JSON.parse(state()) as { checkpoint: { latest: { resources: { outputs?: unknown }[] } } }).checkpoint.latest
      .resources[0]?.outputs;
  const before = outputs();
  await up({ projects: { spring: project }, ...now });
  expect(outputs()).not.toEqual(before);
});

test("an option is recorded", async () => {
  const { state, up } = await openUp({});
  await up({ projects: { spring: { ...project, options: { protect: true } } } });
  expect(state()).toContain('"protect":true');
  await up({ projects: { spring: project } });
  expect(state()).not.toContain('"protect"');
});

onBothEngines((engine, path) => {
  thorough("an up without changes runs the program once", async () => {
    const desk = await Desk.open();
    onTestFinished(() => desk.close());
    const runs = join(desk.folder, "runs.txt");
    const env = { PATH: path(desk.env["PATH"] ?? "") };
    const up = async (options = ""): Promise<number> => {
      desk.program(`
        (await import("node:fs")).appendFileSync(${JSON.stringify(runs)}, ".");
        export const { id } = new landform.Page("a", { tags: ["1"] }, {${options}});
      `);
      rmSync(runs, { force: true });
      const { code, stdout, stderr } = await desk.run(["up", "--yes", "--engine", engine], { env });
      expect(code, stdout + stderr).toBe(0);
      return existsSync(runs) ? readFileSync(runs, "utf8").length : 0;
    };
    expect(await up()).toBe(2);
    expect(await up()).toBe(1);
    for (const options of ["protect: true", "retainOnDelete: true"]) {
      expect(await up(options)).toBe(2);
      expect(await up(options)).toBe(1);
    }
  });
});
