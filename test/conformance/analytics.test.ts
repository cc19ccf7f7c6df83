import { expect, test } from "vitest";
import { ok } from "./expectations.ts";
import { eventually, makePage } from "./fixtures.ts";
import { openTarget } from "./target.ts";

const target = await openTarget();
const counts = async () => ok(await target.call("getAccountCounts")) as Record<string, unknown>;

test("account counts are numbers", async () => {
  const numbers = Object.values(await counts()).filter((value) => typeof value === "number");
  expect(numbers).not.toEqual([]);
});

test("a new page moves some count", async () => {
  const before = JSON.stringify(await counts());
  await makePage(target);
  const after = await eventually(
    async () => JSON.stringify(await counts()),
    (now) => now !== before,
  );
  expect(after).not.toBe(before);
});
