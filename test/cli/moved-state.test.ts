// @module-tag thorough
/** A stack moves to another place: the import makes it there, and no object is made twice. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { SYSTEM_PATH, outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";

const desk = forEachTest(() => NearDesk.open(undefined, { seed: "empty" }));
beforeEach(() => {
  desk.declare(JSON.stringify({ landform: 1, name: "test", products: { mug: { name: "Mug", price: 2 } } }));
});

async function moves(url: string, env: Record<string, string>, ...args: string[]): Promise<void> {
  const here = (...command: string[]) => desk.run([...command, ...args], { env });
  const there = (command: string[], more = {}) =>
    desk.run([...command, ...args], { env: { ...env, PULUMI_BACKEND_URL: url, ...more } });
  expect((await here("up", "--yes")).code).toBe(0);
  expect((await here("state", "export", "--file", "state.json")).code).toBe(0);
  const settings = desk.read("Pulumi.dev.yaml");
  rmSync(desk.path("Pulumi.dev.yaml"));

  expect(await outputOf(4, there(["output"]))).toMatch(/no stack "dev" .* npx landform state import/s);
  const planned = await there(["preview"]);
  expect(planned.stdout + planned.stderr).toContain("has a state of test/dev with 1 resources, and");
  await there(["stack", "rm", "dev", "--yes"]);
  rmSync(desk.path("Pulumi.dev.yaml"), { force: true });

  desk.write("other.json", desk.read("state.json").replaceAll("::test::", "::other::"));
  for (const [file, more] of [
    ["other.json", {}],
    ["state.json", { PULUMI_CONFIG_PASSPHRASE: "wrong" }],
  ] as const) {
    await outputOf(4, there(["state", "import", "--file", file], more));
    expect((await there(["stack", "ls"])).stdout).toContain("test has no stack");
    expect(existsSync(desk.path("Pulumi.dev.yaml"))).toBe(false);
  }
  expect(await outputOf(0, there(["state", "import", "--file", "state.json"]))).toContain("note: the stack is new in ");
  expect(desk.read("Pulumi.dev.yaml")).toBe(settings);
  expect(await outputOf(0, there(["up", "--yes"]))).toContain("no changes");
  expect((await there(["preview", "--detailed-exitcode"])).code).toBe(0);
  expect(desk.rows("products")).toHaveLength(1);

  expect((await there(["history"])).stdout).toContain("LANDFORM_HISTORY names the history");
  await outputOf(0, there(["undo", "--yes"], { LANDFORM_HISTORY: desk.path(".pulumi/landform/history") }));
  expect(desk.rows("products")).toHaveLength(0);
}

onBothEngines((engine, path) => {
  test.skipIf(leftToSoak(engine))("to another folder", async () => {
    mkdirSync(desk.path("there"));
    await moves(`file://${desk.path("there")}`, { PATH: path(SYSTEM_PATH) }, "--engine", engine);
  });
});
