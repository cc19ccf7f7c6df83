import { isDeepStrictEqual } from "node:util";
import type { ReadResult } from "../link/provider-client.ts";
import { detailedDiff } from "../model/difference.ts";
import type { ResourceState } from "../model/types.ts";
import { isProviderType } from "../model/urn.ts";
import { equalMaps } from "../model/values.ts";
import { diffCustom } from "../plan/asking.ts";
import { checkTargets } from "../plan/deletion.ts";
import { completeState } from "../plan/steps.ts";
import type { Step } from "../plan/types.ts";
import { withReferences } from "../state/integrity.ts";
import type { RunContext } from "./run-context.ts";

/** A resource as the refresh found it. Without `next`, it is gone. */
interface Refreshed {
  old: ResourceState;
  next?: ResourceState;
}

/** Reads every resource into the state. If one can't be read, the others still are. Resolves with the present resources. */
export async function refreshResources(run: RunContext): Promise<ResourceState[]> {
  // Before an update, the program has not yet registered the targets that it makes.
  if (run.request.kind === "refresh" || run.request.kind === "destroy") checkTargets(run.planState);
  run.tellProblems();
  const { targets } = run.planState;
  const refreshed = run.base.resources.map(async (old) =>
    targets.has(old.urn) ? run.limited(() => refreshOne(run, old)) : { old, next: old },
  );
  return repair(run, await Promise.all(refreshed));
}

/**
 * Tells if a run was killed. The state may be wrong about what it was changing and about whatever had to make way for that or for a new object, and
 * only a read tells: without one, a program that equals the state would leave them wrong for ever.
 */
export function isInterrupted(base: { pendingOperations: readonly unknown[]; resources: readonly unknown[] }): boolean {
  return base.pendingOperations.length > 0 && base.resources.length > 0;
}

async function refreshOne(run: RunContext, old: ResourceState): Promise<Refreshed> {
  const unchanged = { old, next: old };
  if (run.cancelled) return unchanged;
  const step = refreshStep(old);
  run.events.before(step);
  try {
    if (!isReadable(old)) return tell(run, step, unchanged, false);
    const client = run.providers.client(old.provider ?? "");
    return await take(run, step, old, await client.read(old));
  } catch (error) {
    run.events.failed(step, "refused");
    run.fail(error, { goOn: true, step });
    return unchanged;
  }
}

function isReadable(old: ResourceState): boolean {
  return old.custom && !isProviderType(old.type) && old.pendingReplacement !== true;
}

async function take(run: RunContext, step: Step, old: ResourceState, read: ReadResult | undefined): Promise<Refreshed> {
  if (read === undefined) {
    await run.session?.note({ old });
    await run.settleCalls(old.urn);
    return tell(run, step, { old }, true);
  }
  if (read.initErrors !== undefined)
    run.events.diagnostic("warning", ["it exists, but is not complete:", ...read.initErrors].join("\n  - "), {
      urn: old.urn,
    });
  const found = readState(old, read);
  const next = isDeepStrictEqual(old, found) ? old : found;
  // It has drifted if an update would have to correct it although the program is the same.
  const options = { unknowns: run.dryRun };
  const { changes: drifted } = await run.drive(diffCustom(next, old.inputs ?? {}, old.ignoreChanges, options));
  if (next !== old) await run.session?.note({ old, new: next, inPlace: true });
  await run.settleCalls(old.urn);
  return tell(run, step, { old, next }, drifted);
}

function readState(
  old: ResourceState,
  { id, outputs, inputs = old.inputs ?? {}, initErrors }: ReadResult,
): ResourceState {
  const next = completeState({ ...old, id, inputs, outputs, initErrors });
  const changed = !equalMaps(inputs, old.inputs ?? {}) || !equalMaps(next.outputs ?? {}, old.outputs ?? {});
  return changed ? { ...next, modified: new Date().toISOString() } : next;
}

function refreshStep(old: ResourceState): Step {
  const { urn, type } = old;
  return { op: "refresh", urn, type, old, logical: false, keys: [], diffs: [], detailedDiff: {} };
}

/** Reports the result. A refresh alone counts same, update or delete; before an update it is a mere refresh. */
function tell(run: RunContext, step: Step, found: Refreshed, changed: boolean): Refreshed {
  const { old, next } = found;
  const diff = detailedDiff(old.outputs ?? {}, next?.outputs ?? {}, { inputDiff: false });
  const diffs = [...new Set(Object.keys(diff).map((path) => path.split(/[.[]/)[0] ?? path))];
  const told: Step = { ...step, diffs, detailedDiff: diff, new: next };
  const alone = run.request.kind === "refresh";
  const op = next === undefined ? "delete" : changed ? "update" : "same";
  run.events.done(told, next, alone ? { op, logical: true } : {});
  if (alone && op !== "same") run.note({ ...told, op });
  return found;
}

/** Removes references to missing resources. A child of a missing parent moves up to the parent's parent. */
async function repair({ session }: RunContext, refreshed: Refreshed[]): Promise<ResourceState[]> {
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
  const repaired = completeState(withReferences({ ...resource, parent }, (urn) => (has(urn) ? urn : undefined)));
  return isDeepStrictEqual(resource, repaired) ? resource : repaired;
}
