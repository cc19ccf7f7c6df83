/** An environment expires so many days after the last push, even if it is deployed again in the meantime. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { environmentHandler } from "../../provider/preview/stand-ins.ts";
import type { JsonMap } from "../../provider/values/json.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const day = (count: number): string => new Date(START + count * 86_400_000).toISOString();
const at = (count: number): unknown => vi.setSystemTime(START + count * 86_400_000);
const said = (commit: string, ttlDays = 14): JsonMap => ({ name: "pr-1", commit, ttlDays });

beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: START }));
afterEach(() => vi.useRealTimers());

async function updated(old: JsonMap, now: JsonMap): Promise<JsonMap> {
  expect((await environmentHandler.diff("pr-1", old, now)).changes).toBe(true);
  const { outs } = await environmentHandler.update("pr-1", old, now);
  expect((await environmentHandler.diff("pr-1", outs, now)).changes).toBe(false);
  return outs;
}

test("a push puts it off, and nothing else does", async () => {
  const { outs } = await environmentHandler.create(said("one"));
  expect(outs).toMatchObject({ createdAt: day(0), pushedAt: day(0), expiresAt: day(14) });
  at(3);
  const longer = await updated(outs, said("one", 30));
  expect(longer).toMatchObject({ createdAt: day(0), pushedAt: day(0), expiresAt: day(30) });
  at(5);
  const pushed = await updated(longer, said("two", 30));
  expect(pushed).toMatchObject({ createdAt: day(0), pushedAt: day(5), expiresAt: day(35) });
});
