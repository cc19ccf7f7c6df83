/** Endless lists: how the client detects them, which lists are none, and that it never takes one for whole. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EndlessListError } from "../../provider/api/index.ts";
import { createPager } from "../../provider/api/paging.ts";
import { page } from "./records-samples.ts";
import { collect, json, startScriptedServer, type Step } from "./scripted-server.ts";
import { forAllTests } from "../suite/opened.ts";

const server = forAllTests(() => startScriptedServer());

const pager = createPager(60_000);

type Records = (index: number) => object[];
/** Answers lists from `records`. */
const service =
  (records: Records): Step =>
  (request, response) => {
    const { searchParams } = new URL(request.path, "http://localhost");
    const index = Number(searchParams.get("page") ?? Number(searchParams.get("skip")) / 100);
    json(200, records(index))(request, response);
  };
const hundred = (id: (row: number) => string) => Array.from({ length: 100 }, (_, row) => ({ ...page, id: id(row) }));

async function* counted<T>(records: AsyncIterable<T>, each: () => unknown): AsyncGenerator<T> {
  for await (const record of records) {
    each();
    yield record;
  }
}

async function failure(records: AsyncIterable<unknown>): Promise<{ error: EndlessListError; read: number }> {
  let read = 0;
  try {
    await collect(counted(records, () => read++));
  } catch (error) {
    if (error instanceof EndlessListError) return { error, read };
    throw error;
  }
  throw new Error(`the list was taken for whole, with ${read} records`);
}

const steadyRows = ({ page: index }: { page: number }) =>
  Promise.resolve(Array.from({ length: 100 }, (_, row) => ({ id: `p${index}-${row}` })));

describe("a list without an end", () => {
  test("whose pages repeat is no whole list", async () => {
    server.script(service(() => hundred((row) => `p${row}`)));
    const { error, read } = await failure(server.api().pages.iterate());
    expect(read).toBe(100);
    expect(server.seen).toHaveLength(3);
    expect(error).toMatchObject({ method: "GET", path: "/pages", outcome: "refused" });
    expect(error.message).toMatch(/^GET \/pages: the list can't be read to its end: its pages repeat/);
    expect(error.message).toContain("Landform used nothing of this list.");
  });

  test("that nothing tells ends all the same", async () => {
    const { error, read } = await failure(pager("listPages", steadyRows));
    expect(read).toBe(100_000);
    expect(error.message).toMatch(/^GET \/pages: .* it has no end after 1000 pages/);
  });

  test("that is slow ends by its deadline, which what the caller does meanwhile is no part of", async () => {
    const slow = async (paging: { page: number }) => sleep(30).then(() => steadyRows(paging));
    const { error } = await failure(createPager(100)("listSites", slow));
    expect(error.message).toMatch(/^GET \/sites: .*pages took longer than the 0\.1 s that a list may take/);
    const reading = createPager(5_000)("listPages", ({ page: index }) =>
      index < 3 ? steadyRows({ page: index }) : Promise.resolve([]),
    );
    const clock = vi.spyOn(performance, "now");
    let now = 0;
    clock.mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    await collect(counted(reading, () => (now += 1_000)));
    expect(now).toBe(300_000);
  });
});
