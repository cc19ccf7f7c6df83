import { describe, expect, test } from "vitest";
import { calls, madeForAll, makeByHand, ResourceTest, UNKNOWN, applied, worldOfAll } from "./harness.ts";
import { changeTable, refreshPlansNothing, unique, writes, type Setting } from "./table.ts";

const world = worldOfAll();
const project = madeForAll(world, "project", "sites");
const otherProject = madeForAll(world, "project", "other");
const within = () => ({ projectId: project.id });

const setting: Setting = { kind: "site", world: () => world, base: () => ({ ...within(), description: "One" }) };
const refused = (field: string): { refused: RegExp } => ({
  refused: new RegExp(`Site "[^"]+", ${field}: the API can't change a site. .*replaceOnChange: true`),
});

changeTable(setting, [
  { input: "name", to: { name: "other.example" }, outcome: refused("name") },
  { input: "description", to: { description: "Two" }, outcome: refused("description") },
  { input: "description", from: { description: undefined }, to: {}, outcome: refused("description") },
  { input: "projectId", to: () => ({ projectId: otherProject.id }), outcome: refused("projectId") },
  { input: "projectId", from: { projectId: undefined }, to: {}, outcome: refused("projectId") },
  { input: "reuse", to: { reuse: false }, outcome: "same" },
  { input: "replaceOnChange", to: { replaceOnChange: true }, outcome: "same" },
  {
    ...{ input: "replaceOnChange", outcome: "replaced", sends: [["POST /sites"]], removal: "required" },
    from: () => ({ name: unique("from") }),
    to: () => ({ name: unique("to"), replaceOnChange: true }),
  },
]);

test("the refusal comes at preview, from diff, with the reason and the remedies", async () => {
  const site = await applied(world, "site", unique("preview"), within());
  calls(world);
  await expect(site.diff({ projectId: otherProject.id })).rejects.toThrow(
    "projectId: the API can't change a site. Restore the old value, change it in the app, leave it out with ignoreChanges, or set replaceOnChange: true to make a new site (the old one stays in the account)",
  );
  expect(await site.diff({ projectId: UNKNOWN })).toMatchObject({ changes: "some", replaceKeys: [] });
  expect(calls(world).filter((call) => !call.startsWith("GET"))).toEqual([]);
});

describe("a site of that name exists", () => {
  const existing = (name: string, project?: string): Promise<string> =>
    makeByHand(world, "/sites", { name, ...(project !== undefined && { project_id: project }) });

  test("it is taken over, whatever its case, and nothing is sent", async () => {
    const name = unique("taken.example");
    const id = await existing(name.toUpperCase(), project.id);
    const site = await applied(world, "site", name, within());
    expect(site.id).toBe(id);
    expect(writes(world)).toEqual([]);
    await refreshPlansNothing(site, within());
  });

  test("only the exact name counts", async () => {
    const name = unique("exact.example");
    const id = await existing(`${name}.com`);
    const site = await applied(world, "site", name, {});
    expect(site.id).not.toBe(id);
  });

  test("two of the name are an error that names both ids, and adoptId decides", async () => {
    const name = unique("twin.example");
    const ids = [await existing(name), await existing(name)];
    const site = new ResourceTest(world, "site", name);
    await expect(site.up({})).rejects.toThrow(
      `There are 2 sites named "${name}" (${ids.join(" and ")}), so Landform can't tell which one you mean. Set adoptId to one of these ids.`,
    );
    expect(writes(world)).toEqual([]);
    await site.apply({ adoptId: ids[1] ?? "" });
    expect(site.id).toBe(ids[1]);
    expect(writes(world)).toEqual([]);
  });

  test("reuse: false forbids to take it over", async () => {
    const name = unique("forbidden.example");
    await existing(name);
    const site = new ResourceTest(world, "site", name);
    await expect(site.up({ reuse: false })).rejects.toThrow(/exists already .*reuse: false/);
    expect(writes(world)).toEqual([]);
  });

  test("of another project: taken over with a warning, since the API can't move it", async () => {
    const name = unique("moved.example");
    await existing(name, otherProject.id);
    await applied(world, "site", name, within());
    expect(world.printed.join("\n")).toContain(`belongs to project ${otherProject.id}, not ${project.id}`);
  });

  test("two resources that want the same site are told at check", async () => {
    const name = unique("claimed.example");
    await new ResourceTest(world, "site", "one").check({ name });
    await expect(new ResourceTest(world, "site", "two").check({ name })).rejects.toThrow(
      `the site "${name}" is declared by "one" too`,
    );
  });
});

test("deletion leaves the site and says so", async () => {
  const site = await applied(world, "site", unique("stays.example"), within());
  const { id } = site;
  calls(world);
  await site.delete();
  expect(writes(world)).toEqual([]);
  expect(world.printed.join("\n")).toMatch(
    new RegExp(`Site ".*" \\(${id}\\) stays in the account: the API can't delete`),
  );
});
