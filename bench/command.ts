/** Runs a command as a user does, in processes of its own, and measures it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Emulator } from "../emulator/index.ts";
import { watchProcesses, type Used } from "./processes.ts";

export interface Took {
  readonly seconds: number;
  /** The CPU time of all its processes. */
  readonly cpuSeconds: number;
  /** The memory of its largest process. */
  readonly megabytes: number;
  readonly printedBytes: number;
  /** The time from the first call's arrival to the last one's. */
  readonly callSeconds: number;
  /** The calls to the service, by method and route. */
  readonly calls: Readonly<Record<string, number>>;
}

export const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const USAGE = fileURLToPath(new URL("usage.cjs", import.meta.url));

export interface Place {
  readonly folder: string;
  readonly emulator: Emulator;
  readonly env: NodeJS.ProcessEnv;
}

export function landform(place: Place, ...args: string[]): Promise<Took> {
  return node(place, MAIN, ...args);
}

export function node(place: Place, ...args: string[]): Promise<Took> {
  return run(place, process.execPath, args);
}

export async function run({ folder, emulator, env }: Place, program: string, args: readonly string[]): Promise<Took> {
  const usage = join(tmpdir(), `landform-bench-${process.pid}.jsonl`);
  rmSync(usage, { force: true });
  emulator.requests.length = 0;
  const start = performance.now();
  const child = spawn(program, args, {
    cwd: folder,
    env: {
      ...env,
      LANDFORM_BENCH_USAGE: usage,
      NODE_OPTIONS: `--require=${USAGE}`,
      LANDFORM_BASE_URL: emulator.baseUrl,
      LANDFORM_API_KEY: emulator.apiKey,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const watched = watchProcesses(child.pid ?? 0);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => said.push(data.toString()));
  const [code] = (await once(child, "close").finally(() => watched.end())) as [number | null];
  const seconds = (performance.now() - start) / 1000;
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${String(code)}:\n${said.join("").slice(-2_000)}`);
  const used = usedBy(watched.end(), usage);
  return {
    seconds,
    cpuSeconds: used.reduce((sum, { cpuMs }) => sum + cpuMs / 1000, 0),
    megabytes: Math.max(...used.map(({ megabytes }) => megabytes)),
    printedBytes: Buffer.byteLength(said.join("")),
    callSeconds: spanOf(emulator),
    calls: countsOf(emulator),
  };
}

/** The numbers that a process reports at its end are exact. For the others, the last look counts. */
function usedBy(seen: ReadonlyMap<number, Used>, usage: string): Used[] {
  const all = new Map(seen);
  const told = existsSync(usage) ? readFileSync(usage, "utf8").trim().split("\n") : [];
  for (const { pid, ...used } of told.map((line) => JSON.parse(line) as Used & { pid: number })) all.set(pid, used);
  return [...all.values()];
}

export function median(runs: readonly Took[], by: "cpuSeconds" | "seconds" = "cpuSeconds"): Took {
  const middle = [...runs].sort((a, b) => a[by] - b[by])[Math.floor(runs.length / 2)];
  if (middle === undefined) throw new TypeError("nothing was measured");
  return middle;
}

function spanOf({ requests }: Emulator): number {
  const [first, last] = [requests.at(0), requests.at(-1)];
  return first === undefined || last === undefined ? 0 : (Date.parse(last.at) - Date.parse(first.at)) / 1000;
}

function countsOf({ requests }: Emulator): Record<string, number> {
  const calls: Record<string, number> = {};
  for (const { method, route } of requests) calls[`${method} ${route}`] = (calls[`${method} ${route}`] ?? 0) + 1;
  return calls;
}
