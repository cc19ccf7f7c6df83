import { TargetError } from "../errors.ts";
import { dependentReplacements } from "./asking.ts";
import { deletionRounds } from "./graph.ts";
import { deleteReplacedStep, deleteStep, removePendingStep, sameStep } from "./steps.ts";
import type { Planning, ResourceState, Step } from "./types.ts";
import type { World } from "./world.ts";

/** What has to go when the program has registered everything. */
export interface DeletionPlan {
  /** Left alone because the targets leave them out. */
  kept: Step[];
  /** To be carried out one after another; within a round, in parallel. */
  rounds: Step[][];
}

export function* planDeletions(world: World): Planning<DeletionPlan> {
  checkTargets(world);
  const allowed = yield* allowedDeletions(world);
  const kept: Step[] = [];
  const steps = new Map<ResourceState, Step>();
  for (const resource of world.resources) {
    if (allowed !== undefined && !allowed.has(resource.urn)) {
      if (resource.delete !== true && !world.isOperatedOn(resource.urn)) kept.push(sameStep(resource, resource));
      continue;
    }
    const step = deletionOf(world, resource);
    if (step !== undefined) steps.set(resource, step);
  }
  for (const step of steps.values()) requireTargeted(world, step);
  const rounds = deletionRounds([...steps.keys()], world.graph);
  return { kept, rounds: rounds.map((round) => round.flatMap((resource) => steps.get(resource) ?? [])) };
}

function deletionOf(world: World, resource: ResourceState): Step | undefined {
  if (world.isReplaced(resource)) {
    if (world.deletedEarly.has(resource)) return undefined;
    world.deletes.add(resource.urn);
    return deleteReplacedStep(resource, { pending: false });
  }
  if (world.isOperatedOn(resource.urn)) return undefined;
  world.deletes.add(resource.urn);
  return world.isPendingReplacement(resource) ? removePendingStep(resource) : deleteStep(resource);
}

/** Every target that is spelled out must exist, in the old state or in the program. */
export function checkTargets(world: World): void {
  for (const urn of world.targets.literals)
    if (!world.olds.has(urn) && !world.isRegistered(urn) && !world.resources.some((resource) => resource.urn === urn))
      world.report(new TargetError(`the target ${urn} is neither in the stack nor in the program`, { urn }));
}

/** The targets, what depends on them and what would have to be replaced without them; undefined allows everything. */
function* allowedDeletions(world: World): Planning<Set<string> | undefined> {
  if (!world.targets.constrained) return undefined;
  const allowed = new Set<string>();
  const targeted = world.resources.filter((resource) => world.targets.has(resource.urn));
  const closure = new Set(targeted);
  for (const target of targeted)
    for (const dependent of world.graph.dependingOn(target, { ignore: () => false, children: true }))
      closure.add(dependent);
  for (const resource of closure) {
    allowed.add(resource.urn);
    for (const dependent of yield* dependentReplacements(world, resource)) allowed.add(dependent.resource.urn);
  }
  return allowed;
}

function requireTargeted(world: World, step: Step): void {
  if (world.targets.has(step.urn) || world.options.targetDependents === true) return;
  world.report(
    new TargetError(
      `${step.urn} would have to be deleted with the targets, since it depends on them, and is not targeted. Target it too`,
      { urn: step.urn },
    ),
  );
}
