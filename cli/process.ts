/** This process before anything else is loaded: what it compiles, how its heap grows, and whom it writes to. */
import { constants, enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";

/**
 * Half of a start is compiling: what was compiled is kept in a folder of ours, for this process and those it starts. A folder that
 * can't be written is no harm: then everything is compiled, as it would be without.
 */
export function keepCompiled(): void {
  const folder = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "landform", "compiled");
  // It answers with what NODE_COMPILE_CACHE names where that is set, and is silent where NODE_DISABLE_COMPILE_CACHE is.
  const { status } = enableCompileCache(folder);
  if (status === constants.compileCacheStatus.ENABLED) process.env["NODE_COMPILE_CACHE"] = folder;
}

// How far the heap may grow before V8 collects follows from the machine's memory: a run of thousands of resources would take
// gigabytes, most of it garbage, of a machine that may have more to do. A small run is left as it is: there it would only cost.

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

/** A reader that has gone, as `head` does, is no fault: what is under way goes on, and is told to nobody. */
export function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}

/** Resolves when all that was written has left: to exit before would cut it. */
export async function written(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(drained));
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write("", () => resolve());
  });
}
