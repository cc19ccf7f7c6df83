/** One answer never proves that an object is gone: the search of its kind confirms a "not found" by id. */
import { describe, expect, test } from "vitest";
import { byHand, calls, ResourceTest, worldOfAll } from "./harness.ts";
import { examplesOfAll, inputsFor, type ExampleName } from "./kinds.ts";
import { unique } from "./table.ts";

const world = worldOfAll({}, { LANDFORM_PATIENCE_MS: "300" });
const examples = examplesOfAll(world);

async function applied(name: ExampleName): Promise<[ResourceTest, string]> {
  const logical = unique(name);
  const resource = new ResourceTest(world, examples[name].kind, logical);
  await resource.apply(inputsFor(examples[name], logical));
  return [resource, logical];
}

function lost(name: ExampleName, id: string, times: number): void {
  const path = `${examples[name].path ?? ""}/${id}`;
  world.emulator.faults.add({ method: "GET", path, phase: "status", status: 404, times });
}

const NAMES: ExampleName[] = ["project", "page", "copy", "quiz", "funnel", "product", "site", "videoPlayer"];
describe.each(NAMES)("%s", (name) => {
  test("one answer that it is not found forgets nothing", async () => {
    const [resource, logical] = await applied(name);
    const { id } = resource;
    lost(name, id, 1);
    expect(await resource.refresh()).toBe(true);
    expect((await resource.diff(inputsFor(examples[name], logical))).changes).toBe("none");
    expect(resource.id).toBe(id);
    const asked = calls(world).filter((call) => call === `GET ${examples[name].path ?? ""}/${id}`);
    expect(asked.length).toBeGreaterThan(name === "product" ? 0 : 1);
  });

  if (name === "product") return;
  test("while its search shows it, it stays in the state, and the contradiction is told", async () => {
    const [resource] = await applied(name);
    lost(name, resource.id, Infinity);
    await expect(resource.refresh()).rejects.toThrow(
      /^GET \S+: the service answered 404 .*, and yet its search shows \w+ \w+.* It stays in the state\. Run again later/,
    );
    expect(resource.state).toBeDefined();
  });
});

test("a list that lags behind a deletion is waited for", async () => {
  const [page] = await applied("page");
  const { id, state } = page;
  world.emulator.notShown.listLagMs = 150;
  await byHand(world, "DELETE", `/pages/${id}`);
  page.state = state;
  expect(await page.refresh()).toBe(false);
});

test("a funnel is not taken for deleted by one answer that it is not found", async () => {
  const [funnel] = await applied("funnel");
  const { id } = funnel;
  lost("funnel", id, 1);
  await funnel.delete();
  expect(await byHand(world, "GET", `/funnels/${id}`)).toMatchObject({
    name: expect.stringMatching(/\[retired by landform\]$/) as string,
  });
});
