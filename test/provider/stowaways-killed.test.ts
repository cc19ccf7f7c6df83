/**
 * No stowaways after a run that was killed when it had published a page, before any state knew. The ledger has the published text, so the next run
 * tells later edits from our own, however early they came. Without a record, the dates decide.
 */
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, madeForAll, nextRun, ResourceTest, titled, type World, worldOfAll } from "./harness.ts";
import { refreshPlansNothing, unique } from "./table.ts";
import { editInApp, publishInApp, textsInApp } from "../suite/app.ts";

const world = worldOfAll();
const site = madeForAll(world, "site", "killed.example");
let empty: ReturnType<World["emulator"]["records"]>;
/** The name of the page, which is the account's only one: a hold must not depend on other pages. */
let name: string;
beforeAll(() => {
  empty = world.emulator.records();
});
beforeEach(() => {
  world.emulator.restore(empty);
  name = unique("offer");
});

const declared = (title: string, more: PropertyMap = {}, slug = "offer"): PropertyMap =>
  titled(title, { publish: { siteId: site.id, slug }, ...more });

async function killed(more: PropertyMap = {}): Promise<{ page: ResourceTest; id: string }> {
  const page = new ResourceTest(world, "page", name);
  await run(page, declared("First title", more));
  const { id } = page;
  page.state = undefined;
  return { page, id };
}

/** Runs once more in a process of its own, and returns its output. */
const run = (page: ResourceTest, inputs: PropertyMap): Promise<string> =>
  nextRun(world, (client) => page.handTo(client).up(inputs));

const content = (id: string, updates: PropertyMap): Promise<unknown> => editInApp(world, id, updates);

const publish = (id: string): Promise<unknown> => publishInApp(world, id, { siteId: site.id, slug: "offer" });

async function visitors(): Promise<string> {
  const response = await fetch(`${world.emulator.url}/_sites/killed-example/offer`);
  expect(response.status).toBe(200);
  return response.text();
}

const plansNothing = (page: ResourceTest, inputs: PropertyMap): Promise<unknown> =>
  nextRun(world, (client) => refreshPlansNothing(page.handTo(client), inputs));

describe.each(["draft", "live"] as const)("the ledger has what went out; the content map shows %s", (shows) => {
  beforeEach(() => {
    world.emulator.notShown.contentMapShows = shows;
  });

  test.each(["undone", "published"])("an edit that came at once is held time and again until it is %s", async (end) => {
    const { page, id } = await killed();
    const { "hero.note": before = "" } = await textsInApp(world, id);
    await content(id, { "hero.note": "Half a thought" });
    for (const time of [1, 2]) {
      expect(await run(page, declared("First title"))).toMatch(/held back[^]*Half a thought/);
      expect(page.id, `time ${time}`).toBe(id);
      expect(await visitors()).not.toContain("Half a thought");
    }
    await (end === "undone" ? content(id, { "hero.note": before }) : publish(id));
    expect(await run(page, declared("Second title"))).not.toContain("held back");
    expect(await visitors()).toContain("Second title");
    expect((await visitors()).includes("Half a thought")).toBe(end === "published");
    await plansNothing(page, declared("Second title"));
  });

  test("what a further killed run wrote is ours", async () => {
    // By its dates the page looks edited, beside one that was left alone.
    await run(new ResourceTest(world, "page", `${name}-other`), declared("First title", {}, "other"));
    const { page, id } = await killed();
    await delay(50);
    await byHand(world, "PATCH", "/pages/metadata", { page_id: id, tags: ["ours"] });
    await content(id, { "hero.title": "Second title" });
    expect(await run(page, declared("Second title", { tags: ["ours"] }))).not.toContain("held back");
    expect(await visitors()).toContain("Second title");
    await plansNothing(page, declared("Second title", { tags: ["ours"] }));
  });
});

test("a service that moves the date of an edit with a publication: nothing is held that nobody edited", async () => {
  world.emulator.notShown.publishMovesUpdatedAtMs = 400;
  const { page, id } = await killed();
  expect(await run(page, declared("Second title"))).not.toContain("held back");
  expect(await visitors()).toContain("Second title");
  // Without another page, the remains of our own publication tell it from somebody else's.
  await content(id, { "hero.note": "A whole thought" });
  await publish(id);
  expect(await run(page, declared("Third title"))).not.toContain("held back");
  expect(await visitors()).toMatch(/Third title[^]*A whole thought/);
  await plansNothing(page, declared("Third title"));
});

describe("made otherwise by the next run, which takes its address", () => {
  const VARIABLES = { brand: "Acme", product: "Mug", support_email: "help@acme.example" };
  const otherwise = (): PropertyMap => declared("Second title", { templateId: "tpl-sales", variables: VARIABLES });

  test("what nobody edited makes way, on a service whose dates say nothing", async () => {
    world.emulator.notShown.publishMovesUpdatedAtMs = 400;
    const { page, id } = await killed();
    expect(await run(page, otherwise())).not.toContain("held back");
    expect(page.id).not.toBe(id);
    expect(await visitors()).toContain("Second title");
    await plansNothing(page, otherwise());
  });

  test("what somebody edited at once stays where it is, and his edit a draft", async () => {
    const { page, id } = await killed();
    await content(id, { "hero.note": "Half a thought" });
    await expect(run(page, otherwise())).rejects.toThrow(/keeps|held/);
    expect(await byHand(world, "GET", "/pages?published=true")).toMatchObject([{ id, slug: "offer" }]);
    expect(await visitors()).not.toContain("Half a thought");
  });
});
