/**
 * How far the heap may grow before V8 collects follows from the machine's memory: a run of thousands of resources would take
 * gigabytes, most of it garbage, of a machine that may have more to do. A small run is left as it is: there it would only cost.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";

const MB = 1024 * 1024;
const LOOK_MS = 100;

/** From so much on, a collection is due when what the last one left has grown by so many percent. */
const STAGES = [
  { from: 200 * MB, percent: 40 },
  { from: 500 * MB, percent: 15 },
];

export function collectSoonerWhenLarge(): void {
  const stages = [...STAGES];
  const look = setInterval(() => {
    const [next] = stages;
    if (next === undefined) clearInterval(look);
    else if (getHeapStatistics().total_heap_size >= next.from) {
      setFlagsFromString(`--heap-growing-percent=${next.percent}`);
      stages.shift();
    }
  }, LOOK_MS);
  look.unref();
}
