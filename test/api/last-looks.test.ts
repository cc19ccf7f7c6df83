/** The last looks of an apply: writes that end together share them, and nobody waits for others that can't come. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Bulk } from "../../provider/account/bulk.ts";
import { inOneTurn, takeTurn } from "../../provider/api/gate.ts";

const CALL_MS = 200;
const rows = [{ id: "a" }, { id: "b" }, { id: "c" }];

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "performance"] }));
afterEach(() => vi.useRealTimers());

function slowSource() {
  const asked: string[] = [];
  const answer = <T>(what: string, value: T): Promise<T> => {
    asked.push(what);
    return new Promise((resolve) => setTimeout(() => resolve(value), CALL_MS));
  };
  const snapshot = new Bulk({
    list: (page) => answer(`list ${page}`, rows),
    one: (id) => answer(id, { id }),
  });
  const looked = (id: string) => {
    takeTurn();
    return snapshot.fresh(id, () => true);
  };
  return { asked, looked };
}

test("a look waits for what is under way, and serves it, too", async () => {
  const { asked, looked } = slowSource();
  const first = inOneTurn(() => looked("a"));
  const slow = inOneTurn(async () => {
    takeTurn();
    await new Promise((resolve) => setTimeout(resolve, CALL_MS + 100));
    return looked("c");
  });
  await vi.advanceTimersByTimeAsync(CALL_MS + 50);
  expect(await first).toEqual({ id: "a" });
  const second = inOneTurn(() => looked("b"));
  await vi.advanceTimersByTimeAsync(3 * CALL_MS);
  expect(await Promise.all([second, slow])).toEqual([{ id: "b" }, { id: "c" }]);
  expect(asked).toEqual(["a", "list 0"]);
});

test("the look of the last one is made at once", async () => {
  const { asked, looked } = slowSource();
  const first = inOneTurn(() => looked("a"));
  await vi.advanceTimersByTimeAsync(CALL_MS + 50);
  await first;
  const last = inOneTurn(() => looked("b"));
  await vi.advanceTimersByTimeAsync(10);
  expect(asked).toEqual(["a", "b"]);
  await vi.advanceTimersByTimeAsync(CALL_MS);
  expect(await last).toEqual({ id: "b" });
});
