/**
 * How far the heap may grow before V8 collects follows from the machine's memory: a run of thousands of resources would take
 * gigabytes, most of it garbage, of a machine that may have more to do. A small run is left as it is: there it would only cost.
 */
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";

const MB = 1024 * 1024;
const LOOK_MS = 100;

/** What is new has a space of its own, which V8 lets grow to 128 MB, and never gives back: with 16 a run takes some 5 % more CPU. */
const MOST_NEW = 16 * MB;

/** From so much on, a collection is due when what the last one left has grown by so many percent. */
const STAGES = [
  { from: 100 * MB, percent: 40 },
  { from: 400 * MB, percent: 15 },
];

export function collectSoonerWhenLarge(): void {
  let waiting = [
    { isDue: () => newSize() >= MOST_NEW, flag: "--semi-space-growth-factor=1" },
    ...STAGES.map(({ from, percent }) => ({
      isDue: () => getHeapStatistics().total_heap_size >= from,
      flag: `--heap-growing-percent=${percent}`,
    })),
  ];
  const look = setInterval(() => {
    const due = waiting.filter(({ isDue }) => isDue());
    for (const { flag } of due) setFlagsFromString(flag);
    waiting = waiting.filter((one) => !due.includes(one));
    if (waiting.length === 0) clearInterval(look);
  }, LOOK_MS);
  look.unref();
}

function newSize(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
}
