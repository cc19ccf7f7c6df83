import { expect, test } from "vitest";
import { byHand, calls, LONG, PROJECT as declared, applied, worldOfAll } from "./harness.ts";
import { changeTable, unique, type Change, type Setting } from "./table.ts";

const world = worldOfAll();

const setting: Setting = { kind: "project", world: () => world, base: () => declared };

test("a project is created under a marker and renamed at the end", async () => {
  const project = await applied(world, "project", "spring", declared);
  expect(calls(world)).toEqual(["GET /search/projects", "POST /projects", `PATCH /projects/${project.id}`]);
  expect(project.outputs).toMatchObject({ name: "spring", description: LONG, context: LONG, active: true });
});

const more = `${LONG} more`;
const change = (input: string, value: string): Change => ({
  ...{ input, to: { [input]: value }, sends: [["PATCH /projects/ID", { [input]: value }]] },
  ...(input !== "name" && { removal: "required" }),
});
changeTable(setting, [change("name", "Summer"), change("description", more), change("context", more)]);

test("a context that the service shows drifts like any other field", async () => {
  world.emulator.notShown.projectContextOnRead = true;
  const project = await applied(world, "project", unique("context"), declared);
  await byHand(world, "PATCH", `/projects/${project.id}`, { context: more });
  await project.refresh();
  expect(project.state?.inputs?.["context"]).toBe(more);
  expect(await project.apply(declared)).toBe("updated");
  world.emulator.notShown.projectContextOnRead = false;
  await project.refresh();
  expect((await project.diff(declared)).changes).toBe("none");
});
