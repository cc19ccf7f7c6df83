import { spawn, type ChildProcess, type Serializable } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { NodeStart, WaitingProcesses } from "../request.ts";
import { HOOK, LITTLE_NEW, WATCH_PARENT } from "../sdk/switch.ts";

/** A Node process that the engine started: its lines, its end, and a way to end it. */
export interface Child {
  readonly pid: number | undefined;
  /** Resolves when the process is gone and its last line is reported. */
  readonly exited: Promise<ChildExit>;
  lastLines(): string[];
  /** Asks it to end, and kills it if it doesn't. */
  stop(): Promise<void>;
}

export interface BoundChild extends Child {
  /** Throws if the message can't be sent. If nobody reads it, the child's end tells. */
  send(message: Serializable): void;
  onMessage(listener: (message: unknown) => void): void;
}

export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: Error;
}

export type OnLine = (line: string, stream: "stdout" | "stderr") => void;

export interface ChildOptions {
  script: string;
  args: string[];
  nodeArgs?: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  onLine: OnLine;
  /** True if it ends with this process, however that ends. This needs code in the child, which a user's program doesn't get. */
  bound?: boolean;
  spares?: WaitingProcesses | undefined;
  preload?: readonly string[] | undefined;
}

type Start = Pick<ChildOptions, "script" | "nodeArgs" | "cwd" | "env" | "bound" | "spares" | "preload">;

const KEPT_LINES = 20;
const GRACE_MS = 2_000;

export function expectNode(options: Start): void {
  options.spares?.expect(startOf(options));
}

function startOf({ script, cwd, env, bound, nodeArgs = [], preload = [] }: Start): NodeStart {
  const watch = bound === true ? [WATCH_PARENT] : [];
  return { script, nodeArgs: [LITTLE_NEW, ...watch, HOOK, ...nodeArgs], cwd, env, preload };
}

export function startNode(options: ChildOptions): BoundChild {
  const start = startOf(options);
  const { script, cwd, env, nodeArgs } = start;
  const bound = options.bound === true;
  const child =
    options.spares?.take(start, options.args, bound) ??
    spawn(process.execPath, [...nodeArgs, script, ...options.args], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe", ...(bound ? ["ipc" as const] : [])],
      serialization: "advanced",
    });
  if (child.stdout === null || child.stderr === null) throw new TypeError("a child without pipes");
  const kept: string[] = [];
  const tell = (stream: "stdout" | "stderr") => (line: string) => {
    kept.push(line);
    if (kept.length > KEPT_LINES) kept.shift();
    options.onLine(line, stream);
  };
  const read = Promise.all([forEachLine(child.stdout, tell("stdout")), forEachLine(child.stderr, tell("stderr"))]);
  const exited = exitOf(child).then(async (exit) => {
    // A grandchild may hold the pipes open for ever, so nobody waits for its output.
    await Promise.race([read, delay(GRACE_MS, undefined, { ref: false })]);
    return exit;
  });
  return {
    pid: child.pid,
    exited,
    lastLines: () => [...kept],
    stop: () => stop(child, exited),
    send: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => {
      child.on("message", listener);
    },
  };
}

function exitOf(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, error }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
}

async function forEachLine(stream: Readable, onLine: (line: string) => void): Promise<void> {
  const lines = createInterface({ input: stream, crlfDelay: Infinity });
  lines.on("line", onLine);
  await new Promise((resolve) => lines.once("close", resolve));
}

async function stop(child: ChildProcess, exited: Promise<ChildExit>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
  const ended = exited.then(() => true);
  if (!(await Promise.race([ended, delay(GRACE_MS, false, { ref: false })]))) child.kill("SIGKILL");
  await exited;
}
