import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { byHand, calls, LONG, openWorld, ResourceTest, type World } from "./harness.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.emulator.faults.clear();
  calls(world);
});

const declared = { description: LONG, context: LONG };

test("a project is created under a marker and renamed at the end", async () => {
  const project = new ResourceTest(world, "project", "spring");
  expect(await project.apply(declared)).toBe("created");
  expect(calls(world)).toEqual(["GET /search/projects", "POST /projects", `PATCH /projects/${project.id}`]);
  expect(project.outputs).toMatchObject({ name: "spring", description: LONG, context: LONG, active: true });
});

test.each([
  ["name", "Summer"],
  ["description", `${LONG} more`],
  ["context", `${LONG} more`],
])("a changed %s sends one PATCH with that field alone", async (field, value) => {
  const project = new ResourceTest(world, "project", `change-${field}`);
  await project.apply(declared);
  calls(world);
  expect(await project.apply({ ...declared, [field]: value })).toBe("updated");
  const [request] = world.emulator.requests.filter(({ method }) => method === "PATCH");
  expect(request?.body).toEqual({ [field]: value });
  expect(project.outputs[field]).toBe(value);
});

test("drift is found by refresh and repaired by the next apply", async () => {
  const project = new ResourceTest(world, "project", "drift");
  await project.apply(declared);
  await byHand(world, "PATCH", `/projects/${project.id}`, { name: "By hand" });
  expect(await project.refresh()).toBe(true);
  expect(project.state?.inputs).toMatchObject({ name: "By hand", description: LONG });
  expect(await project.apply(declared)).toBe("updated");
  expect(project.outputs["name"]).toBe("drift");
});

test("a project that is gone is noticed, and made again", async () => {
  const project = new ResourceTest(world, "project", "gone");
  await project.apply(declared);
  await byHand(world, "DELETE", `/projects/${project.id}`);
  expect(await project.refresh()).toBe(false);
  expect(await project.apply(declared)).toBe("created");
});
