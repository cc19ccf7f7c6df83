/** Endless lists: how the client detects them, which lists are none, and that it never takes one for whole. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { EndlessListError } from "../../provider/api/index.ts";
import { createPager } from "../../provider/api/paging.ts";
import { page } from "./records-samples.ts";
import { json, refusal, startScriptedServer, type Step } from "./scripted-server.ts";
import { forAllTests } from "../suite/opened.ts";

const server = forAllTests(() => startScriptedServer());

async function collect<T>(records: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const record of records) got.push(record);
  return got;
}

type Records = (index: number) => object[];
/** Answers lists from `records`, and the account's counts from `counts`. */
const service =
  (records: Records, counts: Step = refusal(403, "forbidden")): Step =>
  (request, response) => {
    const { pathname, searchParams } = new URL(request.path, "http://localhost");
    const index = Number(searchParams.get("page") ?? Number(searchParams.get("skip")) / 100);
    const others: Record<string, Step> = { "/openapi.json": json(200, { paths: {} }), "/analytics/counts": counts };
    const answer = others[pathname] ?? json(200, records(index));
    answer(request, response);
  };
const hundred = (id: (row: number) => string) => Array.from({ length: 100 }, (_, row) => ({ ...page, id: id(row) }));
const steady: Records = (index) => hundred((row) => `p${index}-${row}`);

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
    expect(error.message).toContain("Landform can't know the account from this list, and decided nothing by it.");
  });

  test("whose records are new each time is told by its first page", async () => {
    let made = 0;
    server.script(service(() => hundred(() => `p${made++}`)));
    const { error } = await failure(server.api().pages.iterate({ published: true }));
    expect(error.message).toMatch(/its first page shows other records each time/);
    expect(server.seen).toHaveLength(17);
  });

  test("is not told by a first page that somebody adds to while it is read; it is asked for whenever the list has doubled", async () => {
    server.script(
      service((index) => {
        const isAgain = index === 0 && server.seen.length > 1;
        if (isAgain) return [{ ...page, id: `new${server.seen.length}` }, ...steady(0).slice(1)];
        return index < 40 ? steady(index) : [];
      }),
    );
    expect(await collect(server.api().pages.iterate())).toHaveLength(4000);
    expect(server.seen.filter(({ path }) => path === "/pages?limit=100&page=0")).toHaveLength(1 + 2);
  });

  test.each<[Record<string, number>, boolean]>([
    [{ quiz_count: 7 }, true],
    [{ inquiries: 7, quit: 7 }, false],
  ])("of quizzes, whose plural is of its own, is told by %j: %j", async (counts, isTold) => {
    const limits = { deadlineMs: 60_000, counts: () => Promise.resolve(counts) };
    const pages = ({ page: index }: { page: number }) =>
      index < 40 ? steadyRows({ page: index }) : Promise.resolve([]);
    const reading = collect(createPager(limits).pages("listQuizzes", pages));
    if (isTold) await expect(reading).rejects.toThrow("and the account counts 7");
    else expect(await reading).toHaveLength(4000);
  });

  test("that is slow ends by its deadline, which what the caller does meanwhile is no part of", async () => {
    const slow = async (paging: { page: number }) => sleep(30).then(() => steadyRows(paging));
    const counts = () => Promise.resolve({});
    const { error } = await failure(createPager({ deadlineMs: 100, counts }).pages("listSites", slow));
    expect(error.message).toMatch(/^GET \/sites: .*pages took longer than the 0\.1 s that a list may take/);
    const reading = createPager({ deadlineMs: 5_000, counts }).pages("listPages", ({ page: index }) =>
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
