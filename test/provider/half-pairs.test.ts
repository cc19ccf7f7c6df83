/** Half of a surrogate pair from anywhere: the call ends, and the text that goes on is well-formed. */
import { expect, test } from "vitest";
import { explain } from "../../provider/api/explain.ts";
import { readExchange } from "../../provider/api/failure.ts";
import { shortened } from "../../provider/values/wording.ts";
import { byHand, openWorld, applied } from "./harness.ts";
import { forAllTests } from "../suite/opened.ts";

const HALF = "\ud83d";

const world = forAllTests(() => openWorld());

test("in a live name and a live text: refresh ends, shows it, and the next apply repairs it", async () => {
  const declared = { templateId: "tpl-hero", name: "Offer", content: { "hero.title": "Title" } };
  const page = await applied(world, "page", "half.", declared);
  await byHand(world, "PATCH", "/pages/metadata", { page_id: page.id, name: `By ${HALF} hand` });
  await byHand(world, "PATCH", "/pages/content", { page_id: page.id, updates: { "hero.title": `Cut ${HALF}` } });
  expect(await page.refresh()).toBe(true);
  expect(page.state?.inputs).toMatchObject({ name: "By \ufffd hand", content: { "hero.title": "Cut \ufffd" } });
  const seen = page.state;
  expect(await page.refresh()).toBe(true);
  expect(page.state).toEqual(seen);
  expect(await page.apply(declared)).toBe("updated");
});

test("in a message of the service: the error is told", () => {
  const body = JSON.stringify({ error: "invalid_request", message: `No ${HALF} here` });
  const exchange = { kind: "answer", status: 400, headers: {}, body } as const;
  const reading = readExchange(exchange, "POST", 0);
  if (reading.ok) throw new Error("a refusal was read as success");
  const site = {
    method: "POST",
    path: "/pages",
    effect: "create",
    lists: false,
    scopes: [],
    origin: "",
    keyVariable: "LANDFORM_API_KEY",
    timeoutMs: 1,
    maxBytes: 1,
    attempts: 1,
    outcome: "refused",
  } as const;
  expect(explain(reading.failure, site).message).toContain("No \ufffd here");
});

test.each([
  ["a family of five", `${"x".repeat(9)}👨‍👩‍👧‍👦tail`, 12, `${"x".repeat(9)}…`],
  ["an emoji at the edge", `${"x".repeat(9)}🧵tail`, 10, `${"x".repeat(9)}…`],
  ["a letter with its accent", `${"x".repeat(9)}e\u0301tail`, 10, `${"x".repeat(9)}…`],
  ["what fits", "🧵", 2, "🧵"],
])("texts are cut behind a whole character: %s", (_, text, most, cut) => {
  expect(shortened(text, most)).toBe(cut);
});
