/** What this process writes to: readers that leave, and readers that are slow. Loaded before anything else is. */

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
