import { changedKeys, detailedDiff, type DetailedDiff } from "../model/difference.ts";
import type { PropertyMap, ResourceState } from "../model/types.ts";
import { markSecretOutputs } from "../model/values.ts";
import type { Registration, Step } from "./types.ts";

/** Returns the state that a registration asks for, without the values of the provider (id, outputs). */
export function draftState(registration: Registration, urn: string, alias: string | undefined): ResourceState {
  const { type, custom, inputs, parent, provider, deletedWith, customTimeouts, propertyDependencies } = registration;
  const draft: ResourceState = {
    ...{ urn, custom, type, inputs, parent, provider, deletedWith, customTimeouts },
    protect: registration.protect === true ? true : undefined,
    dependencies: unlessEmpty(registration.dependencies),
    propertyDependencies: Object.keys(propertyDependencies).length === 0 ? undefined : propertyDependencies,
    additionalSecretOutputs: unlessEmpty(registration.additionalSecretOutputs),
    aliases: alias === undefined ? undefined : [alias],
    retainOnDelete: registration.retainOnDelete === true ? true : undefined,
    ...registration.stored,
    ignoreChanges: unlessEmpty(registration.ignoreChanges),
    hideDiff: unlessEmpty(registration.hideDiffs),
    replaceOnChanges: unlessEmpty(registration.replaceOnChanges),
  };
  return defined(draft);
}

function unlessEmpty(values: string[]): string[] | undefined {
  return values.length === 0 ? undefined : values;
}

/** Leaves out fields that are undefined: states are compared field by field. */
function defined(state: ResourceState): ResourceState {
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as never;
}

export function sameStep(old: ResourceState, next: ResourceState): Step {
  return { ...blank(next), op: "same", old, new: next, logical: true };
}

/** Makes the step of a resource that the targets leave out. */
export function skippedStep(next: ResourceState): Step {
  return { ...blank(next), op: "same", new: next, logical: true, skipped: true };
}

export function createStep(next: ResourceState): Step {
  return { ...blank(next), op: "create", new: next, logical: true, ...difference(undefined, next, []) };
}

export function updateStep(old: ResourceState, next: ResourceState): Step {
  const ignoreChanges = next.ignoreChanges ?? [];
  return { ...blank(next), op: "update", old, new: next, logical: true, ignoreChanges, ...difference(old, next, []) };
}

/** Makes a step that does nothing and shows in the plan that the two halves around it belong together. */
export function replaceStep(old: ResourceState, next: ResourceState, keys: string[]): Step {
  return { ...blank(next), op: "replace", old, new: next, logical: true, keys, ...difference(old, next, keys) };
}

/** `pending`: the old resource is deleted later, after its dependents have moved to the new one. */
export function createReplacementStep(
  old: ResourceState,
  next: ResourceState,
  keys: string[],
  { pending }: { pending?: true } = {},
): Step {
  return { ...blank(next), op: "create-replacement", old, new: next, keys, pending, ...difference(old, next, keys) };
}

export function deleteStep(old: ResourceState): Step {
  const op = old.external === true ? "discard" : "delete";
  return { ...blank(old), op, old, logical: true, ...difference(old, undefined, []) };
}

/** `pending`: it is deleted ahead of its replacement, so the state keeps it marked until the replacement exists. */
export function deleteReplacedStep(old: ResourceState, { pending }: { pending?: true } = {}): Step {
  const op = old.external === true ? "discard-replaced" : "delete-replaced";
  return { ...blank(old), op, old, pending, ...difference(old, undefined, []) };
}

/** Drops a resource from the state that an earlier run deleted ahead of a replacement which is no longer wanted. */
export function removePendingStep(old: ResourceState): Step {
  return { ...blank(old), op: "remove-pending-replace", old };
}

function blank(resource: ResourceState) {
  return {
    ...{ urn: resource.urn, type: resource.type, logical: false },
    ...{ keys: [] as string[], diffs: [] as string[], detailedDiff: {} as DetailedDiff },
  };
}

/** Compares the inputs. If they agree, compares the provider's last answer with the wanted values. */
function difference(old: ResourceState | undefined, next: ResourceState | undefined, replaceKeys: string[]) {
  const olds = old?.inputs ?? {};
  const news = next?.inputs ?? {};
  const diffs = changedKeys(olds, news);
  if (diffs.length > 0 || old === undefined || next === undefined)
    return { diffs, detailedDiff: detailedDiff(olds, news, { inputDiff: true, replaceKeys }) };
  const answered = pick(old.outputs ?? {}, Object.keys(news));
  const wanted = pick(news, Object.keys(answered));
  return {
    diffs: changedKeys(answered, wanted),
    detailedDiff: detailedDiff(answered, wanted, { inputDiff: false, replaceKeys }),
  };
}

function pick(map: PropertyMap, keys: string[]): PropertyMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => keys.includes(key)));
}

/** Returns the state without undefined fields, and with its secret outputs marked. */
export function completeState(loose: ResourceState): ResourceState {
  const { inputs = {}, outputs, additionalSecretOutputs = [] } = loose;
  if (outputs === undefined) return defined(loose);
  return defined({ ...loose, outputs: markSecretOutputs(outputs, inputs, additionalSecretOutputs) });
}
