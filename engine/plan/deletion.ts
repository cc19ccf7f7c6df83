import { TargetError } from "../errors.ts";
import type { ResourceState } from "../model/types.ts";
import { dependentReplacements } from "./asking.ts";
import { deletionRounds } from "./graph.ts";
import type { PlanState } from "./plan-state.ts";
import { deleteReplacedStep, deleteStep, removePendingStep, sameStep } from "./steps.ts";
import type { Planning, Step } from "./types.ts";

export interface DeletionPlan {
  kept: Step[];
  /** Rounds of deletions, one after another. Those of one round may run in parallel. */
  rounds: Step[][];
}

export function* planDeletions(planState: PlanState): Planning<DeletionPlan> {
  checkTargets(planState);
  const allowed = yield* allowedDeletions(planState);
  const kept: Step[] = [];
  const steps = new Map<ResourceState, Step>();
  for (const resource of planState.resources) {
    if (allowed !== undefined && (!allowed.has(resource.urn) || isNeeded(planState, resource))) {
      if (resource.delete !== true && !planState.isOperatedOn(resource.urn)) kept.push(sameStep(resource, resource));
      continue;
    }
    const step = deletionOf(planState, resource);
    if (step !== undefined) steps.set(resource, step);
  }
  for (const step of steps.values()) requireTargeted(planState, step);
  const rounds = deletionRounds([...steps.keys()], planState.graph);
  return { kept, rounds: rounds.map((round) => round.flatMap((resource) => steps.get(resource) ?? [])) };
}

/** Tells if something that the targets leave out needs the resource. Remains of a replacement are deleted all the same. */
function isNeeded(planState: PlanState, resource: ResourceState): boolean {
  return planState.kept.has(resource.urn) && !planState.isReplaced(resource);
}

function deletionOf(planState: PlanState, resource: ResourceState): Step | undefined {
  if (planState.isReplaced(resource)) {
    if (planState.deletedEarly.has(resource)) return undefined;
    planState.deletes.add(resource.urn);
    return deleteReplacedStep(resource);
  }
  if (planState.isOperatedOn(resource.urn)) return undefined;
  planState.deletes.add(resource.urn);
  return planState.isPendingReplacement(resource) ? removePendingStep(resource) : deleteStep(resource);
}

/** Refuses a target that is spelled out and exists neither in the old state nor in the program. */
export function checkTargets(planState: PlanState): void {
  const known = new Set(planState.resources.map(({ urn }) => urn));
  for (const urn of planState.targets.literals)
    if (!known.has(urn) && !planState.isRegistered(urn))
      planState.report(new TargetError(`the target ${urn} is neither in the stack nor in the program`, { urn }));
}

/** Returns the targets, their dependents and the resources that would have to be replaced without them; undefined allows everything. */
function* allowedDeletions(planState: PlanState): Planning<Set<string> | undefined> {
  if (!planState.targets.constrained) return undefined;
  const allowed = new Set<string>();
  const targeted = planState.resources.filter((resource) => planState.targets.has(resource.urn));
  const closure = new Set(targeted);
  for (const target of targeted)
    for (const dependent of planState.graph.dependingOn(target, { ignore: () => false, children: true }))
      closure.add(dependent);
  for (const resource of closure) {
    allowed.add(resource.urn);
    for (const dependent of yield* dependentReplacements(planState, resource)) allowed.add(dependent.resource.urn);
  }
  return allowed;
}

function requireTargeted(planState: PlanState, step: Step): void {
  if (planState.targets.has(step.urn)) return;
  planState.report(
    new TargetError(
      `${step.urn} would have to be deleted with the targets, since it depends on them, and is not targeted. Target it too`,
      { urn: step.urn },
    ),
  );
}
