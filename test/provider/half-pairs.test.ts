/** Half of a surrogate pair from anywhere: the call ends, and the text that goes on is well-formed. */
import { expect, test } from "vitest";
import { shortened } from "../../provider/values/wording.ts";
import { byHand, applied, worldOfAll } from "./harness.ts";
import { editInApp } from "../suite/app.ts";

const HALF = "\ud83d";

const world = worldOfAll();

test("in a live name and a live text: refresh ends, shows it, and the next apply repairs it", async () => {
  const declared = { templateId: "tpl-hero", name: "Offer", content: { "hero.title": "Title" } };
  const page = await applied(world, "page", "half.", declared);
  await byHand(world, "PATCH", "/pages/metadata", { page_id: page.id, name: `By ${HALF} hand` });
  await editInApp(world, page.id, { "hero.title": `Cut ${HALF}` });
  expect(await page.refresh()).toBe(true);
  expect(page.state?.inputs).toMatchObject({ name: "By \ufffd hand", content: { "hero.title": "Cut \ufffd" } });
  const seen = page.state;
  expect(await page.refresh()).toBe(true);
  expect(page.state).toEqual(seen);
  expect(await page.apply(declared)).toBe("updated");
});

test.each([
  ["a family of five", `${"x".repeat(9)}👨‍👩‍👧‍👦tail`, 12, `${"x".repeat(9)}…`],
  ["an emoji at the edge", `${"x".repeat(9)}🧵tail`, 10, `${"x".repeat(9)}…`],
  ["a letter with its accent", `${"x".repeat(9)}e\u0301tail`, 10, `${"x".repeat(9)}…`],
  ["what fits", "🧵", 2, "🧵"],
])("texts are cut behind a whole character: %s", (_, text, most, cut) => expect(shortened(text, most)).toBe(cut));
