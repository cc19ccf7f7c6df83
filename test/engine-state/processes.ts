import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** Runs child.ts in a process, with its output line by line. */
export function startChild(args: string[]) {
  const script = fileURLToPath(new URL("child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args]);
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exited;
  };
  onTestFinished(kill);
  return {
    process: child,
    kill,
    async line(): Promise<string> {
      const next = await lines.next();
      if (next.done === true) throw new Error(`the process ended without another line: ${errors}`);
      return next.value;
    },
    async rest(): Promise<string[]> {
      const rest: string[] = [];
      for (let next = await lines.next(); next.done !== true; next = await lines.next()) rest.push(next.value);
      return rest;
    },
  };
}
