import type { ResourceState } from "../model/types.ts";
import { planDeletions } from "../plan/deletion.ts";
import type { Step } from "../plan/types.ts";
import type { RunContext } from "./run-context.ts";

/** Deletes the rest of the old state, dependents first. If a deletion fails, the resources that it needs stay. */
export async function deleteLeftovers(run: RunContext): Promise<void> {
  const { kept, rounds } = await run.drive(planDeletions(run.planState));
  run.accept([...kept, ...rounds.flat()]);
  if (run.failures.length > 0 && !run.dryRun && run.request.continueOnError !== true) return;
  await run.runChain(kept);
  const needed = new Set<ResourceState>();
  for (const round of rounds) await Promise.all(round.map((step) => deleteUnlessNeeded(run, step, needed)));
}

async function deleteUnlessNeeded(run: RunContext, step: Step, needed: Set<ResourceState>): Promise<void> {
  if (step.old === undefined || needed.has(step.old)) return;
  const before = run.failures.length;
  await run.runChain([step]);
  if (run.failures.length > before) keepDependencies(run, step.old, needed);
  else await run.settleInterrupted(step.old.urn);
}

function keepDependencies(run: RunContext, resource: ResourceState, needed: Set<ResourceState>): void {
  for (const dependency of run.planState.graph.dependenciesOf(resource)) {
    if (needed.has(dependency)) continue;
    needed.add(dependency);
    keepDependencies(run, dependency, needed);
  }
}
