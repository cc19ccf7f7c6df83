/** A project is deleted last: the objects that keep it from going, and its state if it has to stay. */
import { beforeEach, expect, test } from "vitest";
import { byHand, calls, makeByHand, nextRun, PROJECT, type ResourceTest, applied, worldOfAll } from "./harness.ts";
import { unique } from "./table.ts";

const world = worldOfAll({}, { LANDFORM_PATIENCE_MS: "2500" });
let project: ResourceTest;
beforeEach(async () => {
  project = await applied(world, "project", unique("project"), PROJECT);
  calls(world);
});

const named = (id: string): Promise<{ name: string }[]> => byHand(world, "GET", `/search/projects?project_id=${id}`);
const make = (kind: "page" | "funnel" | "site", name: string): Promise<ResourceTest> =>
  applied(world, kind, name, { projectId: project.id });

test.each(["page", "product", "funnel"])("a %s of somebody else holds it back, by name and id", async (kind) => {
  const id = await makeByHand(world, `/${kind}s`, { name: "Theirs", project_id: project.id });
  await expect(project.delete()).rejects.toThrow(
    `Project ${project.id} is still in use (DELETE /projects/${project.id}: project_in_use): ${kind} "Theirs" (${id}). Delete or move these first, then run again.`,
  );
  expect(project.state).toBeDefined();
  expect(await named(project.id)).toHaveLength(1);
});

test("only sites and retired funnels left: it stays, with a warning that names them, and the deletion succeeds", async () => {
  const site = await make("site", unique("kept.example"));
  const funnel = await make("funnel", unique("old"));
  const { id } = project;
  const [siteId, funnelId] = [site.id, funnel.id];
  await funnel.delete();
  await site.delete();
  await project.delete();
  const said = (): string => world.printed.join("\n");
  await expect.poll(said).toContain(`(${funnelId})`);
  expect(said()).toContain(`Project ${id} stays in the account, because these stay and belong to it: site`);
  expect(said()).toContain(`(${siteId}), retired funnel`);
});

test("what stayed is taken over by the next creation, with all that is in it", async () => {
  const site = await make("site", unique("again.example"));
  const { id } = project;
  const { name } = project.outputs;
  const siteId = site.id;
  await site.delete();
  await project.delete();
  expect(await named(id)).toMatchObject([{ name }]);
  await nextRun(world, async (client) => {
    expect(await project.handTo(client).apply(PROJECT)).toBe("created");
    expect(await site.handTo(client).apply({ projectId: project.id })).toBe("created");
  });
  expect([project.id, site.id]).toEqual([id, siteId]);
  expect(await named(id)).toMatchObject([{ name: project.outputs["name"] }]);
});

test("an adopted project that stays keeps its name", async () => {
  const name = unique("theirs");
  const id = await makeByHand(world, "/projects", { name, ...PROJECT });
  await makeByHand(world, "/sites", { name: unique("theirs.example"), project_id: id });
  const adopted = await applied(world, "project", unique("adopted"), { adoptId: id, name });
  await adopted.delete();
  expect(await named(id)).toMatchObject([{ name }]);
});

test("its own page was deleted in this run and lists still show it: tried again until the service follows", async () => {
  const page = await make("page", unique("page"));
  const { id } = project;
  await page.delete();
  const path = "/projects/{projectId}";
  world.emulator.faults.add({ method: "DELETE", path, phase: "status", status: 409, times: 3 });
  world.emulator.notShown.listLagMs = 60_000;
  await project.delete();
  expect(calls(world).filter((call) => call === `DELETE /projects/${id}`)).toHaveLength(4);
  world.emulator.notShown.listLagMs = 0;
  expect(await named(id)).toEqual([]);
});
