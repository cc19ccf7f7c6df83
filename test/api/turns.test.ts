/** The queue of calls: the calls of the oldest piece go first. */
import { expect, test } from "vitest";
import { Gate, inOneTurn } from "../../provider/api/gate.ts";

/** Returns the pieces in the order in which the queue let them in. */
async function letIn(pieces: readonly string[], queue: "fresh" | "repeated" = "fresh"): Promise<string[]> {
  const gate = new Gate(1, undefined);
  const order: string[] = [];
  const call = async (name: string): Promise<void> => {
    const permit = await gate.enter(queue);
    order.push(name);
    await new Promise(setImmediate);
    gate.leave(permit, "succeeded");
  };
  const work = async (piece: string): Promise<void> => {
    for (const number of [1, 2, 3]) await call(`${piece}${number}`);
  };
  await Promise.all(pieces.map((piece) => inOneTurn(() => work(piece))));
  return order;
}

test.each(["fresh", "repeated"] as const)("what was begun is carried through: %s", async (queue) => {
  // When a first call ends, another takes its place before the piece's second call asks.
  expect(await letIn(["a", "b", "c", "d"], queue)).toEqual([
    "a1",
    "b1",
    "a2",
    "b2",
    "a3",
    "b3",
    "c1",
    "d1",
    "c2",
    "d2",
    "c3",
    "d3",
  ]);
});

test("calls of nobody's turn go before all others, in the order they come", async () => {
  const gate = new Gate(1, undefined);
  const order: string[] = [];
  const first = await gate.enter("fresh");
  const enter = (name: string): Promise<void> =>
    gate.enter("fresh").then((permit) => {
      order.push(name);
      gate.leave(permit, "succeeded");
    });
  const waiting = [inOneTurn(() => enter("one's")), enter("nobody's"), enter("nobody's, later")];
  gate.leave(first, "succeeded");
  await Promise.all(waiting);
  expect(order).toEqual(["nobody's", "nobody's, later", "one's"]);
});
