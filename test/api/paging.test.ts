import fc from "fast-check";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { EndlessListError } from "../../provider/api/index.ts";
import { createPager } from "../../provider/api/paging.ts";
import { funnel, page, project } from "./records-samples.ts";
import { json, refusal, type ScriptedServer, startScriptedServer, type Step } from "./scripted-server.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

async function collect<T>(records: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const record of records) got.push(record);
  return got;
}

const pager = createPager({ deadlineMs: 60_000, counts: () => Promise.resolve({}) });

interface Row {
  readonly id: string;
}
const rows = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: `r${index}` }));
const sliceOf = (all: Row[]) => (paging: { limit: number; page: number }) =>
  Promise.resolve(all.slice(paging.page * paging.limit, (paging.page + 1) * paging.limit));

describe("iterating", () => {
  test("brings every record once, in order, and no more than wanted", async () => {
    const sizes = fc.oneof(fc.integer({ min: 0, max: 450 }), fc.constantFrom(99, 100, 101, 200, 300));
    const limits = fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(sizes, limits, async (size, limit) => {
        let calls = 0;
        const fetchPage = (paging: { limit: number; page: number }) => {
          calls++;
          return sliceOf(rows(size))(paging);
        };
        const got = await collect(pager.pages("listPages", fetchPage, { limit }));
        expect(got).toEqual(rows(size).slice(0, limit));
        expect(calls).toBeLessThanOrEqual(Math.floor(Math.min(size, limit ?? Infinity) / 100) + 1);
      }),
    );
  });

  test("by skipping brings the same", async () => {
    const all = rows(230);
    const got = pager.skips("listVideos", ({ skip, limit }) => Promise.resolve(all.slice(skip, skip + limit)));
    expect(await collect(got)).toEqual(all);
  });

  test("a record that moves to the next page while the list is read comes once", async () => {
    const all = rows(150);
    let calls = 0;
    const fetchPage = (paging: { limit: number; page: number }) => {
      if (calls++ === 1) all.unshift({ id: "new" });
      return sliceOf(all)(paging);
    };
    expect(await collect(pager.pages("listPages", fetchPage))).toEqual(rows(150));
  });

  test("a service that knows no pages, and gives everything at once, is read whole", async () => {
    const everything = () => Promise.resolve(rows(250));
    expect(await collect(pager.pages("listPages", everything))).toEqual(rows(250));
  });

  test("a list that moves by a whole page while it is read is read on", async () => {
    const all = rows(250);
    let calls = 0;
    const fetchPage = (paging: { limit: number; page: number }) => {
      if (calls++ === 1) all.unshift(...Array.from({ length: 100 }, (_, index) => ({ id: `new${index}` })));
      return sliceOf(all)(paging);
    };
    expect(await collect(pager.pages("listPages", fetchPage))).toEqual(rows(250));
  });

  test("a caller who stops asks for no further page", async () => {
    let calls = 0;
    const fetchPage = (paging: { limit: number; page: number }) => {
      calls++;
      return sliceOf(rows(500))(paging);
    };
    for await (const row of pager.pages("listPages", fetchPage)) if (row.id === "r50") break;
    expect(calls).toBe(1);
  });
});

describe("over the wire", () => {
  test("filters and the page go along", async () => {
    const full = Array.from({ length: 100 }, (_, index) => ({ ...page, id: `p${index}` }));
    server.script(json(200, full), json(200, [{ ...page, id: "last" }]));
    const got = await collect(server.api().pages.iterate({ project_id: "j1", published: true }));
    expect(got).toHaveLength(101);
    expect(server.seen.map(({ path }) => path)).toEqual([
      "/pages?project_id=j1&published=true&limit=100&page=0",
      "/pages?project_id=j1&published=true&limit=100&page=1",
    ]);
  });

  test("fewer than a page are asked for as fewer", async () => {
    server.script(json(200, [project]));
    await collect(server.api().projects.iterate({ limit: 1 }));
    expect(server.seen.map(({ path }) => path)).toEqual(["/projects?limit=1&page=0"]);
  });
});

describe("a list without an end", () => {
  type Records = (index: number) => object[];
  /** Answers lists by `records`, and the account's counts by `counts`. */
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

  test("whose pages repeat is no whole list", async () => {
    server.script(service(() => hundred((row) => `p${row}`)));
    const { error, read } = await failure(server.api().pages.iterate());
    expect(read).toBe(100);
    expect(server.seen).toHaveLength(3);
    expect(error).toMatchObject({ method: "GET", path: "/pages", outcome: "refused" });
    expect(error.message).toMatch(/^GET \/pages: the list can't be read to its end: its pages repeat/);
  });

  test("that skips by nothing is none either", async () => {
    server.script(service(() => hundred((row) => `v${row}`)));
    const { error } = await failure(server.api().videos.iterate());
    expect(error.message).toMatch(/^GET \/videos: .*repeat/);
  });

  test("whose records are new each time is told by its first page", async () => {
    let made = 0;
    server.script(service(() => hundred(() => `p${made++}`)));
    const { error } = await failure(server.api().pages.iterate({ published: true }));
    expect(error.message).toMatch(/its first page shows other records each time/);
    expect(server.seen).toHaveLength(17);
  });

  test.each([
    ["by kind", { pages: 7, funnels: 3 }],
    ["nested", { data: { pages: { total: "7", published: 2 } }, total: 1e9 }],
    ["in other words", { page_count: 7 }],
  ])("is told by what the account counts, %s", async (_, counts) => {
    server.script(service(steady, json(200, counts)));
    const { error } = await failure(server.api().pages.iterate());
    expect(error.message).toContain("and the account counts 7");
    expect(server.seen.filter(({ path }) => path === "/analytics/counts")).toHaveLength(1);
  });

  test.each([
    ["a count that leaves out drafts", { pages: { published: 300 } }],
    ["counts of other things", { leads: 1, views: { today: 2 } }],
    ["counts in no shape", { pages: [null, "many"], page: { a: { b: { c: { d: { e: 1 } } } } } }],
  ])("is not told by %s", async (_, counts) => {
    server.script(service((index) => (index < 40 ? steady(index) : []), json(200, counts)));
    expect(await collect(server.api().pages.iterate())).toHaveLength(4000);
  });

  const steadyRows = ({ page: index }: { page: number }) =>
    Promise.resolve(Array.from({ length: 100 }, (_, row) => ({ id: `p${index}-${row}` })));

  test("that nothing tells ends all the same", async () => {
    const { error, read } = await failure(pager.pages("listPages", steadyRows));
    expect(read).toBe(100_000);
    expect(error.message).toMatch(/^GET \/pages: .* it has no end after 1000 pages/);
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

  test("is nothing to a caller who found what it looked for", async () => {
    server.script(service(() => hundred((row) => `p${row}`)));
    expect(await collect(server.api().pages.iterate({}, { limit: 100 }))).toHaveLength(100);
  });
});

describe("funnels, whose list has no pages", () => {
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => ({ ...funnel, id: `${prefix}${index}` }));

  test("fewer than a hundred are all", async () => {
    server.script(json(200, many(3, "f")));
    expect(await server.api().funnels.listAll()).toMatchObject({ complete: true, records: { length: 3 } });
    expect(server.seen).toHaveLength(1);
  });

  test("a hundred are completed project by project, and not called complete", async () => {
    const answer: Step = (request, response) => {
      const { pathname, searchParams } = new URL(request.path, "http://localhost");
      const projectId = searchParams.get("project_id");
      if (pathname === "/projects") json(200, [project, { ...project, id: "j2" }])(request, response);
      else if (projectId === null) json(200, many(100, "f"))(request, response);
      else json(200, [...many(1, "f"), ...many(2, `${projectId}-`)])(request, response);
    };
    server.script(answer);
    const { records, complete } = await server.api().funnels.listAll();
    expect(complete).toBe(false);
    expect(records).toHaveLength(104);
    expect(records.slice(100).map(({ id }) => id)).toEqual(["j1-0", "j1-1", "j2-0", "j2-1"]);
  });

  test("a hundred of one project are said not to be all", async () => {
    server.script(json(200, many(100, "f")));
    expect(await server.api().funnels.listAll({ project_id: "j1" })).toMatchObject({ complete: false });
    expect(server.seen).toHaveLength(1);
  });
});
