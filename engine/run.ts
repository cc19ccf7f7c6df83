import { deleteLeftovers } from "./deletions.ts";
import type { OnEvent, OperationOutcome } from "./events.ts";
import { Operation } from "./operation.ts";
import { locate, type ProgramPlace } from "./program.ts";
import { clearPendingCreates, refreshResources } from "./refresh.ts";
import type { OperationRequest, OperationResult } from "./request.ts";
import type { Deployment, ResourceState, StackLock, UpdateKind, UpdateSession } from "./state/types.ts";
import { refuseUnsupportedState } from "./unsupported.ts";
import { runUpdate } from "./update.ts";
import { isRootStack } from "./urn.ts";
import { containsSecret, reveal } from "./values.ts";
import { loadSdk } from "./wire.ts";

/**
 * Previews, updates, refreshes or destroys a stack. What goes wrong on the way is told in events and in the result; it
 * throws only when it could not begin (the stack is locked, does not exist, cannot be read).
 */
export async function runOperation(
  request: OperationRequest,
  onEvent: OnEvent = () => undefined,
): Promise<OperationResult> {
  const startTime = Date.now();
  const place = locate(request.root, request.program ?? {});
  const sdk = loadSdk(place.folder);
  const dryRun = request.kind === "preview" || request.dryRun === true;
  if (dryRun) {
    const base = await request.backend.read({ project: request.project, stack: request.stack }, request.secrets);
    const operation = new Operation({ request, sdk, folder: place.folder, onEvent, base, session: undefined });
    return perform(operation, place, startTime);
  }
  const lock = request.lock ?? (await request.backend.lock({ project: request.project, stack: request.stack }));
  try {
    return await apply(request, onEvent, lock, { sdk, place, startTime });
  } finally {
    if (request.lock === undefined) await lock.release();
  }
}

async function apply(
  request: OperationRequest,
  onEvent: OnEvent,
  lock: StackLock,
  { sdk, place, startTime }: { sdk: ReturnType<typeof loadSdk>; place: ProgramPlace; startTime: number },
): Promise<OperationResult> {
  const { message, environment, configRecord: config } = request;
  const kind = HISTORY_KIND[request.kind];
  const session = await request.backend.begin(lock, request.secrets, { kind, message, environment, config });
  const setup = { request, sdk, folder: place.folder, onEvent, base: session.base, session };
  const result = await perform(new Operation(setup), place, startTime);
  await end(session, result, startTime);
  return result;
}

const HISTORY_KIND: Record<OperationRequest["kind"], UpdateKind> = {
  preview: "update",
  up: "update",
  refresh: "refresh",
  destroy: "destroy",
};

async function end(session: UpdateSession, result: OperationResult, startTime: number): Promise<void> {
  const outcome = result.result === "succeeded" ? "succeeded" : "failed";
  await session.end({ result: outcome, summary: result.summary, startTime, endTime: Date.now() });
}

async function perform(operation: Operation, place: ProgramPlace, startTime: number): Promise<OperationResult> {
  const { request, events } = operation;
  events.prelude(request.config.values, request.config.secretKeys);
  operation.reportPending();
  let stack: ResourceState | undefined;
  try {
    refuseUnsupportedState(operation.base.resources);
    stack = await carryOut(operation, place);
  } catch (error) {
    operation.fail(error);
  }
  await operation.settled();
  await operation.providers.close();
  const result = outcome(operation);
  events.summary(result);
  return {
    result,
    summary: events.counts,
    outputs: outputsOf(stack ?? operation.base.resources.find((resource) => isRootStack(resource.urn))),
    plan: { steps: operation.planned },
    failures: [...operation.failures],
    pendingFound: pendingOf(operation.base),
    durationMs: Date.now() - startTime,
  };
}

async function carryOut(operation: Operation, place: ProgramPlace): Promise<ResourceState | undefined> {
  if (operation.request.kind === "refresh") {
    await refreshResources(operation);
    if (operation.request.clearPendingCreates === true) await clearPendingCreates(operation);
    return undefined;
  }
  if (operation.request.kind !== "destroy") return runUpdate(operation, place);
  if (operation.request.refresh === true) operation.rebase(await refreshResources(operation));
  if (operation.failures.length === 0) await deleteLeftovers(operation);
  return undefined;
}

function outcome(operation: Operation): OperationOutcome {
  if (operation.failures.length > 0) return "failed";
  return operation.cancelled ? "cancelled" : "succeeded";
}

function outputsOf(stack: ResourceState | undefined): OperationResult["outputs"] {
  return Object.fromEntries(
    Object.entries(stack?.outputs ?? {}).map(([key, value]) => [
      key,
      { value: reveal(value), secret: containsSecret(value) },
    ]),
  );
}

function pendingOf(base: Deployment): OperationResult["pendingFound"] {
  return base.pendingOperations.map(({ resource, type }) => ({
    urn: resource.urn,
    type: resource.type,
    operation: type,
  }));
}
