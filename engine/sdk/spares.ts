import { spawn, type ChildProcess } from "node:child_process";
import type { NodeStart, WaitingProcesses } from "../request.ts";
import { isPlainSdk, WAIT } from "./switch.ts";
import type { SpareOrder } from "./spare-hook.ts";

const PRELOAD_VARIABLE = "LANDFORM_PRELOAD";

/**
 * Processes that start before they are needed, load everything that doesn't change, and wait for their work. They are for callers that run the same
 * program again and again: each run uses up the waiting ones, and new ones start after it. `forTwo`: the caller runs the program twice, and the
 * second process starts as soon as the first has found something to do.
 */
export class Spares implements WaitingProcesses {
  readonly #waiting = new Map<string, ChildProcess[]>();
  readonly #startedWith = new WeakMap<ChildProcess, NodeJS.ProcessEnv>();
  #used: NodeStart[] = [];
  #isForSecond: boolean;

  constructor({ forTwo = false }: { forTwo?: boolean } = {}) {
    this.#isForSecond = forTwo;
  }

  take(start: NodeStart, args: string[], keepsChannel: boolean): ChildProcess | undefined {
    if (isPlainSdk()) return undefined;
    this.#used.push(start);
    const waiting = this.#waiting.get(keyOf(start)) ?? [];
    for (let spare = waiting.shift(); spare !== undefined; spare = waiting.shift()) {
      if (!spare.connected) continue;
      spare.removeAllListeners("error");
      const envBefore = this.#startedWith.get(spare) ?? {};
      spare.send({ args, env: start.env, envBefore, keepsChannel } satisfies SpareOrder);
      return spare;
    }
    return undefined;
  }

  expect(start: NodeStart): void {
    if (isPlainSdk()) return;
    const waiting = this.#waiting.get(keyOf(start)) ?? [];
    if (!waiting.some(({ connected }) => connected)) this.#waiting.set(keyOf(start), [this.#start(start)]);
  }

  expectSecond(): void {
    if (this.#isForSecond) this.renew();
    this.#isForSecond = false;
  }

  renew(): void {
    for (const start of this.#used) {
      const waiting = this.#waiting.get(keyOf(start)) ?? [];
      this.#waiting.set(keyOf(start), [...waiting, this.#start(start)]);
    }
    this.#used = [];
  }

  close(): void {
    for (const spare of [...this.#waiting.values()].flat()) spare.kill("SIGKILL");
    this.#waiting.clear();
  }

  #start({ script, nodeArgs, cwd, env, preload }: NodeStart): ChildProcess {
    const own = { ...withoutOurs(env), [PRELOAD_VARIABLE]: preload.join(",") };
    const child = spawn(process.execPath, [...nodeArgs, WAIT, script], {
      cwd,
      env: own,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      serialization: "advanced",
    });
    this.#startedWith.set(child, own);
    // Nobody misses a spare that can't be started.
    child.on("error", () => undefined);
    return child;
  }
}

/** Removes our variables: the next run gets its own, and preloaded modules see neither. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("LANDFORM_")));
}

/** Returns a key. Starts with equal keys differ only in the orders that they get. */
function keyOf({ script, nodeArgs, cwd, env }: NodeStart): string {
  return JSON.stringify([script, nodeArgs, cwd, env["NODE_OPTIONS"], env["NODE_PATH"]]);
}
