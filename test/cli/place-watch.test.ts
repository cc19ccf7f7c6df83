/** The watch over the place of the state: it asks only in silence, and calls the place gone only after repeated failures. */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { PlaceWatch, type WatchLimits } from "../../stack/engines/pulumi/process.ts";

const FAST: WatchLimits = { quietMs: 20, answerMs: 10, pauseMs: 1 };
const SLOW: WatchLimits = { quietMs: 3_600_000, answerMs: 3_600_000, pauseMs: 3_600_000 };

let watch: PlaceWatch | undefined;
afterEach(() => watch?.close());

/** Answers as the test says, and well from then on. */
function placeThat(...answers: ("fails" | "answers")[]) {
  let asked = 0;
  const times: number[] = [];
  return {
    times,
    ask: (answerMs: number) => {
      times.push(answerMs);
      return answers[asked++] === "fails" ? Promise.reject(new Error(`refused ${asked}`)) : Promise.resolve();
    },
  };
}

const isGone = (within: number) => Promise.race([watch?.gone, delay(within, "there")]);

test("three failures in a row are its end, with the reason of the last", async () => {
  const { ask, times } = placeThat("fails", "answers", "fails", "fails", "fails");
  watch = new PlaceWatch(ask, FAST);
  expect(await isGone(10_000)).toBe("refused 5");
  expect(times).toEqual([10, 10, 10, 10, 10]);
});

test("an answer resets the count of failures", async () => {
  const { ask, times } = placeThat("fails", "fails", "answers", "fails", "fails");
  watch = new PlaceWatch(ask, FAST);
  while (times.length < 8) await delay(5);
  expect(await isGone(1)).toBe("there");
});

test("a run that tells something is not asked about", async () => {
  const { ask, times } = placeThat("fails", "fails", "fails");
  watch = new PlaceWatch(ask, { ...FAST, quietMs: 1_000 });
  for (let word = 0; word < 20; word++) {
    watch.heard();
    await delay(5);
  }
  expect(times).toEqual([]);
});

test("an interruption waits for nothing that was to be waited for", async () => {
  const { ask } = placeThat("fails", "fails", "fails");
  watch = new PlaceWatch(ask, SLOW);
  watch.hurry(FAST);
  expect(await isGone(10_000)).toBe("refused 3");
});

test("one that is closed says nothing, also where it was asked", async () => {
  const { ask, times } = placeThat("fails", "fails", "fails", "fails");
  watch = new PlaceWatch(ask, FAST);
  while (times.length < 2) await delay(1);
  watch.close();
  expect(await isGone(100)).toBe("there");
  expect(times.length).toBeLessThan(4);
});
