/** The values that an undo puts back, those that it leaves alone, and its words about the rest: one story each, in one process. */
import { beforeEach, expect, test } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { editInApp, inTheApp, publishInApp, textsInApp } from "../suite/app.ts";
import { accountOf, declaredState, stateOf } from "./account.ts";
import { UndoWorld, urnOf, type Declared } from "./world.ts";
import { forAllTests } from "../suite/opened.ts";

const world = forAllTests(() => UndoWorld.open());
beforeEach(() => world.up([]));

const site: Declared = { kind: "site", name: "stories.example", inputs: {} };

function page(name: string, title: string, more: JsonMap = {}): Declared {
  const publish = { siteId: { ref: "site/stories.example" }, slug: name };
  const content = { "hero.title": title };
  return {
    kind: "page",
    name,
    inputs: { templateId: "tpl-hero", content, variables: { brand: "Acme" }, publish, ...more },
  };
}

const idOf = (kind: "page" | "product" | "site", name: string): string =>
  world.states.find(({ urn }) => urn === urnOf(kind, name))?.id ?? "";

const edit = (id: string, updates: JsonMap): Promise<unknown> => editInApp(world, id, updates);

function liveOf(id: string): string {
  const documents = world.emulator.records()["documents"] as unknown as { id: string; live: unknown }[];
  return JSON.stringify(documents.find((one) => one.id === id)?.live);
}

/** Undoes the run, and checks that everything is as before. */
async function undone(program: readonly Declared[], change: readonly Declared[]): Promise<void> {
  await world.up(program);
  const before = { account: await accountOf(world), state: stateOf(world.states) };
  const run = await world.up(change);
  expect(await accountOf(world)).not.toEqual(before.account);
  const { undo } = await world.prepare(run);
  expect(undo.conflicts).toEqual([]);
  await world.carryOut(undo);
  expect(await accountOf(world)).toEqual(before.account);
  expect(stateOf(world.states)).toEqual(before.state);
  const again = await world.prepare(run);
  expect(again.undo.steps).toEqual([]);
}

test("a changed key, and one that was not declared before", async () => {
  await undone(
    [site, page("a", "One")],
    [site, page("a", "Two", { content: { "hero.title": "Two", "hero.note": "Ours now" } })],
  );
});

test("a changed path, a changed variable, a name", async () => {
  const moved = { publish: { siteId: { ref: "site/stories.example" }, slug: "b" }, variables: { brand: "Zenith" } };
  await undone([site, page("a", "By {{brand}}")], [site, page("a", "By {{brand}}", { ...moved, name: "Other" })]);
});

test("a page that is deleted comes back with all its texts, and the funnel points to it", async () => {
  const step = (steps: JsonMap[]): Declared => ({ kind: "funnel", name: "f", inputs: { steps } });
  const program = [site, page("a", "One"), step([{ pageId: { ref: "page/a" }, pageType: "presell" }])];
  await world.up(program);
  const id = idOf("page", "a");
  await edit(id, { "hero.note": "By hand" });
  await publishInApp(world, id, { siteId: idOf("site", "stories.example"), slug: "a" });
  const run = await world.up([site, step([{ url: "https://pay.example", pageType: "thankyou" }])]);
  const { undo } = await world.prepare(run);
  await world.carryOut(undo);
  const renewed = idOf("page", "a");
  expect(renewed).not.toBe(id);
  expect(liveOf(renewed)).toMatch(/One.*By hand|By hand.*One/s);
  const [funnel] = (await inTheApp<unknown>(world, "GET", "/funnels")) as { steps: { pageId: string }[] }[];
  expect(funnel?.steps[0]?.pageId).toBe(renewed);
});

test("what somebody had written to the draft of a deleted page comes back to the draft, and is not published", async () => {
  await world.up([site, page("a", "One")]);
  const id = idOf("page", "a");
  await edit(id, { "hero.note": "Half a thought", "hero.title": "Half a title" });
  const run = await world.up([site]);
  const { plan, undo } = await world.prepare(run);
  expect(plan.lost.map(({ text }) => text)).toEqual([
    'nobody knows which text visitors saw in content["hero.note"]: the text of the draft comes back, as a draft',
  ]);
  await world.carryOut(undo);
  const renewed = idOf("page", "a");
  expect(await textsInApp(world, renewed)).toMatchObject({
    "hero.note": "Half a thought",
    "hero.title": "Half a title",
  });
  expect(liveOf(renewed)).toContain("One");
  expect(liveOf(renewed)).not.toContain("Half a");
  expect((await world.prepare(run)).undo.steps).toEqual([]);
});

test("what a run made goes, and what it took over is given back as it was", async () => {
  const own = (await inTheApp<unknown>(world, "POST", "/products", { name: "Theirs", price: 3, sku: "T-1" })) as {
    id: string;
  };
  await undone(
    [],
    [
      { kind: "product", name: "ours", inputs: { price: 1 } },
      { kind: "product", name: "taken", inputs: { name: "Theirs", adoptId: own.id, price: 5, sku: "X" } },
    ],
  );
  await inTheApp<unknown>(world, "DELETE", `/products/${own.id}`);
});

test("what drifted before the run drifts again", async () => {
  await world.up([site, page("a", "One")]);
  await edit(idOf("page", "a"), { "hero.title": "By hand" });
  const before = stateOf(world.states);
  const run = await world.up([site, page("a", "Two")]);
  const { undo } = await world.prepare(run);
  await world.carryOut(undo);
  expect((await textsInApp(world, idOf("page", "a")))["hero.title"]).toBe("By hand");
  expect(stateOf(world.states)).toEqual(before);
});

test("an edit by hand since is a conflict by name, and the rest can be undone", async () => {
  await world.up([site, page("a", "One", { content: { "hero.title": "One", "hero.text": "Text" } })]);
  const run = await world.up([site, page("a", "Two", { content: { "hero.title": "Two", "hero.text": "Words" } })]);
  await edit(idOf("page", "a"), { "hero.title": "By hand" });
  const { undo } = await world.prepare(run);
  expect(undo.conflicts).toMatchObject([
    { name: "a", leaf: { field: "content", key: "hero.title" }, code: "changed by hand", now: "By hand" },
  ]);
  await world.carryOut(undo);
  expect(await textsInApp(world, idOf("page", "a"))).toMatchObject({ "hero.title": "By hand", "hero.text": "Text" });
});

test("an edit of what the run made keeps it", async () => {
  const run = await world.up([{ kind: "product", name: "mug", inputs: { price: 1 } }]);
  await inTheApp<unknown>(world, "PATCH", "/products", { product_id: idOf("product", "mug"), price: 2 });
  const { undo } = await world.prepare(run);
  expect(undo.conflicts).toMatchObject([{ name: "mug", leaf: { field: "price" }, code: "changed by hand", now: 2 }]);
  expect(undo.steps).toEqual([]);
});

test("a later run is a conflict, too", async () => {
  const mug = (price: number): Declared => ({ kind: "product", name: "mug", inputs: { price } });
  await world.up([mug(1)]);
  const run = await world.up([mug(2)]);
  await world.up([mug(3)]);
  const { undo } = await world.prepare(run);
  expect(undo.conflicts).toMatchObject([{ name: "mug", code: "changed by a later run", now: 3 }]);
  expect(undo.steps).toEqual([]);
});

test("an undo is undone", async () => {
  const mug = (price: number): Declared => ({ kind: "product", name: "mug", inputs: { price } });
  const program = [site, page("a", "Two"), mug(2)];
  await world.up([site, page("b", "One"), mug(1)]);
  const run = await world.up(program);
  const after = { account: await accountOf(world), state: stateOf(world.states) };
  const back = await world.carryOut((await world.prepare(run)).undo);
  await world.carryOut((await world.prepare(back)).undo);
  expect(await accountOf(world)).toEqual(after.account);
  expect(stateOf(world.states)).toEqual(after.state);
});

test("what the API hides is named first", async () => {
  await world.up([site, page("a", "One")]);
  const run = await world.up([site, page("a", "One", { tags: ["sale"] })]);
  const { plan } = await world.prepare(run);
  expect(plan.lost).toMatchObject([{ name: "a", text: expect.stringContaining("tags") as string }]);
});

test("an undo that was killed after it had made objects anew goes on with them, and refers to them", async () => {
  const steps = { steps: [{ pageId: { ref: "page/a" }, pageType: "presell" }] };
  const others = [site, page("b", "One")];
  const program = [...others, page("a", "One"), { kind: "funnel", name: "f", inputs: steps } satisfies Declared];
  const without = [...others, { kind: "funnel", name: "f", inputs: { steps: [] } } satisfies Declared];
  await world.up(program);
  await edit(idOf("page", "a"), { "hero.note": "By hand" });
  const before = { account: await accountOf(world), state: declaredState(world.states) };
  const run = await world.up(without);
  const { undo } = await world.prepare(run);
  const funnel = urnOf("funnel", "f");
  await world.carryOut({ ...undo, targets: undo.targets.filter((urn) => urn !== funnel) });
  const made = idOf("page", "a");
  const again = await world.prepare(run);
  expect(again.undo.conflicts).toEqual([]);
  expect(again.undo.steps.map(({ name }) => name)).toEqual(["f"]);
  await world.carryOut(again.undo);
  expect(idOf("page", "a")).toBe(made);
  expect(await accountOf(world)).toEqual(before.account);
  expect(declaredState(world.states)).toEqual(before.state);
});
