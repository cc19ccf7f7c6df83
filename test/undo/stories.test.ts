// @module-tag thorough
/** The values that an undo puts back, those that it leaves alone, and its words about the rest: one story each, in one process. */
import { expect, test } from "vitest";
import type { JsonMap } from "../../provider/values/json.ts";
import { editInApp, inTheApp, liveOf, publishInApp, textsInApp } from "../suite/app.ts";
import { accountOf, declaredState, stateOf } from "./account.ts";
import { UndoDesk, type Declared } from "./desk.ts";
import { forEachTest } from "../suite/opened.ts";

const world = forEachTest(() => UndoDesk.open());

const SITE: Declared = { sites: { main: { name: "stories.example" } } };

const entry = (name: string, title: string, more: JsonMap = {}) => ({
  ...{ template: "tpl-hero", content: { "hero.title": title }, variables: { brand: "Acme" } },
  ...{ publish: { site: "main", slug: name }, ...more },
});

const page = (name: string, title: string, more: JsonMap = {}): Declared => ({
  ...SITE,
  pages: { [name]: entry(name, title, more) },
});

const mug = (price: number): Declared => ({ products: { mug: { price } } });

const edit = (id: string, updates: JsonMap): Promise<unknown> => editInApp(world, id, updates);

const productNow = (product_id: string, price: number): Promise<unknown> =>
  inTheApp<unknown>(world, "PATCH", "/products", { product_id, price });

async function shown(states = stateOf): Promise<{ account: unknown; state: unknown }> {
  return { account: await accountOf(world), state: states(world.states) };
}

/** Undoes the run, and checks that everything is as before. */
async function undone(program: Declared, change: Declared): Promise<void> {
  await world.up(program);
  const before = await shown();
  const run = await world.up(change);
  expect(await accountOf(world)).not.toEqual(before.account);
  expect((await world.look(run)).conflicts).toEqual([]);
  await world.undo(run);
  expect(await shown()).toEqual(before);
  expect((await world.look(run)).changes).toEqual([]);
}

test("a changed key, and one that was not declared before", () =>
  undone(page("a", "One"), page("a", "Two", { content: { "hero.title": "Two", "hero.note": "Ours now" } })));

test("a changed path, a changed variable, a name", async () => {
  const moved = { publish: { site: "main", slug: "b" }, variables: { brand: "Zenith" }, name: "Other" };
  await undone(page("a", "By {{brand}}"), page("a", "By {{brand}}", moved));
});

test("a page that is deleted comes back with all its texts, and the funnel points to it", async () => {
  await world.up({ ...page("a", "One"), funnels: { f: { steps: [{ page: "a", pageType: "presell" }] } } });
  const id = world.idOf("pages", "a");
  await edit(id, { "hero.note": "By hand" });
  await publishInApp(world, id, { siteId: world.idOf("sites", "main"), slug: "a" });
  const steps = [{ url: "https://pay.example", pageType: "thankyou" }];
  const run = await world.up({ ...SITE, funnels: { f: { steps } } });
  await world.undo(run);
  const renewed = world.idOf("pages", "a");
  expect(renewed).not.toBe(id);
  expect(liveOf(world, renewed)).toMatch(/One.*By hand|By hand.*One/s);
  const [funnel] = (await inTheApp<unknown>(world, "GET", "/funnels")) as { steps: { pageId: string }[] }[];
  expect(funnel?.steps[0]?.pageId).toBe(renewed);
});

test("what somebody had written to the draft of a deleted page comes back to the draft, and is not published", async () => {
  await world.up(page("a", "One"));
  const drafted = { "hero.note": "Half a thought", "hero.title": "Half a title" };
  await edit(world.idOf("pages", "a"), drafted);
  const run = await world.up(SITE);
  expect((await world.look(run)).lost.map(({ text }) => text)).toEqual([
    'nobody knows which text visitors saw in content["hero.note"]: the text of the draft comes back, as a draft',
  ]);
  await world.undo(run);
  const renewed = world.idOf("pages", "a");
  expect(await textsInApp(world, renewed)).toMatchObject(drafted);
  expect(liveOf(world, renewed)).toContain("One");
  expect(liveOf(world, renewed)).not.toContain("Half a");
  expect((await world.look(run)).changes).toEqual([]);
});

test("what a run made goes, and what it took over is given back as it was", async () => {
  const own = await inTheApp(world, "POST", "/products", { name: "Theirs", price: 3, sku: "T-1" });
  const taken = { name: "Theirs", adoptId: own.id, price: 5, sku: "X" };
  await undone({}, { products: { ours: { price: 1 }, taken } });
});

test("what drifted before the run drifts again", async () => {
  await world.up(page("a", "One"));
  await edit(world.idOf("pages", "a"), { "hero.title": "By hand" });
  const before = stateOf(world.states);
  const run = await world.up(page("a", "Two"), 0, "--foreign-edits", "include");
  await world.undo(run);
  expect((await textsInApp(world, world.idOf("pages", "a")))["hero.title"]).toBe("By hand");
  expect(stateOf(world.states)).toEqual(before);
});

test("an edit by hand since is a conflict by name, and the rest can be undone", async () => {
  const saying = (title: string, text: string) =>
    page("a", title, { content: { "hero.title": title, "hero.text": text } });
  await world.up(saying("One", "Text"));
  const run = await world.up(saying("Two", "Words"));
  const id = world.idOf("pages", "a");
  await edit(id, { "hero.title": "By hand" });
  expect((await world.look(run)).conflicts).toMatchObject([
    { name: "a", field: 'content["hero.title"]', why: "changed by hand", now: "By hand" },
  ]);
  await world.undo(run, 1, "--skip-conflicts");
  expect(await textsInApp(world, id)).toMatchObject({ "hero.title": "By hand", "hero.text": "Text" });
});

test("an edit of what the run made keeps it", async () => {
  const run = await world.up(mug(1));
  await productNow(world.idOf("products", "mug"), 2);
  const { conflicts, changes } = await world.look(run);
  expect(conflicts).toMatchObject([{ name: "mug", field: "price", why: "changed by hand", now: 2 }]);
  expect(changes).toEqual([]);
});

test("a later run is a conflict, too", async () => {
  await world.up(mug(1));
  const run = await world.up(mug(2));
  await world.up(mug(3));
  const { conflicts, changes } = await world.look(run);
  expect(conflicts).toMatchObject([{ name: "mug", why: "changed by a later run", now: 3 }]);
  expect(changes).toEqual([]);
});

test("an undo is undone", async () => {
  await world.up({ ...page("b", "One"), ...mug(1) });
  const run = await world.up({ ...page("a", "Two"), ...mug(2) });
  const after = await shown();
  await world.undo(await world.undo(run));
  expect(await shown()).toEqual(after);
});

test("what the API hides is named first", async () => {
  await world.up(page("a", "One"));
  const run = await world.up(page("a", "One", { tags: ["sale"] }));
  expect((await world.look(run)).lost).toMatchObject([{ name: "a", text: expect.stringContaining("tags") as string }]);
});

test("an undo that broke off after it had made objects anew goes on with them, and refers to them", async () => {
  const both = { b: entry("b", "One"), a: entry("a", "One") };
  await world.up({ ...SITE, pages: both, funnels: { f: { steps: [{ page: "a", pageType: "presell" }] } } });
  await edit(world.idOf("pages", "a"), { "hero.note": "By hand" });
  const before = await shown(declaredState);
  const run = await world.up({ ...page("b", "One"), funnels: { f: { steps: [] } } });
  world.emulator.faults.add({ method: "PATCH", path: "/funnels", phase: "status", status: 403 });
  await world.undo(run, 1);
  const made = world.idOf("pages", "a");
  const again = await world.look(run);
  expect(again.conflicts).toEqual([]);
  expect(again.changes).toEqual(["f"]);
  await world.undo(run);
  expect(world.idOf("pages", "a")).toBe(made);
  expect(await shown(declaredState)).toEqual(before);
});
