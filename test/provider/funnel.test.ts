import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, calls, LONG, nextRun, openWorld, ResourceTest, UNKNOWN, applied } from "./harness.ts";
import { changeTable, refreshPlansNothing, unique, writes, type Setting, type Write } from "./table.ts";
import { forAllTests } from "../suite/opened.ts";

const world = forAllTests(() => openWorld());
let projectId: string;
let otherProjectId: string;
let first: string;
let second: string;
let third: string;

async function project(): Promise<string> {
  const made = await applied(world, "project", unique("project"), { description: LONG, context: LONG });
  return made.id;
}

beforeAll(async () => {
  projectId = await project();
  otherProjectId = await project();
  const pages = ["first", "second", "third"].map((name) => new ResourceTest(world, "page", name));
  for (const page of pages) await page.apply({});
  [first = "", second = "", third = ""] = pages.map(({ id }) => id);
});
beforeEach(() => {
  world.emulator.faults.clear();
  world.emulator.notShown.funnelPages = "steps";
  calls(world);
});

const presell = (pageId: string): PropertyMap => ({ pageId, pageType: "presell" });
const pay = { url: "https://pay.example/now", pageType: "checkout" };
const patch = (fields: Record<string, unknown>) => (): Write[] => [["PATCH /funnels", { funnel_id: "ID", ...fields }]];
const setting: Setting = {
  kind: "funnel",
  world: () => world,
  base: () => ({ projectId, steps: [presell(first), presell(second)] }),
};

changeTable(setting, [
  { input: "name", to: () => ({ name: "Spring" }), outcome: "updated", sends: patch({ name: "Spring" }) },
  {
    input: "projectId",
    to: () => ({ projectId: otherProjectId }),
    outcome: "replaced",
    sends: () => [["POST /funnels"], ["PATCH /funnels"], ["PATCH /funnels"]],
  },
  {
    input: "projectId",
    from: () => ({ projectId: undefined }),
    to: () => ({ projectId: otherProjectId }),
    outcome: "replaced",
    sends: () => [["POST /funnels"], ["PATCH /funnels"], ["PATCH /funnels"]],
  },
  {
    input: "steps",
    to: () => ({ steps: [presell(second), presell(first)] }),
    outcome: "updated",
    sends: () => patch({ pages: [presell(second), presell(first)] })(),
  },
  {
    input: "steps",
    to: () => ({ steps: [presell(first), pay, { pageId: third, pageType: "thankyou" }] }),
    outcome: "updated",
    sends: () => patch({ pages: [presell(first), pay, { pageId: third, pageType: "thankyou" }] })(),
  },
  {
    input: "steps",
    to: () => ({ steps: [presell(first), { pageId: second, pageType: "sales" }] }),
    outcome: "updated",
    sends: () => patch({ pages: [presell(first), { pageId: second, pageType: "sales" }] })(),
  },
]);

describe("a service that stores page ids", () => {
  test("no phantom change, though the types of the steps are not shown", async () => {
    world.emulator.notShown.funnelPages = "ids";
    const funnel = new ResourceTest(world, "funnel", unique("ids"));
    const declared = { projectId, steps: [presell(first), { pageId: second, pageType: "thankyou" }] };
    await funnel.apply(declared);
    expect(funnel.outputs).toMatchObject({ pages: [first, second], pageIds: `${first},${second}` });
    await refreshPlansNothing(funnel, declared);
    await refreshPlansNothing(funnel, declared);
    expect(await funnel.apply({ ...declared, steps: [...declared.steps].reverse() })).toBe("updated");
  });

  test("another order by hand is found and repaired", async () => {
    world.emulator.notShown.funnelPages = "ids";
    const funnel = new ResourceTest(world, "funnel", unique("ids"));
    const declared = { projectId, steps: [presell(first), presell(second)] };
    await funnel.apply(declared);
    const pages = [presell(second), presell(first)];
    await byHand(world, "PATCH", "/funnels", { funnel_id: funnel.id, pages });
    await funnel.refresh();
    calls(world);
    expect(await funnel.apply(declared)).toBe("updated");
    expect(writes(world, funnel.id)).toEqual(patch({ pages: declared.steps })());
    await refreshPlansNothing(funnel, declared);
  });
});

describe("retirement", () => {
  test("deletion renames and empties the funnel; deleted twice it is the same", async () => {
    const funnel = await applied(world, "funnel", unique("old"), {
      projectId: await project(),
      steps: [presell(first)],
    });
    const { state, id } = funnel;
    calls(world);
    await funnel.delete();
    expect(writes(world, id)).toEqual(patch({ name: expect.stringContaining("[retired by landform]"), pages: [] })());
    funnel.state = state;
    await funnel.delete();
    expect(writes(world)).toEqual([]);
  });

  test("a retirement that fails leaves the funnel ours: it is retired later, whoever changes it in between", async () => {
    const funnel = await applied(world, "funnel", unique("kept"), {
      projectId: await project(),
      steps: [presell(first)],
    });
    const { id } = funnel;
    world.emulator.faults.add({ method: "PATCH", path: "/funnels", phase: "status", status: 403 });
    await expect(funnel.delete()).rejects.toThrow("403");
    await byHand(world, "PATCH", "/funnels", { funnel_id: id, name: "Theirs", pages: [presell(second)] });
    calls(world);
    await funnel.delete();
    expect(writes(world, id)).toEqual(patch({ name: expect.stringContaining("[retired by landform]"), pages: [] })());
  });

  test("two funnels made at once take two different retired ones, and a third is created", async () => {
    const inputs = { projectId: await project(), steps: [presell(first)] };
    const old = [1, 2].map(() => new ResourceTest(world, "funnel", unique("retired")));
    for (const funnel of old) await funnel.apply(inputs);
    const ids = old.map(({ id }) => id);
    for (const funnel of old) await funnel.delete();
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

test.each([
  ["neither pageId nor url", [{ pageType: "sales" }], /steps\[0\]: needs pageId or url/],
  ["both", [pay, { ...pay, pageId: "p" }], /steps\[1\].url: can't be combined with pageId/],
  [
    "both, and a page that is not made yet",
    [pay, { ...pay, pageId: UNKNOWN }],
    /steps\[1\].url: can't be combined with pageId/,
  ],
  ["no pageType", [{ url: "https://x.example" }], /steps\[0\]\.pageType: /],
])("a step with %s is refused at check", async (_, steps, message) => {
  const funnel = new ResourceTest(world, "funnel", unique("wrong"));
  await expect(funnel.check({ steps })).rejects.toThrow(message);
});

test("steps that are not known yet pass the check, and never replace", async () => {
  const funnel = await applied(world, "funnel", unique("unknown"), setting.base());
  for (const steps of [UNKNOWN, [UNKNOWN], [{ pageId: UNKNOWN, pageType: UNKNOWN }], [{ ...pay, url: UNKNOWN }]]) {
    expect(await funnel.diff({ projectId: UNKNOWN, steps })).toMatchObject({ changes: "some", replaceKeys: [] });
  }
});
