/** Questions that are asked before their turn: their number stays the same, the program's order holds, and the plan is no different. */
import { expect, test } from "vitest";
import { Bench } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const bench = Bench.each();

const MANY = 60;
const things = (inputs: string): string => `for (let i = 0; i < ${MANY}; i++) new Thing("t" + i, ${inputs});`;
const each = (call: string): string[] => Array.from({ length: MANY }, (_, index) => `${call} t${index}`);

async function planned(body: string): Promise<Record<string, number>> {
  await bench.clearCalls();
  const { result, summary, failures } = await bench.runs("preview", body);
  expect([result, failures]).toEqual(["succeeded", []]);
  return { ...summary };
}

test("each is checked and compared once, in the order of the program", async () => {
  await bench.up(things("{ text: 'one' }"));
  expect(await planned(things("{ text: i < 30 ? 'one' : 'two' }"))).toEqual({ same: 31, update: 30 });
  expect(await bench.calls("check")).toEqual(each("check"));
  expect(await bench.calls("diff")).toEqual(each("diff"));
});

thorough("a replacement is checked anew, and what depends on it is asked by what it becomes", async () => {
  const body = (base: string): string =>
    `const first = new Thing("first", { base: "${base}" });
     for (let i = 0; i < ${MANY}; i++) new Thing("t" + i, { text: i % 2 ? "plain" : first.id });`;
  await bench.up(body("a"));
  expect(await planned(body("b"))).toMatchObject({ replace: 1, same: 31, update: 30 });
  expect(await bench.calls("check")).toHaveLength(MANY + 2);
  expect(await bench.calls("diff")).toHaveLength(MANY + 1);
});

thorough("what a provider refuses is told of the first, and nothing after it is carried out", async () => {
  await bench.applied(things("{ text: 'one' }"));
  const { result, failures } = await bench.runs("up", things("{ text: 'two', refuse: i === 20 }"), { parallel: 1 });
  expect(result).toBe("failed");
  expect(failures.map(({ message }) => message.includes('"t20"'))).toEqual([true]);
  const updated = await bench.calls("update");
  expect(updated).toEqual(each("update").slice(0, updated.length));
  expect(updated.length).toBeLessThanOrEqual(20);
});
