/** Rules for the life of every kind: deletion, missing objects, and adoption. */
import { beforeAll, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { byHand, calls, LONG, openHost, PROJECT, type ProviderClient, ResourceTest, worldOfAll } from "./harness.ts";
import { countOf, examplesOfAll, inputsFor, type ExampleName } from "./kinds.ts";
import { refreshPlansNothing, unique, writes } from "./table.ts";

const world = worldOfAll();
const examples = examplesOfAll(world);

async function applied(name: ExampleName, logical = unique(name)): Promise<ResourceTest> {
  const resource = new ResourceTest(world, examples[name].kind, logical);
  expect(await resource.apply(inputsFor(examples[name], logical))).toBe("created");
  return resource;
}

describe.each<ExampleName>(["project", "page", "copy", "quiz", "funnel", "product"])("%s", (name) => {
  /** Its object is gone, and the state still has it. */
  async function gone(): Promise<{ resource: ResourceTest; logical: string; id: string }> {
    const logical = unique(name);
    const resource = await applied(name, logical);
    const { id, state } = resource;
    await resource.delete();
    resource.state = state;
    return { resource, logical, id };
  }

  test("deleted when it is already gone", async () => {
    const { resource } = await gone();
    await resource.delete();
    expect(resource.state).toBeUndefined();
  });

  test("gone out of band: refresh notices, and the next apply creates again", async () => {
    const { resource, logical, id } = await gone();
    expect(await resource.refresh()).toBe(false);
    expect(resource.state).toBeUndefined();
    expect(await resource.apply(inputsFor(examples[name], logical))).toBe("created");
    if (name !== "funnel") expect(resource.id).not.toBe(id);
    expect(await countOf(world, examples[name], logical)).toBe(1);
  });

  // A retired funnel still exists for everybody who knows its id.
  if (name === "funnel") return;
  test("gone while the state still has it: an update fails by name, and does not create a second one", async () => {
    const { resource, logical } = await gone();
    calls(world);
    await expect(resource.up({ ...inputsFor(examples[name], logical), name: "New" })).rejects.toThrow(
      /not.found|no such|There is no/i,
    );
    expect(writes(world).filter(([call]) => call.startsWith("POST"))).toEqual([]);
  });
});

describe("adoption", () => {
  /** Another program: two resources of one process can't have the same slug or site. */
  let other: ProviderClient;
  beforeAll(() => {
    const { host } = openHost(world.emulator);
    other = host.client;
    return () => host.close();
  });

  /** Adoption sends the inputs that no read shows, because nothing tells the object's values. */
  const HIDDEN = ["delay", "tags", "variants", "context", "description"];

  /** Makes a resource that takes over the object of a first one. */
  async function adopter(name: ExampleName) {
    const logical = unique(`${name}-adopted`);
    const origin = await applied(name, logical);
    const resource = new ResourceTest(world, examples[name].kind, unique("adopter")).handTo(other);
    const { named } = registry[examples[name].kind];
    const all = { ...(named && { name: logical }), ...inputsFor(examples[name], logical) };
    const shown = Object.fromEntries(Object.entries(all).filter(([key]) => !HIDDEN.includes(key)));
    const required: PropertyMap = name === "project" ? PROJECT : {};
    calls(world);
    const inputs: PropertyMap = { ...shown, ...required };
    return { resource, id: origin.id, inputs };
  }

  const ADOPTED: ExampleName[] = ["project", "page", "quiz", "funnel", "product", "site", "videoPlayer"];
  test.each(ADOPTED)("%s: what is as declared is taken over without a write", async (name) => {
    const { resource, id, inputs } = await adopter(name);
    expect(await resource.apply({ ...inputs, adoptId: id })).toBe("created");
    expect(resource.id).toBe(id);
    const blind = name === "project" ? [["PATCH /projects/ID", { context: LONG }]] : [];
    expect(writes(world, id)).toEqual(blind);
    await refreshPlansNothing(resource, { ...inputs, adoptId: id });
    expect(await resource.apply(inputs)).toBe("same");
    if (name === "videoPlayer") await resource.delete();
  });

  const differences: [ExampleName, string][] = [
    ["project", "PATCH /projects/ID"],
    ["page", "PATCH /pages/content"],
    ["quiz", "PATCH /pages/content"],
    ["funnel", "PATCH /funnels"],
    ["product", "PATCH /products"],
    ["videoPlayer", "PATCH /videos"],
  ];
  test.each(differences)("%s: only what differs is sent", async (name, call) => {
    const { resource, id, inputs } = await adopter(name);
    const declared = { ...inputs, ...examples[name].other };
    expect(await resource.apply({ ...declared, adoptId: id })).toBe("created");
    const [[first, body] = [""], ...rest] = writes(world, id);
    expect(first).toBe(call);
    expect(rest).toEqual(
      first === "PATCH /pages/content" ? [[expect.stringContaining("/pages/publish"), expect.anything()]] : [],
    );
    const sent = (body as { updates?: unknown }).updates ?? body;
    if (first === "PATCH /pages/content") expect(sent).toEqual({ "hero.text": "Other" });
    expect(sent).not.toHaveProperty("name");
    await refreshPlansNothing(resource, { ...declared, adoptId: id });
  });

  test.each(ADOPTED)("%s: an id that does not exist is an error, and nothing is created", async (name) => {
    const resource = new ResourceTest(world, examples[name].kind, unique("nobody")).handTo(other);
    const inputs = inputsFor(examples[name], unique("nobody"));
    calls(world);
    await expect(resource.up({ ...inputs, adoptId: "nobody" })).rejects.toThrow(
      /adoptId: there is no \w+ "nobody" in this account.*(Correct the id|remove adoptId)/,
    );
    expect(writes(world)).toEqual([]);
  });

  test.each<ExampleName>(["funnel", "site"])("%s: one of another project can't be moved here", async (name) => {
    const { resource, id, inputs } = await adopter(name);
    const project = new ResourceTest(world, "project", unique("elsewhere"));
    await project.apply(PROJECT);
    calls(world);
    await expect(resource.up({ ...inputs, projectId: project.id, adoptId: id })).rejects.toThrow(
      `projectId: ${name} "${id}" has "${inputs["projectId"] as string}", which can't be changed on an existing ${name}. Declare that value, or remove adoptId to create a new one.`,
    );
    expect(writes(world)).toEqual([]);
  });

  test("a retired funnel is not adopted", async () => {
    const { resource, id, inputs } = await adopter("funnel");
    await byHand(world, "PATCH", "/funnels", { funnel_id: id, name: "Old [retired by landform]", pages: [] });
    await expect(resource.up({ ...inputs, adoptId: id })).rejects.toThrow(/there is no funnel/);
  });

  test("a quiz is adopted by the id of the quiz, too", async () => {
    const { resource, id, inputs } = await adopter("quiz");
    const quiz = await byHand<{ id: string }>(world, "GET", `/quizzes/${id}`);
    expect(quiz.id).not.toBe(id);
    expect(await resource.apply({ ...inputs, adoptId: quiz.id })).toBe("created");
    expect(resource.id).toBe(id);
    expect(resource.outputs).toMatchObject({ pageId: id, quizId: quiz.id });
  });

  test("another adoptId replaces; two resources can't have the same", async () => {
    const { resource, id, inputs } = await adopter("product");
    await resource.apply({ ...inputs, adoptId: id });
    expect((await resource.diff({ ...inputs, adoptId: "another" })).replaceKeys).toEqual(["adoptId"]);
    await resource.check({ ...inputs, adoptId: id });
    const second = new ResourceTest(world, "product", unique("second")).handTo(other);
    await expect(second.check({ ...inputs, adoptId: id })).rejects.toThrow(
      /adoptId: the product with id ".*" is declared by "adopter-\d+" too; only one resource can have it/,
    );
  });
});
