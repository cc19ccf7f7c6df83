import { isDeepStrictEqual } from "node:util";
import { detailedDiff } from "./difference.ts";
import type { Operation } from "./operation.ts";
import { diffCustom } from "./plan/asking.ts";
import { checkTargets } from "./plan/deletion.ts";
import { plannedStep } from "./plan/expected.ts";
import type { Step } from "./plan/types.ts";
import type { ReadResult } from "./provider-client.ts";
import type { ResourceState } from "./state/types.ts";
import { finished, timestamp } from "./states.ts";
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
  operation.tellProblems();
  const chosen = chooseTargets(operation);
  const refreshed = await Promise.all(
    operation.base.resources.map((old) =>
      chosen.has(old) ? operation.limited(() => refreshOne(operation, old)) : Promise.resolve({ old, next: old }),
    ),
  );
  return repair(operation, refreshed);
}

/** Creates of killed runs that the user wants forgotten. */
export async function clearPendingCreates({ base, session }: Operation): Promise<void> {
  for (const pending of base.pendingOperations) await session?.settle(pending);
}

function chooseTargets({ world, base, request }: Operation): Set<ResourceState> {
  const chosen = new Set<ResourceState>();
  for (const resource of base.resources) {
    const reached = request.targetDependents === true && world.reached.hasDependencyOf(resource);
    if (!world.targets.has(resource.urn) && !reached) continue;
    chosen.add(resource);
    if (world.targets.constrained) world.reached.add(resource.urn);
  }
  return chosen;
}

async function refreshOne(operation: Operation, old: ResourceState): Promise<Refreshed> {
  const unchanged = { old, next: old };
  if (operation.cancelled) return unchanged;
  const step = refreshStep(old);
  operation.events.before(step);
  try {
    if (!isReadable(old)) return tell(operation, step, unchanged, false);
    const client = await operation.providers.client(old.provider ?? "");
    return await take(operation, step, old, await client.read(old));
  } catch (error) {
    operation.events.failed(step, "refused");
    operation.fail(error, { goOn: true, step });
    return unchanged;
  }
}

function isReadable(old: ResourceState): boolean {
  return old.custom && !isProviderType(old.type) && old.pendingReplacement !== true;
}

async function take(
  operation: Operation,
  step: Step,
  old: ResourceState,
  read: ReadResult | undefined,
): Promise<Refreshed> {
  if (read === undefined) {
    await operation.session?.note({ old });
    return tell(operation, step, { old }, true);
  }
  if (read.initErrors !== undefined)
    operation.events.diagnostic("warning", ["it exists, and is not well:", ...read.initErrors].join("\n  - "), {
      urn: old.urn,
    });
  const found = readState(old, read);
  const next = isDeepStrictEqual(old, found) ? old : found;
  const drifted = await hasDrifted(operation, old, next);
  if (next !== old) await operation.session?.note({ old, new: next, inPlace: true });
  return tell(operation, step, { old, next }, drifted);
}

function readState(
  old: ResourceState,
  { id, outputs, inputs = old.inputs ?? {}, initErrors }: ReadResult,
): ResourceState {
  const next = finished({ ...old, id, inputs, outputs, initErrors });
  const changed = !equalMaps(inputs, old.inputs ?? {}) || !equalMaps(next.outputs ?? {}, old.outputs ?? {});
  return changed ? { ...next, modified: timestamp() } : next;
}

/** Drift is what an update would have to set right though the program is the same. */
async function hasDrifted(operation: Operation, old: ResourceState, next: ResourceState): Promise<boolean> {
  const options = { unknowns: operation.dryRun };
  const difference = await operation.drive(diffCustom(next, old.inputs ?? {}, old.ignoreChanges, options));
  return difference.changes;
}

function refreshStep(old: ResourceState): Step {
  const { urn, type } = old;
  return { op: "refresh", urn, type, old, logical: false, keys: [], diffs: [], detailedDiff: {} };
}

/** A refresh by itself counts what it found: same, update or delete. Ahead of an update it is a mere refresh. */
function tell(operation: Operation, step: Step, found: Refreshed, changed: boolean): Refreshed {
  const { old, next } = found;
  const diff = detailedDiff(old.outputs ?? {}, next?.outputs ?? {}, { inputDiff: false });
  const diffs = [...new Set(Object.keys(diff).map((path) => path.split(/[.[]/)[0] ?? path))];
  const told: Step = { ...step, diffs, detailedDiff: diff, ...(next === undefined ? {} : { new: next }) };
  const alone = operation.request.kind === "refresh";
  const op = next === undefined ? "delete" : changed ? "update" : "same";
  operation.events.done(told, next, alone ? { op, logical: true } : {});
  if (alone && op !== "same") operation.planned.push(plannedStep({ ...told, op }));
  return found;
}

/** Takes references to what is gone out of those that are left; a child of a gone parent moves up to its parent. */
async function repair({ session }: Operation, refreshed: Refreshed[]): Promise<ResourceState[]> {
  const present = new Set<string>();
  const parentOfGone = new Map<string, string | undefined>();
  const resources: ResourceState[] = [];
  for (const { old, next } of refreshed) {
    if (next === undefined) {
      parentOfGone.set(old.urn, old.parent);
      continue;
    }
    const repaired = withoutGone(next, present, parentOfGone);
    if (repaired !== next) await session?.note({ old: next, new: repaired, inPlace: true });
    resources.push(repaired);
    present.add(next.urn);
  }
  return resources;
}

function withoutGone(
  resource: ResourceState,
  present: ReadonlySet<string>,
  parentOfGone: ReadonlyMap<string, string | undefined>,
): ResourceState {
  const has = (urn: string) => present.has(urn);
  let { parent } = resource;
  while (parent !== undefined && !has(parent)) parent = parentOfGone.get(parent);
  const dependencies = resource.dependencies?.filter(has);
  const propertyDependencies =
    resource.propertyDependencies &&
    Object.fromEntries(Object.entries(resource.propertyDependencies).map(([key, urns]) => [key, urns.filter(has)]));
  const deletedWith =
    resource.deletedWith !== undefined && has(resource.deletedWith) ? resource.deletedWith : undefined;
  const repaired = finished({ ...resource, parent, dependencies, propertyDependencies, deletedWith });
  return isDeepStrictEqual(resource, repaired) ? resource : repaired;
}
