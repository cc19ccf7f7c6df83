import { describe, expect, test } from "vitest";
import { record, refused } from "./expectations.ts";
import { makeFunnel, makePage, makeProduct, makeProject, makeSite, missingId, projectBody } from "./fixtures.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();
const withoutPlan = await openTarget({ plan: null, seed: "empty" });

test("POST /projects creates an active project and answers its context", async () => {
  const body = projectBody();
  expect(await makeProject(target, body)).toMatchObject({ ...body, active: true });
});

describe("PATCH /projects/{projectId}", () => {
  test("changes only the fields that were sent, and answers the context", async () => {
    const project = await makeProject(target);
    const answer = await target.record("updateProject", { at: project.id, body: { name: "Renamed" } });
    expect(answer).toMatchObject({ name: "Renamed", description: project.description, context: project.context });
    expect((await target.record("getProject", { at: project.id })).name).toBe("Renamed");
  });

  test.each(["description", "context"])("changes the %s", async (field) => {
    const project = await makeProject(target);
    const value = "Another text, long enough for the minimum of either field. ".repeat(5);
    const answer = await target.call("updateProject", { at: project.id, body: { [field]: value } });
    expect(record("Project", answer)[field]).toBe(value);
    expect(record("Project", answer).name).toBe(project.name);
  });

  test("refuses a project that does not exist", async () =>
    refused(await target.call("updateProject", { at: missingId, body: { name: "x" } })));
});

describe("DELETE /projects/{projectId}", () => {
  const inUse = { status: 409, code: "project_in_use" };

  test.each([
    ["page", makePage, "deletePage"],
    ["product", makeProduct, "deleteProduct"],
  ] as const)("refuses while a %s references it, and only then", async (_, make, remove) => {
    const project = await target.record("createProject", { body: projectBody() });
    const user = await make(target, { project_id: project.id });
    refused(await target.call("deleteProject", { at: project.id }), inUse);
    expect((await target.record("getProject", { at: project.id })).id).toBe(project.id);
    await target.record(remove, { at: user.id });
    await target.record("deleteProject", { at: project.id });
  });

  // Nothing deletes sites and funnels, so on a foreign server the project would stay behind.
  test.runIf(ownServer).each([
    ["site", makeSite],
    ["funnel", makeFunnel],
  ] as const)("refuses while a %s references it", async (_, make) => {
    const project = await makeProject(target);
    await make(target, { project_id: project.id });
    refused(await target.call("deleteProject", { at: project.id }), inUse);
  });

  test("a page that moves to another project frees this one", async () => {
    const [from, to] = [await makeProject(target), await makeProject(target)];
    const page = await makePage(target, { project_id: from.id });
    await target.record("updatePageMetadata", { body: { page_id: page.id, project_id: to.id } });
    await target.record("deleteProject", { at: from.id });
    refused(await target.call("deleteProject", { at: to.id }), inUse);
  });
});

test.runIf(ownServer)("a project needs a paid plan", async () => {
  refused(await withoutPlan.call("createProject", { body: projectBody() }));
});
