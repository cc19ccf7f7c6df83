import type { OnEvent, OperationOutcome } from "../events.ts";
import { loadSdk, type Sdk } from "../link/sdk.ts";
import type { ResourceState } from "../model/types.ts";
import { isRootStack } from "../model/urn.ts";
import { containsSecret, reveal } from "../model/values.ts";
import { expectProgram, locate, type ProgramPlace } from "../program/process.ts";
import { refuseUnsupportedState } from "../program/unsupported.ts";
import type { OperationRequest, OperationResult } from "../request.ts";
import type { StackLock, UpdateKind } from "../state/types.ts";
import { refreshResources } from "./refresh.ts";
import { RunContext } from "./run-context.ts";
import { deleteLeftovers, runUpdate } from "./update.ts";

/** Runs an operation. It reports failures in events and in the result, and throws only if it can't begin: no such stack, a lock, a broken state. */
export async function runOperation(
  request: OperationRequest,
  onEvent: OnEvent = () => undefined,
): Promise<OperationResult> {
  const { kind, program = {} } = request;
  const place = locate(request.root, program);
  const sdk = lazily(() => loadSdk(place.folder));
  if ((kind === "preview" || kind === "up") && program.direct === undefined) void expectProgram(request);
  const dryRun = request.kind === "preview" || request.dryRun === true;
  if (dryRun) {
    const base = await request.backend.read({ project: request.project, stack: request.stack }, request.secrets);
    return perform(new RunContext({ request, sdk, folder: place.folder, onEvent, base, session: undefined }), place);
  }
  const lock = request.lock ?? (await request.backend.lock({ project: request.project, stack: request.stack }));
  try {
    return await apply(request, onEvent, lock, { sdk, place });
  } finally {
    if (request.lock === undefined) await lock.release();
  }
}

/** Loads a part when it is needed. Loading everything would take most of a small run's time. */
function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

async function apply(
  request: OperationRequest,
  onEvent: OnEvent,
  lock: StackLock,
  { sdk, place }: { sdk: () => Sdk; place: ProgramPlace },
): Promise<OperationResult> {
  const startTime = Date.now();
  const options = { kind: HISTORY_KIND[request.kind], config: request.configRecord };
  const session = await request.backend.begin(lock, request.secrets, options);
  const setup = { request, sdk, folder: place.folder, onEvent, base: session.base, session };
  const operation = await perform(new RunContext(setup), place);
  const result = operation.result === "succeeded" ? "succeeded" : "failed";
  await session.end({ result, summary: operation.summary, startTime, endTime: Date.now() });
  return operation;
}

const HISTORY_KIND: Record<OperationRequest["kind"], UpdateKind> = {
  preview: "update",
  up: "update",
  refresh: "refresh",
  destroy: "destroy",
};

async function perform(run: RunContext, place: ProgramPlace): Promise<OperationResult> {
  let stack: ResourceState | undefined;
  try {
    refuseUnsupportedState(run.base.resources);
    stack = await carryOut(run, place);
    if (leavesNothingOpen(run)) for (const call of run.base.pendingOperations) await run.session?.settle(call);
  } catch (error) {
    run.fail(error);
  }
  await run.settled();
  await run.providers.close();
  const result = outcome(run);
  run.events.summary();
  return {
    result,
    summary: run.events.counts,
    outputs: outputsOf(stack ?? run.base.resources.find((resource) => isRootStack(resource.urn))),
    plan: { steps: run.planned },
    failures: [...run.failures],
    unchanged: result === "succeeded" && run.dryRun && !run.changes,
  };
}

/**
 * Tells if a whole run went well: it has made, or no longer wants, everything that a killed run was creating. Then the account can be cleaned of it.
 */
function leavesNothingOpen({ request, dryRun, failures, cancelled }: RunContext): boolean {
  const isWhole = (request.kind === "up" || request.kind === "destroy") && (request.targets ?? []).length === 0;
  return isWhole && !dryRun && !cancelled && failures.length === 0;
}

async function carryOut(run: RunContext, place: ProgramPlace): Promise<ResourceState | undefined> {
  if (run.request.kind === "refresh") {
    await refreshResources(run);
    return undefined;
  }
  if (run.request.kind !== "destroy") return runUpdate(run, place);
  if (run.request.refresh === true) run.rebase(await refreshResources(run));
  if (run.failures.length === 0) await deleteLeftovers(run);
  return undefined;
}

function outcome(run: RunContext): OperationOutcome {
  if (run.failures.length > 0) return "failed";
  return run.cancelled ? "cancelled" : "succeeded";
}

function outputsOf(stack: ResourceState | undefined): OperationResult["outputs"] {
  const told = Object.entries(stack?.outputs ?? {}).map(([key, value]) => {
    return [key, { value: reveal(value), secret: containsSecret(value) }] as const;
  });
  return Object.fromEntries(told);
}
