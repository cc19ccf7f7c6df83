import { describe, expect, test } from "vitest";
import { type Fields, record, refused } from "./expectations.ts";
import { listed, makeFunnel, makePage, missingId } from "./fixtures.ts";
import { openTarget } from "./target.ts";

const target = await openTarget();
const page = await makePage(target);
const funnel = await makeFunnel(target, { pages: [{ pageId: page.id, pageType: "presell" }] });
const invalid = { code: "invalid_request" };

/** Returns the ids and URLs of the steps in order, in whichever form the funnel stores them. */
const stepsOf = (record: Fields): string[] =>
  (record.pages as (string | Record<string, string>)[]).map((step) =>
    typeof step === "string" ? step : (step.pageId ?? step.url ?? "?"),
  );

const read = (id: string) => target.record("getFunnel", { at: id });
const update = async (more: object) => target.call("updateFunnel", { body: { funnel_id: funnel.id, ...more } });

test("POST /funnels keeps the steps in order: pages, URLs and their types", async () => {
  const second = await makePage(target);
  const pages = [
    { pageId: second.id, pageType: "presell" },
    { url: "https://pay.example/checkout", pageType: "sales" },
    { pageId: page.id, pageType: "thankyou" },
  ];
  const created = await makeFunnel(target, { pages });
  expect(stepsOf(created)).toEqual([second.id, "https://pay.example/checkout", page.id]);
  expect(stepsOf(await read(created.id))).toEqual(stepsOf(created));
});

test("POST /funnels: project and steps are optional", async () => {
  const bare = await makeFunnel(target);
  expect(stepsOf(bare)).toEqual([]);
  refused(await target.call("createFunnel", { body: { pages: [] } }), invalid);
});

test("GET /funnels lists it", () => listed(target, "listFunnels", funnel.id, { limit: 100 }));

describe("PATCH /funnels", () => {
  test("a new name leaves the steps", async () => {
    const before = stepsOf(await read(funnel.id));
    expect(record("Funnel", await update({ name: "Renamed" })).name).toBe("Renamed");
    const after = await read(funnel.id);
    expect(after.name).toBe("Renamed");
    expect(stepsOf(after)).toEqual(before);
  });

  test("pages replace the step list", async () => {
    const other = await makePage(target);
    const { name } = await read(funnel.id);
    await update({ pages: [{ pageId: other.id, pageType: "sales" }] });
    expect(stepsOf(await read(funnel.id))).toEqual([other.id]);
    await update({ pages: [] });
    expect(await read(funnel.id)).toMatchObject({ name });
    expect(stepsOf(await read(funnel.id))).toEqual([]);
  });

  test("needs a funnel that exists", async () =>
    refused(await target.call("updateFunnel", { body: { funnel_id: missingId, name: "x" } })));
});

test.each([
  ["neither pageId nor url", { pageType: "presell" }],
  ["no pageType", { url: "https://pay.example" }],
])("a step with %s is refused, and nothing is changed", async (_, step) => {
  const before = await read(funnel.id);
  refused(await update({ pages: [step] }), invalid);
  refused(await target.call("createFunnel", { body: { name: "x", pages: [step] } }), invalid);
  expect(await read(funnel.id)).toEqual(before);
});

test("there is no way to delete a funnel", async () => {
  refused(await target.send("DELETE", `/funnels/${funnel.id}`));
  expect((await read(funnel.id)).id).toBe(funnel.id);
});
