import type { Operation } from "./operation.ts";
import { planDeletions } from "./plan/deletion.ts";
import type { Step } from "./plan/types.ts";
import type { ResourceState } from "./state/types.ts";

/** Deletes what is left of the old state, dependents first. What a resource needs stays when its deletion fails. */
export async function deleteLeftovers(operation: Operation): Promise<void> {
  const { kept, rounds } = await operation.drive(planDeletions(operation.world));
  operation.accept([...kept, ...rounds.flat()]);
  if (operation.failures.length > 0 && !operation.dryRun && operation.request.continueOnError !== true) return;
  await operation.runChain(kept);
  const needed = new Set<ResourceState>();
  for (const round of rounds) await Promise.all(round.map((step) => deleteUnlessNeeded(operation, step, needed)));
}

async function deleteUnlessNeeded(operation: Operation, step: Step, needed: Set<ResourceState>): Promise<void> {
  if (step.old === undefined || needed.has(step.old)) return;
  const before = operation.failures.length;
  await operation.runChain([step]);
  if (operation.failures.length > before) keepDependencies(operation, step.old, needed);
}

function keepDependencies(operation: Operation, resource: ResourceState, needed: Set<ResourceState>): void {
  for (const dependency of operation.world.graph.dependenciesOf(resource)) {
    if (needed.has(dependency)) continue;
    needed.add(dependency);
    keepDependencies(operation, dependency, needed);
  }
}
