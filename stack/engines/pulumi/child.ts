/**
 * The process that drives Pulumi's own engine through the Automation API. It is separate for two reasons: an inline program runs in the
 * same process as the Automation API, and a Ctrl-C must not reach Pulumi too early.
 */
import { ConcurrentUpdateError, type EngineEvent as PulumiEvent } from "@pulumi/pulumi/automation/index.js";
import { pathToFileURL } from "node:url";
import { exportOf, type OperationRequest, perform, tellsOfLostLock } from "./operation.ts";

export type ChildReply =
  | { event: PulumiEvent }
  | { end: "succeeded"; lostLock: boolean }
  | { end: "failed"; output: string; locked: boolean; lostLock: boolean };

export type ChildOrder = { request: OperationRequest } | { cancel: true };

const cancel = new AbortController();

process.on("message", (order: ChildOrder) => {
  if ("cancel" in order) cancel.abort();
  else void answer(order.request).then((reply) => process.send?.(reply, () => process.disconnect()));
});
process.on("disconnect", () => cancel.abort());

async function answer(request: OperationRequest): Promise<ChildReply> {
  Object.assign(process.env, request.env);
  try {
    const told = await perform(request, { signal: cancel.signal, onEvent: (event) => tell({ event }), load });
    return { end: "succeeded", lostLock: tellsOfLostLock(told) };
  } catch (error) {
    const output = error instanceof Error ? error.message : String(error);
    return { end: "failed", output, locked: error instanceof ConcurrentUpdateError, lostLock: tellsOfLostLock(output) };
  }
}

function tell(reply: ChildReply): void {
  process.send?.(reply);
}

async function load(file: string): Promise<Record<string, unknown>> {
  const made = exportOf((await import(pathToFileURL(file).href)) as Record<string, unknown>);
  return (await (typeof made === "function" ? (made as () => unknown)() : made)) as Record<string, unknown>;
}
