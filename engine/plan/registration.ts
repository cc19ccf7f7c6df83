import { at, CheckError, type EngineError, ProtectedError, TargetError } from "../errors.ts";
import { resetPaths } from "../model/paths.ts";
import type { PropertyMap, ResourceState } from "../model/types.ts";
import { dependencyUrns, isProviderType, parseProviderReference, providerUrn, shortType } from "../model/urn.ts";
import { asking, dependentReplacements, type Difference, diffResource, withReplaceOnChanges } from "./asking.ts";
import type { PlanState } from "./plan-state.ts";
import {
  createReplacementStep,
  createStep,
  deleteReplacedStep,
  deleteStep,
  draftState,
  replaceStep,
  sameStep,
  skippedStep,
  updateStep,
} from "./steps.ts";
import type { CheckAnswer, Planning, Registration, Step } from "./types.ts";

export interface RegistrationPlan {
  urn: string;
  steps: Step[];
  /** Paths of `ignoreChanges` whose values could not be kept. */
  notIgnored: string[];
}

/** Plans the steps for one resource that the program registers, as Pulumi's step generator does. It asks the provider question by question. */
export function* planRegistration(planState: PlanState, registration: Registration): Planning<RegistrationPlan> {
  const urn = planState.claim(registration);
  const { old, alias, conflict } = planState.findOld(urn, registration);
  const draft = draftState(registration, urn, alias);
  const included = planState.isIncluded(draft);
  const recreating = planState.deletes.has(urn);
  const context: Context = { planState, registration, urn, old, draft, recreating };
  const { inputs, impossible } = ignored(context);
  const next = included ? { ...draft, inputs: yield* checkedInputs(context, inputs) } : draft;
  if (conflict !== undefined) throw conflict;
  const steps = yield* decide(context, next, inputs, included);
  validateTargets(planState, steps);
  return { urn, steps, notIgnored: impossible };
}

interface Context {
  planState: PlanState;
  registration: Registration;
  urn: string;
  old: ResourceState | undefined;
  draft: ResourceState;
  /** True if this run has deleted the resource ahead of the replacement of something it depends on. */
  recreating: boolean;
}

function ignored({ old, draft, registration }: Context): { inputs: PropertyMap; impossible: string[] } {
  const news = draft.inputs ?? {};
  if (old === undefined || registration.ignoreChanges.length === 0) return { inputs: news, impossible: [] };
  return resetPaths(old.inputs ?? {}, news, registration.ignoreChanges);
}

/** Returns the inputs as the provider checks them. Components and providers keep theirs. */
function* checkedInputs(context: Context, inputs: PropertyMap): Planning<PropertyMap> {
  const { old, draft, recreating } = context;
  if (!draft.custom || isProviderType(draft.type)) return draft.inputs ?? {};
  if (old === undefined || recreating || old.external === true || old.taint === true)
    return yield* check(context, {}, draft.inputs ?? {});
  return yield* check(context, old.inputs ?? {}, inputs);
}

function* check(context: Context, olds: PropertyMap, news: PropertyMap): Planning<PropertyMap> {
  const { type, provider = "" } = context.draft;
  const unknowns = context.planState.options.dryRun;
  const answer = yield* asking({ kind: "check", urn: context.urn, type, provider, olds, news, unknowns });
  if (answer.failures.length > 0) throw checkError(context, answer);
  return answer.inputs;
}

function checkError({ registration, urn }: Context, answer: CheckAnswer): CheckError {
  const { type, name, source } = registration;
  const reasons = answer.failures.map(({ property, reason }) => (property === "" ? reason : `${property}: ${reason}`));
  const head = `${shortType(type)} "${name}"${at(source)} has inputs that its provider refuses`;
  return new CheckError([head, ...reasons.map((reason) => `  - ${reason}`)].join("\n"), { urn, source });
}

function* decide(context: Context, next: ResourceState, inputs: PropertyMap, included: boolean): Planning<Step[]> {
  const { planState, urn, old, recreating } = context;
  if (recreating && old !== undefined) return recreate(planState, old, next);
  if (old?.external === true) {
    planState.decisions.set(urn, "create");
    return [createReplacementStep(old, next, [], { pending: true }), replaceStep(old, next, [])];
  }
  if (old !== undefined)
    return included ? yield* changeExisting(context, old, next, inputs) : carryOver(planState, urn, old);
  if (!included) {
    planState.decisions.set(urn, "same");
    planState.skippedCreates.add(urn);
    return [skippedStep(next)];
  }
  planState.decisions.set(urn, "create");
  return [createStep(next)];
}

function recreate(planState: PlanState, old: ResourceState, next: ResourceState): Step[] {
  planState.deletes.delete(next.urn);
  planState.decisions.set(next.urn, "replace");
  const keys = planState.dependentKeys.get(old.urn) ?? [];
  return [replaceStep(old, next, []), createReplacementStep(old, next, keys)];
}

/**
 * Keeps an old resource that the targets leave out, under its old URN, with everything that it needs. The program may no longer register those, or
 * may register them later. Pulumi (3.245) carries them over at once, and then takes the later registration for a second resource of that name.
 */
function carryOver(planState: PlanState, urn: string, old: ResourceState): Step[] {
  const visit = (resource: ResourceState) => {
    if (resource.delete === true || planState.kept.has(resource.urn)) return;
    planState.kept.add(resource.urn);
    const provider = resource.provider === undefined ? undefined : parseProviderReference(resource.provider);
    const found = provider && planState.olds.get(provider.urn);
    if (found !== undefined && found.id === provider?.id) visit(found);
    for (const needed of [...(resource.parent === undefined ? [] : [resource.parent]), ...dependencyUrns(resource)]) {
      const other = planState.olds.get(needed);
      if (other !== undefined) visit(other);
      else if (!planState.hasSteps(planState.newUrn(needed)))
        throw new TargetError(`${resource.urn} is not targeted, and ${needed}, which it needs, is not in the state`, {
          urn,
        });
    }
  };
  planState.decisions.set(urn, "same");
  planState.carryOver(old.urn);
  visit(old);
  return [sameStep(old, old)];
}

function* changeExisting(
  context: Context,
  old: ResourceState,
  next: ResourceState,
  inputs: PropertyMap,
): Planning<Step[]> {
  const { planState, urn, registration } = context;
  const hasInitErrors = (old.initErrors ?? []).length > 0;
  if (old.taint === true) return yield* replace(context, old, next, TAINTED);
  const diffed = yield* diffResource(planState, old, next, next.custom ? (next.inputs ?? {}) : inputs);
  const difference = withReplaceOnChanges(diffed, registration.replaceOnChanges, hasInitErrors);
  const pending = old.pendingReplacement === true;
  if (pending || (difference.changes && difference.replaceKeys.length > 0))
    return yield* replace(context, old, next, difference);
  if (difference.changes || hasInitErrors) {
    planState.decisions.set(urn, "update");
    return [updateStep(old, next)];
  }
  planState.decisions.set(urn, "same");
  return [sameStep(old, next)];
}

/** Marked by `pulumi state taint`: the run replaces it whatever has changed. */
const TAINTED: Difference = { changes: true, changedKeys: [], replaceKeys: ["id"], deleteBeforeReplace: false };

function* replace(
  context: Context,
  old: ResourceState,
  changed: ResourceState,
  difference: Difference,
): Planning<Step[]> {
  const { planState, urn, registration } = context;
  if (changed.protect === true && old.protect === true) planState.report(protectedReplace(registration, urn));
  planState.decisions.set(urn, "replace");
  const next = { ...changed, inputs: yield* freshInputs(context, changed) };
  const keys = difference.replaceKeys;
  if (!(registration.deleteBeforeReplace ?? difference.deleteBeforeReplace))
    return [createReplacementStep(old, next, keys, { pending: true }), replaceStep(old, next, keys)];
  const steps = yield* deleteDependentsFirst(context, old);
  if (old.pendingReplacement !== true) {
    // Its deletion takes away what is deleted with it.
    planState.deletes.add(old.urn);
    steps.push(deleteReplacedStep(old, { pending: true }));
  }
  return [...steps, replaceStep(old, next, keys), createReplacementStep(old, next, keys)];
}

/** Returns the inputs of a replacement, without the values that the provider chose for the old resource. */
function* freshInputs(context: Context, changed: ResourceState): Planning<PropertyMap> {
  if (!changed.custom || isProviderType(changed.type)) return changed.inputs ?? {};
  return yield* check(context, {}, context.registration.inputs);
}

function* deleteDependentsFirst({ planState, urn }: Context, old: ResourceState): Planning<Step[]> {
  const steps: Step[] = [];
  const dependents = yield* dependentReplacements(planState, old);
  for (const { resource, keys } of dependents.reverse()) {
    if (planState.deletedEarly.has(resource)) continue;
    planState.dependentKeys.set(resource.urn, keys);
    if (resource.delete !== true && resource.protect === true) throw protectedDependent(resource.urn, urn);
    steps.push(resource.delete === true ? deleteStep(resource) : deleteReplacedStep(resource, { pending: true }));
    planState.deletes.add(resource.urn);
    planState.deletedEarly.add(resource);
  }
  return steps;
}

function protectedReplace({ name, type, source }: Registration, urn: string): EngineError {
  return new ProtectedError(
    `${shortType(type)} "${name}"${at(source)} would be replaced, which deletes it, and it is protected. Remove \`protect\` from it and run up, or undo the change`,
    { urn, source },
  );
}

function protectedDependent(urn: string, cause: string): EngineError {
  return new ProtectedError(
    `${urn} would have to be deleted first to replace ${cause}, and it is protected. Remove \`protect\` from it and run up, or undo the change`,
    { urn },
  );
}

/** Refuses a step that needs a resource which the targets leave uncreated. A preview goes on, and names them all. */
function validateTargets(planState: PlanState, steps: readonly Step[]): void {
  if (!planState.targets.constrained) return;
  for (const step of steps) {
    if (step.new === undefined || step.skipped === true) continue;
    const needed = [step.new.parent, providerUrn(step.new), ...dependencyUrns(step.new)];
    for (const urn of needed) {
      if (urn === undefined || !planState.skippedCreates.has(urn)) continue;
      const refusal = `${step.urn} needs ${urn}, which does not exist yet and is not targeted. Target it too`;
      const error = new TargetError(refusal, { urn: step.urn });
      if (!planState.options.dryRun) throw error;
      planState.skippedCreates.delete(urn);
      planState.report(error);
    }
  }
}
