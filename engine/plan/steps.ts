import { changedKeys, detailedDiff, type DetailedDiff } from "../model/difference.ts";
import type { PropertyMap, ResourceState } from "../model/types.ts";
import { markSecretOutputs } from "../model/values.ts";
import type { Registration, Step } from "./types.ts";

/** Makers of steps and of the states that they lead to. */

/** Returns the state that a registration asks for, without the values of the provider (id, outputs). */
export function draftState(registration: Registration, urn: string, alias: string | undefined): ResourceState {
  const { type, custom, inputs, parent, provider, deletedWith, customTimeouts } = registration;
  return {
    urn,
    custom,
    type,
    inputs,
    ...(parent === undefined ? {} : { parent }),
    ...(registration.protect === true ? { protect: true } : {}),
    ...list("dependencies", registration.dependencies),
    ...(provider === undefined ? {} : { provider }),
    ...(Object.keys(registration.propertyDependencies).length === 0
      ? {}
      : { propertyDependencies: registration.propertyDependencies }),
    ...list("additionalSecretOutputs", registration.additionalSecretOutputs),
    ...list("aliases", alias === undefined ? [] : [alias]),
    ...(customTimeouts === undefined ? {} : { customTimeouts }),
    ...(registration.retainOnDelete === true ? { retainOnDelete: true } : {}),
    ...(deletedWith === undefined ? {} : { deletedWith }),
    ...registration.stored,
    ...list("ignoreChanges", registration.ignoreChanges),
    ...list("hideDiff", registration.hideDiffs),
    ...list("replaceOnChanges", registration.replaceOnChanges),
  };
}

function list<Key extends string>(key: Key, values: string[]): Partial<Record<Key, string[]>> {
  return values.length === 0 ? {} : ({ [key]: values } as Record<Key, string[]>);
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
  options: { pending: boolean },
): Step {
  const step = { ...blank(next), old, new: next, keys, ...difference(old, next, keys) };
  return { ...step, op: "create-replacement", ...(options.pending ? { pending: true } : {}) };
}

export function deleteStep(old: ResourceState): Step {
  const op = old.external === true ? "discard" : "delete";
  return { ...blank(old), op, old, logical: true, ...difference(old, undefined, []) };
}

/** `pending`: it is deleted ahead of its replacement, so the state keeps it marked until the replacement exists. */
export function deleteReplacedStep(old: ResourceState, options: { pending: boolean }): Step {
  const op = old.external === true ? "discard-replaced" : "delete-replaced";
  const step = { ...blank(old), old, ...difference(old, undefined, []) };
  return { ...step, op, ...(options.pending ? { pending: true } : {}) };
}

/** Drops a resource from the state that an earlier run deleted ahead of a replacement which is no longer wanted. */
export function removePendingStep(old: ResourceState): Step {
  return { ...blank(old), op: "remove-pending-replace", old };
}

function blank(resource: ResourceState) {
  return {
    urn: resource.urn,
    type: resource.type,
    logical: false,
    keys: [] as string[],
    diffs: [] as string[],
    detailedDiff: {} as DetailedDiff,
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

type Loose = { [Key in keyof ResourceState]: ResourceState[Key] | undefined };

/** Returns the state without undefined fields, and with its secret outputs marked. */
export function completeState(loose: Loose): ResourceState {
  const { urn, custom, type, outputs } = loose;
  if (urn === undefined || custom === undefined || type === undefined) throw new TypeError("a state without a URN");
  const rest: Partial<ResourceState> = Object.fromEntries(
    Object.entries(loose).filter(([, value]) => value !== undefined),
  );
  const state: ResourceState = { ...rest, urn, custom, type };
  if (outputs === undefined) return state;
  return { ...state, outputs: markSecretOutputs(outputs, loose.inputs ?? {}, loose.additionalSecretOutputs ?? []) };
}
