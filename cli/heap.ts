/**
 * How far the heap may grow before V8 collects follows from the machine's memory: a run of thousands of resources would take
 * gigabytes, most of it garbage, of a machine that may have more to do. A small run is left as it is: there it would only cost.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";

const LARGE = 200 * 1024 * 1024;
const LOOK_MS = 100;

export function collectSoonerWhenLarge(): void {
  const look = setInterval(() => {
    if (getHeapStatistics().total_heap_size < LARGE) return;
    clearInterval(look);
    // Each collection is due when what the last one left has grown by this much.
    setFlagsFromString("--heap-growing-percent=40");
  }, LOOK_MS);
  look.unref();
}
