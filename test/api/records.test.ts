import { describe, expect, test } from "vitest";
import * as records from "../../provider/api/records.ts";
import { funnel, page, product, project } from "./records-samples.ts";

describe("fields that other implementations send differently", () => {
  test("numbers as text", () => {
    const sent = { ...product, price: "12.50", compare_price: " 15 ", bundle_discount: "", bundle_item_count: "0" };
    const expected = { ...product, bundle_discount: null };
    expect(records.product.parse(sent)).toMatchObject(expected);
  });

  test("text as numbers", () => {
    expect(records.page.parse({ ...page, id: 17, project_id: 4 })).toMatchObject({ id: "17", project_id: "4" });
    expect(records.product.parse({ ...product, rating: 4.9, sku: 12 })).toMatchObject({ rating: "4.9", sku: "12" });
  });

  test.each([
    ["true", true],
    ["false", false],
    [1, true],
    [0, false],
    [null, false],
    [undefined, false],
  ])("the flag %j is %j", (sent, expected) => {
    expect(records.page.parse({ ...page, is_quiz: sent }).is_quiz).toBe(expected);
  });

  test.each([
    ["page_\ufffd", "is no well-formed text"],
    ["", "is empty"],
    ["..", 'is "..", which names another path'],
    ["\u0000\u001b[2J", "holds a control character"],
  ])("%j is no id: no call could name it", (id, fault) => {
    expect(records.page.safeParse({ ...page, id }).error?.issues.map(({ message }) => message)).toEqual([fault]);
  });

  test("a project that does not say so is active", () => {
    expect(records.project.parse({ ...project, active: undefined }).active).toBe(true);
  });

  test("missing nullable fields are null, further fields are left out", () => {
    const sent = { id: "p1", name: "Offer", page_name: "Offer", status: "draft", theme: "dark" };
    expect(records.page.parse(sent)).toEqual({ ...page, name: "Offer", edit_url: "", ...missing });
  });
  const missing = { project_id: null, created_at: null, updated_at: null };

  test("a project's context is absent where the service does not report it", () => {
    expect(records.project.parse(project)).not.toHaveProperty("context");
    expect(records.project.parse({ ...project, context: null }).context).toBeNull();
  });

  test.each([
    ["price", records.product, { ...product, price: "a lot" }],
    ["price", records.product, { ...product, price: Number.NaN }],
    ["is_quiz", records.page, { ...page, is_quiz: "perhaps" }],
    ["id", records.page, { ...page, id: "" }],
    ["id", records.page, { ...page, id: null }],
    ["name", records.page, { ...page, name: null }],
    ["slug", records.page, { ...page, slug: {} }],
    ["success", records.deleted, { success: "perhaps" }],
  ] as const)("%s that cannot be read is refused by name", (field, schema, sent) => {
    const { error } = schema.safeParse(sent);
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual([field]);
  });
});

describe("JSON in strings", () => {
  test.each([
    ['["a","b"]', ["a", "b"]],
    [
      ["a", "b"],
      ["a", "b"],
    ],
    ['[{"name":"a"},{"key":"b"}]', ["a", "b"]],
    ['{"a":1,"b":2}', ["a", "b"]],
    ["[]", []],
    ["", []],
    [null, []],
    [undefined, []],
  ])("the names %j are %j", (missing, expected) => {
    expect(records.pageContent.parse({ id: "p1", success: true, missing }).missing).toEqual(expected);
  });

  test.each(["[1]", '"a"', "{", '[{"label":"a"}]'])("the names %j are refused", (variables) => {
    expect(records.contentMap.safeParse({ variables, fields: "[]" }).success).toBe(false);
  });

  test("fields of the content map are decoded, whatever their shape, and byte for byte", () => {
    const value = '{"a":"\\u0000 🎉 \\n"}';
    const fields = [{ key: "k", value }];
    expect(records.contentMap.parse({ fields: JSON.stringify(fields) }).fields).toEqual(fields);
    expect(records.contentMap.parse({ fields }).fields).toEqual(fields);
  });
});

describe("shapes of their own", () => {
  test("tags are a list, or one text", () => {
    const tags = (sent: unknown) => records.pageMetadata.parse({ id: "p1", tags: sent }).tags;
    expect([tags(["a", "b"]), tags("a, b,"), tags(null), tags("")]).toEqual([["a", "b"], ["a", "b"], [], []]);
  });

  test("a funnel's pages are ids or steps", () => {
    const step = { pageId: "p1", pageType: "presell" };
    expect(records.funnel.parse({ ...funnel, pages: ["p1", 2], steps: null })).toMatchObject({
      pages: ["p1", "2"],
      steps: [],
    });
    expect(records.funnel.parse({ ...funnel, pages: [step], steps: [step] })).toMatchObject({
      pages: [step],
      steps: [step],
    });
  });

  test("a lead keeps its answers under the name that they came with", () => {
    const sent = { id: "l1", type: "quiz", is_completed: true, quiz_answers: { q1: "a" }, score: 3, fields: null };
    const lead = records.lead.parse(sent);
    expect(lead).toMatchObject({ id: "l1", is_completed: true, fields: null, answers: { quiz_answers: { q1: "a" } } });
    expect(lead).not.toHaveProperty("score");
  });

  test("a quiz page is a page too", () => {
    const sent = {
      id: "p1",
      quiz_id: "p1",
      is_quiz: true,
      name: "Quiz",
      page_name: "Quiz",
      edit_url: "https://app.example",
    };
    expect(records.quizPage.parse(sent)).toMatchObject({ id: "p1", quiz_id: "p1", status: "draft", slug: null });
  });
});
