import { expect, test } from "vitest";
import { byHand, calls, LONG, ResourceTest, applied, worldOfAll } from "./harness.ts";
import { changeTable, unique, type Setting } from "./table.ts";

const world = worldOfAll();

const declared = { description: LONG, context: LONG };
const setting: Setting = { kind: "project", world: () => world, base: () => declared };

test("a project is created under a marker and renamed at the end", async () => {
  const project = new ResourceTest(world, "project", "spring");
  expect(await project.apply(declared)).toBe("created");
  expect(calls(world)).toEqual(["GET /search/projects", "POST /projects", `PATCH /projects/${project.id}`]);
  expect(project.outputs).toMatchObject({ name: "spring", description: LONG, context: LONG, active: true });
});

const more = `${LONG} more`;
changeTable(setting, [
  {
    input: "name",
    to: () => ({ name: "Summer" }),
    outcome: "updated",
    sends: () => [["PATCH /projects/ID", { name: "Summer" }]],
  },
  {
    input: "description",
    to: () => ({ description: more }),
    outcome: "updated",
    sends: () => [["PATCH /projects/ID", { description: more }]],
    removal: "required",
  },
  {
    input: "context",
    to: () => ({ context: more }),
    outcome: "updated",
    sends: () => [["PATCH /projects/ID", { context: more }]],
    removal: "required",
  },
]);

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
