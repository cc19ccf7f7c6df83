import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, calls, nextRun, PROJECT, ResourceTest, applied, worldOfAll } from "./harness.ts";
import { changeTable, refreshPlansNothing, unique, writes, type Change, type Declared, type Write } from "./table.ts";

const world = worldOfAll();
let projectId: string;
let otherProjectId: string;
let first: string;
let second: string;
let third: string;

const project = async (): Promise<string> => (await applied(world, "project", unique("project"), PROJECT)).id;
const page = async (name: string): Promise<string> => (await applied(world, "page", name, {})).id;

beforeAll(async () => {
  [projectId, otherProjectId] = [await project(), await project()];
  [first, second, third] = [await page("first"), await page("second"), await page("third")];
});

const presell = (pageId: string): PropertyMap => ({ pageId, pageType: "presell" });
const pay = { url: "https://pay.example/now", pageType: "checkout" };
const patch = (fields: Record<string, unknown>): Write[] => [["PATCH /funnels", { funnel_id: "ID", ...fields }]];
const base = () => ({ projectId, steps: [presell(first), presell(second)] });

const intoOther = (from: Declared): Change => ({
  ...{ input: "projectId", from, to: () => ({ projectId: otherProjectId }), outcome: "replaced" },
  sends: [["POST /funnels"], ["PATCH /funnels"], ["PATCH /funnels"]],
});
const withSteps = (steps: () => PropertyMap[]): Change => ({
  ...{ input: "steps", to: () => ({ steps: steps() }), sends: () => patch({ pages: steps() }) },
});

changeTable({ kind: "funnel", world: () => world, base }, [
  { input: "name", to: { name: "Spring" }, sends: patch({ name: "Spring" }) },
  intoOther({}),
  intoOther({ projectId: undefined }),
  withSteps(() => [presell(second), presell(first)]),
  withSteps(() => [presell(first), pay, { pageId: third, pageType: "thankyou" }]),
  withSteps(() => [presell(first), { pageId: second, pageType: "sales" }]),
]);

describe("a service that stores page ids", () => {
  beforeEach(() => {
    world.emulator.notShown.funnelPages = "ids";
  });

  test("no phantom change, though the types of the steps are not shown", async () => {
    const declared = { projectId, steps: [presell(first), { pageId: second, pageType: "thankyou" }] };
    const funnel = await applied(world, "funnel", unique("ids"), declared);
    expect(funnel.outputs).toMatchObject({ pages: [first, second], pageIds: `${first},${second}` });
    await refreshPlansNothing(funnel, declared);
    await refreshPlansNothing(funnel, declared);
    expect(await funnel.apply({ ...declared, steps: [...declared.steps].reverse() })).toBe("updated");
  });

  test("another order by hand is found and repaired", async () => {
    const declared = base();
    const funnel = await applied(world, "funnel", unique("ids"), declared);
    const pages = [presell(second), presell(first)];
    await byHand(world, "PATCH", "/funnels", { funnel_id: funnel.id, pages });
    await funnel.refresh();
    calls(world);
    expect(await funnel.apply(declared)).toBe("updated");
    expect(writes(world, funnel.id)).toEqual(patch({ pages: declared.steps }));
    await refreshPlansNothing(funnel, declared);
  });
});

describe("retirement", () => {
  const old = async (inputs?: PropertyMap): Promise<ResourceTest> =>
    applied(world, "funnel", unique("old"), inputs ?? { projectId: await project(), steps: [presell(first)] });
  const retired = patch({ name: expect.stringContaining("[retired by landform]"), pages: [] });

  test("deletion renames and empties the funnel; deleted twice it is the same", async () => {
    const funnel = await old();
    const { state, id } = funnel;
    calls(world);
    await funnel.delete();
    expect(writes(world, id)).toEqual(retired);
    funnel.state = state;
    await funnel.delete();
    expect(writes(world)).toEqual([]);
  });

  test("a retirement that fails leaves the funnel ours: it is retired later, whoever changes it in between", async () => {
    const funnel = await old();
    const { id } = funnel;
    world.emulator.faults.add({ method: "PATCH", path: "/funnels", phase: "status", status: 403 });
    await expect(funnel.delete()).rejects.toThrow("403");
    await byHand(world, "PATCH", "/funnels", { funnel_id: id, name: "Theirs", pages: [presell(second)] });
    calls(world);
    await funnel.delete();
    expect(writes(world, id)).toEqual(retired);
  });

  test("two funnels made at once take two different retired ones, and a third is created", async () => {
    const inputs = { projectId: await project(), steps: [presell(first)] };
    const funnels = [await old(inputs), await old(inputs)];
    const ids = funnels.map(({ id }) => id);
    for (const funnel of funnels) await funnel.delete();
    calls(world);
    const next = [1, 2, 3].map(() => new ResourceTest(world, "funnel", unique("next")));
    await nextRun(world, async (client) => {
      await Promise.all(next.map((funnel) => funnel.handTo(client).up(inputs)));
      for (const funnel of next) await refreshPlansNothing(funnel, inputs);
    });
    expect(world.emulator.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(new Set(next.map(({ id }) => id)).size).toBe(3);
    expect(next.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
  });

  test("a retired funnel of another project, or of none, is left alone", async () => {
    const funnel = await applied(world, "funnel", unique("elsewhere"), { projectId: await project(), steps: [] });
    const { id } = funnel;
    await funnel.delete();
    const next = await applied(world, "funnel", unique("elsewhere"), { projectId: await project(), steps: [] });
    expect(next.id).not.toBe(id);
  });
});
