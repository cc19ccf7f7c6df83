/**
 * Pulumi's own engine with its own command and its own process of the providers. Only the process that drives it is replaced: the Automation API and
 * the program run here. This halves a walk's time.
 */
import { ConcurrentUpdateError } from "@pulumi/pulumi/automation/index.js";
import { completed, type Drive, type End } from "../../stack/engines/pulumi/process.ts";
import { perform, tellsOfLostLock } from "../../stack/engines/pulumi/operation.ts";
import { inEnvironment, outputsOf, withOwnRejections } from "./program-in-process.ts";

export function driveHere({ request, signals, onEvent }: Drive): Promise<End> {
  const signal = signals.cancel ?? new AbortController().signal;
  const work = (): Promise<string> => perform(request, { signal, onEvent: (event) => onEvent(completed(event)), load });
  return inEnvironment(request.env, () => withOwnRejections(() => ended(work)));
}

const load = (file: string): Promise<Record<string, unknown>> => outputsOf(file) as Promise<Record<string, unknown>>;

async function ended(work: () => Promise<string>): Promise<End> {
  try {
    return { end: "succeeded", lostLock: tellsOfLostLock(await work()) };
  } catch (error) {
    const output = error instanceof Error ? error.message : String(error);
    return { end: "failed", output, locked: error instanceof ConcurrentUpdateError, lostLock: tellsOfLostLock(output) };
  }
}
