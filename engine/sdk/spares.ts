import { spawn, type ChildProcess } from "node:child_process";
import type { NodeStart, WaitingProcesses } from "../request.ts";
import { WAIT } from "./node-arguments.ts";
import { isPlainSdk } from "./plain-sdk.ts";
import type { SpareOrder } from "./spare-hook.ts";

/** Names of modules, for the hook. */
export const PRELOAD_VARIABLE = "LANDFORM_PRELOAD";

/**
 * Processes that are started before they are needed, with everything loaded that does not change, and wait for their work.
 * For who runs the same program again and again: each run uses up those that wait, and new ones are made after it.
 * `forTwo`: for who runs it twice, the second one's start as soon as the first has found something to do.
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

  /** There will be a second run. */
  expectSecond(): void {
    if (this.#isForSecond) this.renew();
    this.#isForSecond = false;
  }

  /** After a run: as many as that one has used. */
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
    // One that can't be started is missed by nobody.
    child.on("error", () => undefined);
    return child;
  }
}

/** What one run was told in our variables is over when the next begins, which is told its own: what is loaded here sees neither. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("LANDFORM_")));
}

/** Two that agree in this differ in nothing but what they are told. */
function keyOf({ script, nodeArgs, cwd, env }: NodeStart): string {
  return JSON.stringify([script, nodeArgs, cwd, env["NODE_OPTIONS"], env["NODE_PATH"]]);
}
