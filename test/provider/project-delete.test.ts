/** A project is deleted last: the objects that keep it from going, and its state if it has to stay. */
import { beforeEach, expect, test } from "vitest";
import { byHand, calls, LONG, nextRun, openWorld, ResourceTest, applied } from "./harness.ts";
import { unique } from "./table.ts";
import { forAllTests } from "../suite/opened.ts";

const world = forAllTests(() => openWorld({}, { LANDFORM_PATIENCE_MS: "2500" }));
let project: ResourceTest;
beforeEach(async () => {
  world.emulator.faults.clear();
  world.emulator.notShown.listLagMs = 0;
  world.printed.length = 0;
  project = new ResourceTest(world, "project", unique("project"));
  await project.apply({ description: LONG, context: LONG });
  calls(world);
});

const exists = async (): Promise<boolean> => {
  const rows = (await byHand(world, "GET", `/search/projects?project_id=${project.id}`)) as unknown[];
  return rows.length > 0;
};

async function make(kind: "page" | "product" | "funnel" | "site", name: string): Promise<ResourceTest> {
  const made = await applied(world, kind, name, { projectId: project.id });
  return made;
}

test.each(["page", "product", "funnel"] as const)(
  "a %s that somebody else made holds it back, by name and id",
  async (kind) => {
    const body = { name: "Theirs", project_id: project.id };
    const { id } = (await byHand(world, "POST", `/${kind}s`, body)) as { id: string };
    await expect(project.delete()).rejects.toThrow(
      `Project ${project.id} is still in use (DELETE /projects/${project.id}: project_in_use): ${kind} "Theirs" (${id}). Delete or move these first, then run again.`,
    );
    expect(project.state).toBeDefined();
    expect(await exists()).toBe(true);
  },
);

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
  const siteName = unique("again.example");
  const site = await make("site", siteName);
  const inputs = { description: LONG, context: LONG };
  const { id } = project;
  const { name } = project.outputs;
  const siteId = site.id;
  await site.delete();
  await project.delete();
  const named = async (): Promise<string[]> => {
    const rows = (await byHand(world, "GET", `/search/projects?project_id=${id}`)) as { name: string }[];
    return rows.map(({ name }) => name);
  };
  expect(await named()).toEqual([name]);
  await nextRun(world, async (client) => {
    expect(await project.handTo(client).apply(inputs)).toBe("created");
    expect(await site.handTo(client).apply({ projectId: project.id })).toBe("created");
  });
  expect([project.id, site.id]).toEqual([id, siteId]);
  expect(await named()).toEqual([project.outputs["name"]]);
});

test("an adopted project that stays keeps its name", async () => {
  const body = { name: unique("theirs"), description: LONG, context: LONG };
  const { id } = (await byHand(world, "POST", "/projects", body)) as { id: string };
  await byHand(world, "POST", "/sites", { name: unique("theirs.example"), project_id: id });
  const adopted = await applied(world, "project", unique("adopted"), { adoptId: id, name: body.name });
  await adopted.delete();
  expect(await byHand(world, "GET", `/search/projects?project_id=${id}`)).toMatchObject([{ name: body.name }]);
});

test("its own page was deleted in this run and lists still show it: tried again until the service follows", async () => {
  const page = await make("page", unique("page"));
  const { id } = project;
  await page.delete();
  world.emulator.faults.add({
    method: "DELETE",
    path: "/projects/{projectId}",
    phase: "status",
    status: 409,
    times: 3,
  });
  world.emulator.notShown.listLagMs = 60_000;
  await project.delete();
  expect(calls(world).filter((call) => call === `DELETE /projects/${id}`)).toHaveLength(4);
  world.emulator.notShown.listLagMs = 0;
  expect((await byHand(world, "GET", `/search/projects?project_id=${id}`)) as unknown[]).toEqual([]);
});
