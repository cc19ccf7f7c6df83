import { detailedDiff } from "./difference.ts";
import { asEngineError, type Operation } from "./operation.ts";
import { diffCustom } from "./plan/asking.ts";
import { checkTargets } from "./plan/deletion.ts";
import type { Step, StepOp } from "./plan/types.ts";
import type { ReadResult } from "./provider-client.ts";
import type { ResourceState } from "./state/types.ts";
import { isProviderType } from "./urn.ts";
import { equalMaps } from "./values.ts";

/** A resource as the refresh found it; without `next` it is gone. */
interface Refreshed {
  old: ResourceState;
  next?: ResourceState;
}

/**
 * Reads every resource and takes what is there into the state. One that cannot be read does not keep the others from
 * being read. Resolves with the resources as they are now.
 */
export async function refreshResources(operation: Operation): Promise<ResourceState[]> {
  checkTargets(operation.world);
  for (const problem of operation.world.problems.splice(0)) operation.fail(problem);
  const chosen = chooseTargets(operation);
  const refreshed = await Promise.all(
    operation.base.resources.map((old) =>
      chosen.has(old) ? operation.limited(() => refreshOne(operation, old)) : { old, next: old },
    ),
  );
  return repair(operation, refreshed);
}

function chooseTargets({ world, base, request }: Operation): Set<ResourceState> {
  const chosen = new Set<ResourceState>();
  for (const resource of base.resources) {
    const reached =
      request.targetDependents === true && world.reached.constrained && world.reached.hasDependencyOf(resource);
    if (!world.targets.has(resource.urn) && !reached) continue;
    chosen.add(resource);
    if (world.reached.constrained) world.reached.add(resource.urn);
  }
  return chosen;
}

async function refreshOne(operation: Operation, old: ResourceState): Promise<Refreshed> {
  const step = refreshStep(old);
  if (operation.cancelled) return { old, next: old };
  operation.events.before(step);
  if (!old.custom || isProviderType(old.type) || old.pendingReplacement === true) {
    finish(operation, step, old, "same");
    return { old, next: old };
  }
  try {
    const client = await operation.providers.client(old.provider ?? "");
    return await take(operation, step, old, await client.read(old));
  } catch (error) {
    const failure = asEngineError(error, old.urn);
    operation.events.failed(step, "refused");
    operation.fail(
      failure.urn === undefined ? asEngineError(`reading ${old.urn} failed: ${failure.message}`, old.urn) : failure,
      { goOn: true },
    );
    return { old, next: old };
  }
}

async function take(
  operation: Operation,
  step: Step,
  old: ResourceState,
  read: ReadResult | undefined,
): Promise<Refreshed> {
  if (read === undefined) {
    await operation.session?.note({ old });
    finish(operation, { ...step, detailedDiff: outputsDiff(old, {}) }, undefined, "delete");
    return { old };
  }
  const next = readState(old, read);
  if (read.initErrors !== undefined)
    operation.events.diagnostic("warning", ["it is there, and not healthy:", ...read.initErrors].join("\n  - "), {
      urn: old.urn,
    });
  const drifted = await hasDrifted(operation, old, next);
  if (!equalMaps({ ...old } as never, { ...next } as never))
    await operation.session?.note({ old, new: next, inPlace: true });
  finish(
    operation,
    { ...step, new: next, detailedDiff: outputsDiff(old, next.outputs ?? {}) },
    next,
    drifted ? "update" : "same",
  );
  return { old, next };
}

function readState(old: ResourceState, read: ReadResult): ResourceState {
  const inputs = read.inputs ?? old.inputs ?? {};
  const changed = !equalMaps(inputs, old.inputs ?? {}) || !equalMaps(read.outputs, old.outputs ?? {});
  const { initErrors: _before, ...rest } = old;
  return {
    ...rest,
    id: read.id,
    inputs,
    outputs: read.outputs,
    ...(read.initErrors === undefined ? {} : { initErrors: read.initErrors }),
    ...(changed ? { modified: new Date().toISOString() } : {}),
  };
}

/** Drift is what an update without a change in the program would have to set right. */
async function hasDrifted(operation: Operation, old: ResourceState, next: ResourceState): Promise<boolean> {
  const options = { unknowns: operation.dryRun };
  const difference = await operation.drive(diffCustom(next, old.inputs ?? {}, old.ignoreChanges, options));
  return difference.changes;
}

function outputsDiff(old: ResourceState, outputs: NonNullable<ResourceState["outputs"]>) {
  return detailedDiff(old.outputs ?? {}, outputs, { inputDiff: false });
}

function refreshStep(old: ResourceState): Step {
  const { urn, type } = old;
  return { op: "refresh", urn, type, old, logical: true, keys: [], diffs: [], detailedDiff: {} };
}

function finish(operation: Operation, step: Step, next: ResourceState | undefined, op: StepOp): void {
  const result = {
    ...step,
    diffs: [...new Set(Object.keys(step.detailedDiff).map((path) => path.split(/[.[]/)[0] ?? path))],
  };
  operation.events.done(result, next, { op, logical: operation.request.kind === "refresh" });
  if (op !== "same" && operation.request.kind === "refresh")
    operation.planned.push({
      op,
      urn: step.urn,
      type: step.type,
      detailedDiff: step.detailedDiff,
      keys: [],
      inputs: {},
    });
}

/** Takes references to what is gone out of those that are left; a child of a gone parent moves up to its parent. */
async function repair({ session }: Operation, refreshed: Refreshed[]): Promise<ResourceState[]> {
  const present = new Set<string>();
  const parents = new Map<string, string | undefined>();
  const resources: ResourceState[] = [];
  for (const { old, next } of refreshed) {
    if (next === undefined) {
      parents.set(old.urn, old.parent);
      continue;
    }
    const repaired = withoutGone(next, present, parents);
    if (repaired !== next) await session?.note({ old: next, new: repaired, inPlace: true });
    resources.push(repaired);
    present.add(next.urn);
  }
  return resources;
}

function withoutGone(
  resource: ResourceState,
  present: ReadonlySet<string>,
  parents: ReadonlyMap<string, string | undefined>,
): ResourceState {
  const has = (urn: string) => present.has(urn);
  const result = { ...resource };
  while (result.parent !== undefined && !has(result.parent)) result.parent = parents.get(result.parent);
  if (result.parent === undefined) delete result.parent;
  if (result.dependencies !== undefined) result.dependencies = result.dependencies.filter(has);
  if (result.propertyDependencies !== undefined)
    result.propertyDependencies = Object.fromEntries(
      Object.entries(result.propertyDependencies).map(([key, urns]) => [key, urns.filter(has)]),
    );
  if (result.deletedWith !== undefined && !has(result.deletedWith)) delete result.deletedWith;
  return equalMaps(resource as never, result as never) ? resource : result;
}
