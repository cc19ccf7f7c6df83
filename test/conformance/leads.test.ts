import { describe, expect, test } from "vitest";
import { refused } from "./expectations.ts";
import { missingId } from "./fixtures.ts";
import { openTarget, ownServer } from "./target.ts";

const target = await openTarget();
const search = (query: Record<string, string | number> = {}) => target.list("searchLeads", { query });
const leads = await search({ limit: 50 });
const form = leads.find((lead) => lead.type === "form");
const quiz = leads.find((lead) => lead.type === "quiz");

// No operation creates a lead: a foreign account may have none.
test.runIf(ownServer)("the demo account has a form lead and a quiz lead", () => {
  expect([form?.type, quiz?.type]).toEqual(["form", "quiz"]);
});

describe.runIf(leads.length > 0)("with leads", () => {
  const [lead] = leads;

  test("id and lead_id are the same", () => {
    for (const one of leads) expect(one.lead_id).toBe(one.id);
  });

  test("by type; both when it is omitted", async () => {
    const ofType = await Promise.all([search({ type: "form", limit: 50 }), search({ type: "quiz", limit: 50 })]);
    expect(ofType[0].every((one) => one.type === "form")).toBe(true);
    expect(ofType[1].every((one) => one.type === "quiz")).toBe(true);
    for (const one of leads) expect(ofType.flat().map((found) => found.id)).toContain(one.id);
  });

  test("by exact id, as an array of one", async () =>
    expect((await search({ lead_id: lead?.id ?? "" })).map((one) => one.id)).toEqual([lead?.id]));

  test.runIf(typeof lead?.email === "string")("by exact e-mail address and by text", async () => {
    const email = String(lead?.email);
    const found = await search({ email });
    expect(found.map((one) => one.id)).toContain(lead?.id);
    for (const one of found) expect(one.email).toBe(email);
    expect(await search({ email: email.slice(1) })).toEqual([]);
    expect((await search({ query: email.toUpperCase(), limit: 50 })).map((one) => one.id)).toContain(lead?.id);
  });

  test.runIf(typeof lead?.page_id === "string")("by page", async () => {
    const found = await search({ page_id: String(lead?.page_id), limit: 50 });
    expect(found.map((one) => one.id)).toContain(lead?.id);
    for (const one of found) expect(one.page_id).toBe(lead?.page_id);
  });
});

test.runIf(form !== undefined)("a form lead names its form", () => {
  expect(form).toHaveProperty("form_id");
  expect(form).toHaveProperty("form_name");
});

test.runIf(quiz !== undefined)("a quiz lead names its quiz and whether it was completed", () => {
  expect(quiz).toHaveProperty("quiz_id");
  expect(quiz).toHaveProperty("quiz_name");
  expect(quiz?.is_completed).toBeTypeOf("boolean");
});

test("what matches nothing answers an empty array", async () => {
  expect(await search({ lead_id: missingId })).toEqual([]);
  expect(await search({ page_id: missingId })).toEqual([]);
  expect(await search({ email: "nobody@nowhere.example" })).toEqual([]);
});

test("an unknown type is refused", async () =>
  refused(await target.call("searchLeads", { query: { type: "survey" } }), { code: "invalid_request" }));

test("leads are read-only", async () => {
  refused(await target.send("POST", "/leads", { body: { email: "a@b.example" } }));
  refused(await target.send("DELETE", `/leads/${leads[0]?.id ?? missingId}`));
});
