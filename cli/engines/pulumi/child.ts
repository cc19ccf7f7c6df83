/**
 * The process that drives Pulumi's own engine through the Automation API. It is one of its own because an inline program
 * runs where the Automation API runs, and because a Ctrl-C must not reach Pulumi before it is meant to.
 */
import {
  ConcurrentUpdateError,
  LocalWorkspace,
  PulumiCommand,
  Stack,
  type EngineEvent as PulumiEvent,
} from "@pulumi/pulumi/automation/index.js";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { RunRequest } from "../types.ts";

export interface ChildRequest {
  workDir: string;
  stack: string;
  /** The installation, below which is `bin/pulumi`; absent where the executable is on PATH. */
  env: Record<string, string>;
  /** The module to run here; absent where Pulumi runs the program itself. */
  inline?: string;
  run: Pick<RunRequest, "kind" | "dryRun" | "parallel" | "targets" | "refresh" | "continueOnError">;
  /** Where a preview writes its plan, and where an up finds the one to keep to. */
  plan?: string;
}

export type ChildReply =
  { event: PulumiEvent } | { end: "succeeded" } | { end: "failed"; output: string; locked: boolean };

export type ChildOrder = { request: ChildRequest } | { cancel: true };

const cancel = new AbortController();

process.on("message", (order: ChildOrder) => {
  if ("cancel" in order) cancel.abort();
  else void answer(order.request).then((reply) => process.send?.(reply, () => process.disconnect()));
});
process.on("disconnect", () => cancel.abort());

async function answer(request: ChildRequest): Promise<ChildReply> {
  try {
    await perform(request);
    return { end: "succeeded" };
  } catch (error) {
    const output = error instanceof Error ? error.message : String(error);
    return { end: "failed", output, locked: error instanceof ConcurrentUpdateError };
  }
}

async function perform({ workDir, stack: name, env, inline, run, plan }: ChildRequest): Promise<void> {
  const pulumiCommand = await PulumiCommand.get({ skipVersionCheck: true });
  const workspace = await LocalWorkspace.create({ workDir, envVars: env, pulumiCommand });
  const stack = await opened(name, workspace);
  // An operation's answer would cost three more calls of the CLI; the events have it all.
  stack.outputs = () => Promise.resolve({});
  stack.info = () => Promise.resolve(undefined);
  const { kind, dryRun, parallel, targets = [], refresh, continueOnError } = run;
  const common = {
    parallel,
    ...(targets.length > 0 ? { target: targets } : {}),
    onEvent: (event: PulumiEvent) => void process.send?.({ event } satisfies ChildReply),
    signal: cancel.signal,
    color: "never" as const,
  };
  const program = inline === undefined ? {} : { program: () => load(inline) };
  const held = plan === undefined ? {} : { plan };
  if (kind === "destroy") await stack.destroy({ ...common, previewOnly: dryRun === true, continueOnError });
  else if (kind === "refresh") await stack.refresh({ ...common, previewOnly: dryRun === true });
  else await stack[kind]({ ...common, ...program, ...held, refresh, continueOnError });
}

const TRIES = 4;
const PAUSE_MS = 500;

/** Another machine may be making the stack too, or working in the same table, where Pulumi then misses a row (3.245). */
async function opened(name: string, workspace: LocalWorkspace): Promise<Stack> {
  for (let tries = 1; ; tries++) {
    try {
      return await Stack.createOrSelect(name, workspace);
    } catch (error) {
      const passes = /already exists|no rows in result set/.test(error instanceof Error ? error.message : "");
      if (!passes || tries === TRIES) throw error;
      await delay(PAUSE_MS * tries);
    }
  }
}

/** What a program's module means to Pulumi: its exports are the outputs, or its default export makes them. */
async function load(file: string): Promise<Record<string, unknown>> {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const { default: main, ...outputs } = module;
  if (typeof main === "function") return (await (main as () => unknown)()) as Record<string, unknown>;
  return typeof main === "object" && main !== null ? { ...main, ...outputs } : outputs;
}
