/** Prepares this process before anything else is loaded: its compile cache, its heap, and its outputs. */
import { constants, enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";

/** Compiling takes half of a start, so compiled code is kept in a folder of Landform, for this process and its children. */
export function keepCompiled(): void {
  const folder = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "landform", "compiled");
  // Node answers with NODE_COMPILE_CACHE if that is set, and not at all if NODE_DISABLE_COMPILE_CACHE is.
  const { status } = enableCompileCache(folder);
  if (status === constants.compileCacheStatus.ENABLED) process.env["NODE_COMPILE_CACHE"] = folder;
}

// V8 lets the heap grow by the machine's memory before it collects. A run of thousands of resources would take gigabytes, mostly garbage,
// on a machine that may have other work. A small run is left as it is, because collecting would only cost time.

const MB = 1024 * 1024;
const LOOK_MS = 100;

/** V8 lets the space for new objects grow to 128 MB and never gives it back. With 16 MB a run takes some 5 % more CPU. */
const MOST_NEW = 16 * MB;

/** From this size on, V8 collects when the heap has grown by this percentage since the last collection. */
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

/** A reader that has gone, such as `head`, is no fault, nor is a terminal that was closed. The work goes on, or ends, without output. */
export function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE" && error.code !== "EIO") throw error;
    });
  }
}

/** Resolves when all output is written. An earlier exit would cut it off. */
export async function written(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(drained));
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) resolve();
    else stream.write("", () => resolve());
  });
}
