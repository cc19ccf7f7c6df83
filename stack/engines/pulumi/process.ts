/** Pulumi's own process. After an interruption, or if the place of the state is gone, Landform ends it in bounded time. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type {
  EngineEvent as PulumiEvent,
  StepEventMetadata as PulumiMetadata,
  StepEventStateMetadata as PulumiState,
} from "@pulumi/pulumi/automation/index.js";
import type { EngineEvent, StepEventMetadata, StepEventStateMetadata } from "../../../engine/index.ts";
import { reasonOf } from "../../../provider/values/wording.ts";
import type { RunRequest } from "../contract.ts";
import { EventLog } from "./event-log.ts";
import type { EndedByUs } from "./failures.ts";
import { argumentsOf, DRIVEN, type OperationRequest, tellsOfLock, tellsOfLostLock } from "./operation.ts";
import type { ProgramServer } from "./program.ts";

export type End = Over | EndedByUs;

type Over =
  { end: "succeeded"; lostLock: boolean } | { end: "failed"; output: string; locked: boolean; lostLock: boolean };

export function isEndedByUs(end: End): end is EndedByUs {
  return end.end === "gone" || end.end === "stuck";
}

export interface Drive {
  readonly request: OperationRequest;
  readonly scratch: string;
  readonly program?: ProgramServer | undefined;
  readonly signals: Pick<RunRequest, "cancel" | "terminate">;
  /** Asks the place of the state for anything. Fails after the given time. */
  readonly askPlace: (answerMs: number) => Promise<unknown>;
  readonly onEvent: (event: EngineEvent) => void;
}

/** After an interruption, work under way may take its time, but not in silence. */
const SILENCE_MS = 180_000;
/** The time from one signal to the next. */
const STEP_MS = 5_000;
const LOOK_MS = 100;

export async function drive({ request, scratch, program, signals, askPlace, onEvent }: Drive): Promise<End> {
  const { inline, env } = request;
  const port = inline === undefined ? undefined : await program?.serve(inline, env);
  const watch = new PlaceWatch(askPlace);
  const stuck = Promise.withResolvers<End>();
  let silence: NodeJS.Timeout | undefined;
  const events = join(scratch, "events.jsonl");
  const log = new EventLog(events, (event) => {
    watch.heard();
    silence?.refresh();
    onEvent(completed(event));
  });
  const said = [join(scratch, "stdout.txt"), join(scratch, "stderr.txt")] as const;
  const child = started(request, argumentsOf(request, { events, program: port }), said);
  const over = new AbortController();
  const onCancel = (): void => {
    child.kill("SIGINT");
    watch.hurry();
    silence = setTimeout(() => stuck.resolve({ end: "stuck" }), SILENCE_MS);
  };
  const onTerminate = (): void => void endGroup(child, over.signal);
  signals.cancel?.addEventListener("abort", onCancel);
  signals.terminate?.addEventListener("abort", onTerminate);
  try {
    const ended = endOf(child, said);
    const gone = watch.gone.then((reason): End => ({ end: "gone", reason }));
    const end = await Promise.race([ended, gone, stuck.promise, ...(program === undefined ? [] : [program.gone])]);
    if (isEndedByUs(end)) {
      ended.catch(() => undefined);
      child.kill("SIGINT");
      await Promise.race([ended.catch(() => undefined), delay(STEP_MS)]);
      await endGroup(child);
      return end;
    }
    const left = port === undefined ? undefined : await program?.over(end.end === "failed");
    return left === undefined ? end : { ...end, end: "failed", output: left, locked: false };
  } catch (error) {
    await endGroup(child);
    throw error;
  } finally {
    over.abort();
    log.end();
    clearTimeout(silence);
    watch.close();
    signals.cancel?.removeEventListener("abort", onCancel);
    signals.terminate?.removeEventListener("abort", onTerminate);
  }
}

/** Its output goes to files: a pipe would end Pulumi in the middle of its work if this process were killed. */
function started(
  { pulumi, workDir, env }: OperationRequest,
  args: readonly string[],
  [stdout, stderr]: readonly [string, string],
): ChildProcess {
  const files = [openSync(stdout, "w", 0o600), openSync(stderr, "w", 0o600)];
  try {
    return spawn(pulumi.path, args, {
      cwd: workDir,
      env: { ...process.env, ...env, ...DRIVEN },
      stdio: ["ignore", ...files],
      // Ctrl-C goes to the group of the terminal. Landform tells Pulumi instead.
      detached: true,
    });
  } finally {
    for (const file of files) closeSync(file);
  }
}

async function endOf(child: ChildProcess, said: readonly [string, string]): Promise<Over> {
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  const [stdout = "", stderr = ""] = said.map((file) => readFileSync(file, "utf8"));
  const lostLock = tellsOfLostLock(stderr);
  if (code === 0) return { end: "succeeded", lostLock };
  const told = signal === null ? stderr : `Pulumi was ended by ${signal}. The next run finds what was under way`;
  const output = `code: ${code ?? "?"}\n stdout: ${stdout}\n stderr: ${told}`;
  return { end: "failed", output, locked: tellsOfLock(stderr), lostLock };
}

/** Pulumi leaves at once on a second SIGINT. Landform ends a process that does not. The provider's host follows Pulumi by itself. */
async function endGroup({ pid }: ChildProcess, over?: AbortSignal): Promise<void> {
  if (pid === undefined) return;
  for (const signal of ["SIGINT", "SIGTERM", "SIGKILL"] as const) {
    signalGroup(pid, signal);
    for (let waited = 0; waited < STEP_MS; waited += LOOK_MS) {
      await delay(LOOK_MS);
      if (over?.aborted === true || !signalGroup(pid, 0)) return;
    }
  }
}

/** Tells if a process was there to take the signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

export function completed(event: PulumiEvent): EngineEvent {
  const { resourcePreEvent, resOutputsEvent, resOpFailedEvent } = event;
  return {
    ...(event as EngineEvent),
    ...(resourcePreEvent && { resourcePreEvent: withMetadata(resourcePreEvent) }),
    ...(resOutputsEvent && { resOutputsEvent: withMetadata(resOutputsEvent) }),
    ...(resOpFailedEvent && { resOpFailedEvent: withMetadata(resOpFailedEvent) }),
  };
}

type Completed<Event> = Omit<Event, "metadata"> & { metadata: StepEventMetadata };

function withMetadata<Event extends { metadata: PulumiMetadata }>(event: Event): Completed<Event> {
  const { old, new: next, ...metadata } = event.metadata;
  return {
    ...event,
    metadata: {
      ...{ keys: [], diffs: [], detailedDiff: {}, logical: true },
      ...present<Omit<StepEventMetadata, "old" | "new">>(metadata),
      ...(old && { old: state(old) }),
      ...(next && { new: state(next) }),
    },
  };
}

function state(told: PulumiState): StepEventStateMetadata {
  return { ...EMPTY, ...present<StepEventStateMetadata>(told) };
}

const EMPTY = {
  ...{ custom: false, delete: false, protect: false, retainOnDelete: false },
  ...{ id: "", parent: "", initErrors: [], inputs: {}, outputs: {} },
};

/** Drops null values: Pulumi sends empty lists and maps as null. */
function present<Whole>(told: object): Whole {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null && value !== undefined)) as Whole;
}

// Watches if the place of the state still answers while Pulumi works. Pulumi writes the state after each step. It tries each write for more
// than a minute if nobody answers, and for ever if somebody accepts it and says nothing. It tells none of this. So Landform asks the place
// whenever a run tells nothing for a while. A place that doesn't answer several times in a row is gone.

export interface WatchLimits {
  /** The longest silence of a run before the place is asked. */
  readonly quietMs: number;
  /** A longer answer counts as none. */
  readonly answerMs: number;
  readonly pauseMs: number;
}

/** A person waits for the end of an interrupted run. */
const PATIENT: WatchLimits = { quietMs: 20_000, answerMs: 30_000, pauseMs: 10_000 };
const INTERRUPTED: WatchLimits = { quietMs: 5_000, answerMs: 10_000, pauseMs: 2_000 };

const FAILURES = 3;

export class PlaceWatch {
  /** Resolves with the reason once the place is gone. It never resolves if the place answers or nobody watches any more. */
  readonly gone: Promise<string>;
  readonly #closed = new AbortController();
  readonly #ask: (answerMs: number) => Promise<unknown>;
  #limits: WatchLimits;
  #hurried = new AbortController();
  #heardAt = performance.now();

  /** `ask` fails if the place fails, and after its time. */
  constructor(ask: (answerMs: number) => Promise<unknown>, limits: WatchLimits = PATIENT) {
    this.#ask = ask;
    this.#limits = limits;
    this.gone = this.#watch();
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  hurry(limits: WatchLimits = INTERRUPTED): void {
    this.#limits = limits;
    const before = this.#hurried;
    this.#hurried = new AbortController();
    before.abort();
  }

  close(): void {
    this.#closed.abort();
    this.#hurried.abort();
  }

  async #watch(): Promise<string> {
    for (let failures = 0; ;) {
      if (failures === 0) await this.#quiet();
      const reason = this.#closed.signal.aborted ? undefined : await this.#failure();
      if (this.#closed.signal.aborted) return new Promise(() => undefined);
      failures = reason === undefined ? 0 : failures + 1;
      if (reason !== undefined && failures === FAILURES) return reason;
      if (reason === undefined) this.heard();
      else await this.#rest(this.#limits.pauseMs);
    }
  }

  async #quiet(): Promise<void> {
    for (;;) {
      const left = this.#heardAt + this.#limits.quietMs - performance.now();
      if (left <= 0 || this.#closed.signal.aborted) return;
      await this.#rest(left);
    }
  }

  async #failure(): Promise<string | undefined> {
    return this.#ask(this.#limits.answerMs).then(
      () => undefined,
      (error: unknown) => reasonOf(error),
    );
  }

  /** Waits. A change of the limits ends the wait early. */
  async #rest(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#hurried.signal }).catch(() => undefined);
  }
}
