/** Many pages: the calls of a refresh, and the conclusions that it never draws. */
import { beforeAll, describe, expect, test } from "vitest";
import type { Fault } from "../../emulator/index.ts";
import type { PropertyMap } from "../../engine/index.ts";
import { byHand, calls, nextRun, ResourceTest, runWith, worldOfAll } from "./harness.ts";

const MANY = 125;
const BATCH = 25;
const declared = (index: number): PropertyMap => ({
  templateId: "tpl-thankyou",
  content: { "hero.title": `Page ${index}` },
});

const world = worldOfAll();
let pages: ResourceTest[];

beforeAll(() => {
  pages = Array.from({ length: MANY }, (_, index) => new ResourceTest(world, "page", `bulk-${index}`));
});

/** Works as an engine does: so many at the same time. */
async function inBatches(work: (page: ResourceTest, index: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < MANY; start += BATCH)
    await Promise.all(pages.slice(start, start + BATCH).map((page, index) => work(page, start + index)));
}

function tally(): Record<string, number> {
  const made = calls(world).map((call) => call.replace(/page_\w+/, "ID"));
  return Object.fromEntries([...Map.groupBy(made, (call) => call)].map(([call, list]) => [call, list.length]));
}

test("creation costs one look for all, and no list call a page at the end", async () => {
  await inBatches((page, index) => page.up(declared(index)));
  const counts = tally();
  expect(counts).toMatchObject({
    "GET /search/pages": 1,
    "POST /pages/from-template": MANY,
    "PATCH /pages/content": MANY,
    "PATCH /pages/metadata": MANY,
  });
  expect((counts["GET /pages"] ?? 0) + (counts["GET /pages/ID"] ?? 0)).toBeLessThan(MANY);
});

test("the first refresh after it lists, and reads neither pages nor maps", async () => {
  await nextRun(world, async (client) => {
    await Promise.all(pages.map((page) => page.handTo(client).refresh()));
    // The ledger of this machine still has their ids, so nobody looks for other objects with their markers.
    expect(tally()).toEqual({ "GET /pages": 2 });
    for (const [index, page] of pages.entries())
      expect((await page.diff(declared(index))).changes, page.urn).toBe("none");
  });
});

test("an edited page has its map read, and only that one", async () => {
  const [edited] = pages.slice(60, 61) as [ResourceTest];
  await byHand(world, "PATCH", "/pages/content", { page_id: edited.id, updates: { "hero.title": "By hand" } });
  await nextRun(world, async (client) => {
    await Promise.all(pages.map((page) => page.handTo(client).refresh()));
    expect(tally()).toEqual({ "GET /pages": 2, "GET /search/pages": 1, "GET /search/page-content-map": 1 });
    expect(edited.state?.inputs?.["content"]).toEqual({ "hero.title": "By hand" });
    expect(await edited.apply(declared(60))).toBe("updated");
  });
});

test("the refresh of one page does not list", () =>
  nextRun(world, async (client) => {
    await pages[3]?.handTo(client).refresh();
    expect(tally()).toEqual({ "GET /pages/ID": 1, "GET /search/pages": 1 });
  }));

test("a page that lists don't show is read by its id; one that the service says is gone is gone", async () => {
  const gone = new ResourceTest(world, "page", "gone");
  const hidden = new ResourceTest(world, "page", "hidden");
  await gone.up({});
  await byHand(world, "DELETE", `/pages/${gone.id}`);
  world.emulator.notShown.listLagMs = 60_000;
  await hidden.up({});
  await nextRun(world, async (client) => {
    const all = [...pages, hidden, gone].map((page) => page.handTo(client).refresh());
    expect(await Promise.all(all)).toEqual([...pages.map(() => true), true, false]);
  });
});

describe("absence is never read from a failure", () => {
  const failures: [string, Omit<Fault, "times">][] = [
    ["500", { phase: "status", status: 500 }],
    ["an HTML page with 404", { phase: "html", status: 404 }],
    ["an HTML page with 200", { phase: "html" }],
    ["403", { phase: "status", status: 403 }],
    ["401", { phase: "status", status: 401 }],
    ["429", { phase: "status", status: 429, retryAfter: "1" }],
    ["a cut connection", { phase: "before" }],
    ["a cut answer", { phase: "truncate" }],
    ["a time-out", { phase: "slow", delayMs: 10_000 }],
  ];

  test.each(failures)("%s fails the refresh and keeps the resource", async (_, fault) => {
    const [one] = pages as [ResourceTest];
    const { state } = one;
    world.emulator.faults.add({ ...fault, method: "GET", path: "/pages/{pageId}", times: Infinity });
    await runWith(world, { LANDFORM_TIMEOUT_MS: "700" }, (client) =>
      expect(one.handTo(client).refresh()).rejects.toThrow(/GET \/pages\/page_/),
    );
    expect(one.state).toEqual(state);
  });

  test("lists that are empty or fail: every page is read by id", async () => {
    for (const phase of ["html", "status"] as const) {
      world.emulator.faults.add({ phase, method: "GET", path: "/pages", times: Infinity, status: 404 });
      await nextRun(world, async (client) => {
        const some = pages.slice(0, 10).map((page) => page.handTo(client).refresh());
        expect(await Promise.all(some)).toEqual(some.map(() => true));
      });
      world.emulator.faults.clear();
    }
  });
});
