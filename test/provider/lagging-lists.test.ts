/** Lists from before the stack's own last write: they show no change by others, and nothing to take over. */
import { afterEach, expect, test } from "vitest";
import { byHand, calls, HERO, nextRun, openWorld, ResourceTest, type World, applied } from "./harness.ts";

const PAGES = 6;
const HOUR = 3_600_000;

let world: World;
let siteId: string;
let pages: ResourceTest[];

const named = (index: number, name = `Page ${index}`) => ({
  name,
  ...HERO,
  publish: { siteId, slug: `page-${index}` },
});

async function open(nullDates: boolean): Promise<void> {
  world = await openWorld({ notShown: { nullDates } });
  const site = await applied(world, "site", "lagging.example", {});
  siteId = site.id;
  pages = Array.from({ length: PAGES }, (_, index) => new ResourceTest(world, "page", `page-${index}`));
  for (const [index, page] of pages.entries()) await page.apply(named(index));
}

afterEach(() => world.close());

/** The first reads use lists, as an engine does after a run that has just ended. */
async function refreshed(all: readonly ResourceTest[]): Promise<string[]> {
  let made: string[] = [];
  await nextRun(world, async (client) => {
    calls(world);
    await Promise.all(all.map((page) => page.handTo(client).refresh()));
    made = calls(world);
  });
  return made.filter((call) => call.startsWith("GET /pages"));
}

test.each([false, true])("the last run's own work is no edit (no dates: %s)", async (nullDates) => {
  await open(nullDates);
  world.emulator.notShown.listLagMs = HOUR;
  const made = new ResourceTest(world, "page", "page-9");
  await nextRun(world, async (client) => {
    await pages[0]?.handTo(client).up(named(0, "Renamed"));
    await pages[1]?.handTo(client).up({ ...named(1), publish: { siteId, slug: "elsewhere" } });
    await made.handTo(client).up(named(9));
  });
  const all = [...pages, made];
  const before = all.map(({ state }) => state?.inputs);
  const asked = await refreshed(all);
  expect(all.map(({ state }) => state?.inputs)).toEqual(before);
  expect(pages[0]?.outputs["pageName"]).toBe("Renamed");
  expect(pages[1]?.outputs["slug"]).toBe("elsewhere");
  // If the list agrees with the state, no further call is needed.
  expect(asked.filter((call) => call === "GET /pages")).toHaveLength(1);
  expect(asked.filter((call) => call !== "GET /pages").length).toBeLessThanOrEqual(3);
  expect(await pages[0]?.upNext(named(0, "Renamed"))).toBe("same");
  expect(await made.upNext(named(9))).toBe("same");
});

test.each([false, true])("an edit is told, also where dates don't say so (no dates: %s)", async (nullDates) => {
  await open(nullDates);
  await byHand(world, "PATCH", "/pages/metadata", { page_id: pages[2]?.id, name: "By hand" });
  await refreshed(pages);
  const names = pages.map((_, index) => (index === 2 ? "By hand" : `Page ${index}`));
  expect(pages.map(({ state }) => state?.inputs?.["name"])).toEqual(names);
});

test("a name that has our mark is taken away by the next apply, and comes into no code", async () => {
  await open(false);
  const marked = "Page 3 [lf-01234567-0123456789-abcd]";
  await byHand(world, "PATCH", "/pages/metadata", { page_id: pages[3]?.id, name: marked });
  await refreshed(pages);
  expect(pages[3]?.state?.inputs?.["name"]).toBe("Page 3");
  expect(await pages[3]?.upNext(named(3))).toBe("updated");
  expect(await byHand(world, "GET", `/pages/${pages[3]?.id}`)).toMatchObject({ page_name: "Page 3" });
  expect(await pages[3]?.upNext(named(3))).toBe("same");
});
