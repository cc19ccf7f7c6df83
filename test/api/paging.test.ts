import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPager } from "../../provider/api/paging.ts";
import { funnel, page, project } from "./records-samples.ts";
import { collect, json, startScriptedServer, type Step } from "./scripted-server.ts";
import { forAllTests } from "../suite/opened.ts";

const server = forAllTests(() => startScriptedServer());

const pager = createPager(60_000);

const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `r${index}` }));

/** Answers calls for pages of these rows, and counts them. */
function listing(all: { id: string }[], meanwhile?: (call: number) => void) {
  const asked = { calls: 0 };
  const fetchPage = ({ limit, page: index }: { limit: number; page: number }) => {
    asked.calls += 1;
    meanwhile?.(asked.calls);
    return Promise.resolve(all.slice(index * limit, (index + 1) * limit));
  };
  return { asked, fetchPage };
}

describe("iterating", () => {
  test("brings every record once, in order, and no more than wanted", async () => {
    const sizes = fc.oneof(fc.integer({ min: 0, max: 450 }), fc.constantFrom(99, 100, 101, 200, 300));
    const limits = fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(sizes, limits, async (size, limit) => {
        const { asked, fetchPage } = listing(rows(size));
        expect(await collect(pager("listPages", fetchPage, { limit }))).toEqual(rows(size).slice(0, limit));
        expect(asked.calls).toBeLessThanOrEqual(Math.floor(Math.min(size, limit ?? Infinity) / 100) + 1);
      }),
    );
  });

  test("a record that moves to the next page while the list is read comes once", async () => {
    const all = rows(150);
    const { fetchPage } = listing(all, (call) => call === 2 && all.unshift({ id: "new" }));
    expect(await collect(pager("listPages", fetchPage))).toEqual(rows(150));
  });

  test("a caller who stops asks for no further page", async () => {
    const { asked, fetchPage } = listing(rows(500));
    for await (const row of pager("listPages", fetchPage)) if (row.id === "r50") break;
    expect(asked.calls).toBe(1);
  });
});

test("over the wire, filters and the page go along", async () => {
  const full = rows(100).map(({ id }) => ({ ...page, id }));
  server.script(json(200, full), json(200, [{ ...page, id: "last" }]));
  expect(await collect(server.api().pages.iterate({ project_id: "j1", published: true }))).toHaveLength(101);
  const asked = "/pages?project_id=j1&published=true&limit=100&page=";
  expect(server.seen.map(({ path }) => path)).toEqual([`${asked}0`, `${asked}1`]);
});

describe("funnels, whose list has no pages", () => {
  const many = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, index) => ({ ...funnel, id: `${prefix}${index}` }));

  test("fewer than a hundred are all", async () => {
    server.script(json(200, many(3, "f")));
    expect(await server.api().funnels.listAll()).toMatchObject({ complete: true, records: { length: 3 } });
    expect(server.seen.map(({ path }) => path)).toEqual(["/funnels?limit=100"]);
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
