/** Each row of the limits table, at both edges. */
import { describe, expect, test } from "vitest";
import { operations } from "../schema/specification.ts";
import { type Fields, list, refused } from "./expectations.ts";
import { eventually, makePage, makeProject, projectBody, unique } from "./fixtures.ts";
import { goodRequest } from "./requests.ts";
import { type Call, openTarget, ownServer } from "./target.ts";

const target = await openTarget();
const invalid = { code: "invalid_request" };

/** The rows with a numeric query parameter of this name, and its range. */
const withParameter = (name: string) =>
  operations.flatMap((row) => {
    const range = new RegExp(`${name} integer \\[(\\d+)\\.\\.(\\d*)\\] =(\\d+)`).exec(row.query);
    if (!range) return [];
    const [minimum, maximum, fallback] = range.slice(1).map(Number) as [number, number, number];
    return [{ id: row.id, kind: row.result.replace("[]", ""), minimum, maximum, fallback }];
  });

const search = async (id: string, query: NonNullable<Call["query"]>): Promise<Fields[]> =>
  await target.list(id, { query });

describe.each(withParameter("limit"))("limit of $id", ({ id, kind, minimum, maximum }) => {
  test(`takes ${minimum} and ${maximum}`, async () => {
    expect((await search(id, { limit: minimum })).length).toBeLessThanOrEqual(minimum);
    expect((await search(id, { limit: maximum })).length).toBeLessThanOrEqual(maximum);
  });

  test.each([minimum - 1, -1, "1.5", "ten", ""])("refuses %j", async (limit) => {
    refused(await target.call(id, { query: { limit } }), invalid);
  });

  // The specification doesn't say if the service refuses more than the maximum or takes the maximum.
  test(`never answers more than ${maximum}`, async () => {
    const answer = await target.call(id, { query: { limit: maximum + 1 } });
    if (answer.status < 300) expect(list(kind, answer).length).toBeLessThanOrEqual(maximum);
    else refused(answer, invalid);
  });
});

describe.each([...withParameter("page"), ...withParameter("skip")])("page or skip of $id", ({ id, kind }) => {
  const name = kind === "Video" ? "skip" : "page";

  test("takes 0, and answers nothing far beyond the end", async () => {
    expect(await search(id, { [name]: 0 })).toEqual(await search(id, {}));
    expect(await search(id, { [name]: 1_000_000 })).toEqual([]);
  });

  test.each([-1, "0.5", "one"])("refuses %j", async (value) => {
    refused(await target.call(id, { query: { [name]: value } }), invalid);
  });
});

describe("length of a new project's texts", () => {
  const create = async (field: string, length: number) =>
    target.call("createProject", { body: { ...projectBody(), [field]: "x".repeat(length) } });

  test.each([
    ["description", 50],
    ["context", 200],
  ])("%s: %i characters are enough, one less is not", async (field, minimum) => {
    await makeProject(target, { [field]: "x".repeat(minimum) });
    refused(await create(field, minimum - 1), invalid);
    refused(await create(field, 0), invalid);
  });
});

describe("paging", () => {
  test("pages follow one another without gap or overlap", async () => {
    const project = await makeProject(target);
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.push((await makePage(target, { project_id: project.id })).id);
    const inProject = { project_id: project.id };
    await eventually(
      () => search("listPages", inProject),
      (pages) => pages.length === made.length,
    );
    const slices = await Promise.all([0, 1, 2, 3].map((page) => search("listPages", { ...inProject, limit: 3, page })));
    expect(slices.map((slice) => slice.length)).toEqual([3, 3, 1, 0]);
    const ids = slices.flat().map((page) => page.id);
    expect([...ids].sort()).toEqual([...made].sort());
    const whole = await search("listPages", { ...inProject, limit: 100 });
    expect(whole.map((page) => page.id)).toEqual(ids);
  });

  // A foreign account must not be filled with a hundred records.
  test.runIf(ownServer)("without a limit: 50 records of 120, and 100 at most", async () => {
    const [product, page] = [await goodRequest(target, "createProduct"), { body: { name: unique("Many") } }];
    for (let index = 0; index < 120; index += 1) {
      await target.record("createProduct", product);
      await target.record("createPage", page);
    }
    for (const id of ["listProducts", "searchProducts", "listPages"]) {
      expect(await search(id, {})).toHaveLength(50);
      expect(await search(id, { limit: 100 })).toHaveLength(100);
      expect(await search(id, { limit: 1 })).toHaveLength(1);
    }
    // The specification gives two different values for this default.
    expect([50, 100]).toContain((await search("searchPages", {})).length);
    expect(await search("searchPages", { limit: 100 })).toHaveLength(100);
  });

  test.runIf(ownServer)("leads: 25 of 60 without a limit, 50 at most", async () => {
    const [form] = await target.list("searchLeads", { query: { type: "form" } });
    const pageId = String(form?.page_id);
    for (let index = 0; index < 60; index += 1)
      target.emulator.submitForm(pageId, { email: `visitor${index}@example.com` });
    const ofPage = { page_id: pageId };
    expect(await search("searchLeads", ofPage)).toHaveLength(25);
    expect(await search("searchLeads", { ...ofPage, limit: 50 })).toHaveLength(50);
    expect(await search("searchLeads", { ...ofPage, limit: 1 })).toHaveLength(1);
  });
});
