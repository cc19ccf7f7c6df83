import { changedKeys } from "../model/difference.ts";
import { parsePath, pathContains, resetPaths } from "../model/paths.ts";
import { type PropertyMap, type ResourceState, UNKNOWN } from "../model/types.ts";
import { isProviderType, providerUrn } from "../model/urn.ts";
import { equalMaps } from "../model/values.ts";
import type { PlanState } from "./plan-state.ts";
import type { Ask, CheckAnswer, CheckAsk, DiffAnswer, Planning } from "./types.ts";

/** The questions of planning, and the checks that Pulumi's engine makes on the answers. */

export function* asking<Asked extends Ask>(ask: Asked): Planning<AnswerTo<Asked>> {
  return (yield ask) as AnswerTo<Asked>;
}

type AnswerTo<Asked extends Ask> = Asked extends CheckAsk ? CheckAnswer : DiffAnswer;

/** A decided difference. `changedKeys` is known only if the engine itself compared. */
export interface Difference {
  changes: boolean;
  changedKeys: string[];
  replaceKeys: string[];
  deleteBeforeReplace: boolean;
}

const UNCHANGED: Difference = { changes: false, changedKeys: [], replaceKeys: [], deleteBeforeReplace: false };

export function* diffResource(
  planState: PlanState,
  old: ResourceState,
  next: ResourceState,
  inputs: PropertyMap,
): Planning<Difference> {
  const { deletedWith } = next;
  if (deletedWith !== undefined && planState.decisions.get(deletedWith) === "replace")
    return { ...UNCHANGED, changes: true, replaceKeys: ["deletedWith"] };
  if (old.provider !== next.provider && (old.provider === undefined || next.provider === undefined))
    return { ...UNCHANGED, changes: true, replaceKeys: ["provider"] };
  if (isProviderType(next.type)) return { ...UNCHANGED, changes: !equalMaps(old.outputs ?? {}, inputs) };
  if (next.provider === undefined) return { ...UNCHANGED, changes: !equalMaps(old.inputs ?? {}, inputs) };
  return yield* diffCustom({ ...old, provider: next.provider, urn: next.urn }, inputs, next.ignoreChanges, {
    unknowns: planState.options.dryRun,
  });
}

/** Asks the provider. If the provider cannot tell, the engine compares the inputs. */
export function* diffCustom(
  old: ResourceState,
  inputs: PropertyMap,
  ignoreChanges: string[] = [],
  options: { unknowns: boolean },
): Planning<Difference> {
  const oldInputs = old.inputs ?? {};
  const answer = yield* asking({
    kind: "diff",
    urn: old.urn,
    type: old.type,
    provider: old.provider ?? "",
    id: old.id ?? "",
    oldInputs,
    oldOutputs: old.outputs ?? {},
    newInputs: inputs,
    ignoreChanges,
    unknowns: options.unknowns,
  });
  if (answer.changes !== "unknown") return { ...answer, changes: answer.changes === "some", changedKeys: [] };
  const changed = changedKeys(oldInputs, resetPaths(oldInputs, inputs, ignoreChanges).inputs);
  return { ...answer, changes: changed.length > 0, changedKeys: changed };
}

const INIT_ERROR = "#initerror";

export function withReplaceOnChanges(
  difference: Difference,
  replaceOnChanges: readonly string[],
  hasInitErrors: boolean,
): Difference {
  if (!difference.changes && !hasInitErrors) return difference;
  const paths = replaceOnChanges.map((text) => parsePath(text)).filter((path) => path !== undefined);
  const named = (key: string) => paths.some((path) => pathContains(path, [key]));
  const keys = new Set([...difference.replaceKeys, ...difference.changedKeys.filter(named)]);
  const restart = hasInitErrors && named(INIT_ERROR);
  if (restart) keys.add(INIT_ERROR);
  return { ...difference, changes: difference.changes || restart, replaceKeys: [...keys] };
}

/** Finds the dependents that go with a replaced resource: deleted with it, or replaced by their provider when an input from it is unknown. */
export function* dependentReplacements(
  planState: PlanState,
  root: ResourceState,
): Planning<{ resource: ResourceState; keys: string[] }[]> {
  const replaced = new Set([root.urn]);
  const found: { resource: ResourceState; keys: string[] }[] = [];
  const ignore = (urn: string) => planState.hasSteps(urn);
  for (const resource of planState.graph.dependingOn(root, { ignore, children: false })) {
    const keys = yield* replacementKeys(resource, replaced);
    if (keys === undefined) continue;
    found.push({ resource, keys });
    replaced.add(resource.urn);
  }
  return found;
}

function* replacementKeys(resource: ResourceState, replaced: ReadonlySet<string>): Planning<string[] | undefined> {
  const { deletedWith } = resource;
  if (deletedWith !== undefined && replaced.has(deletedWith)) return [];
  if (!resource.custom || resource.external === true) return undefined;
  const provider = providerUrn(resource);
  if (provider !== undefined && replaced.has(provider)) return [];
  const inputs = { ...resource.inputs };
  let touched = false;
  for (const [key, urns] of Object.entries(resource.propertyDependencies ?? {})) {
    if (!(key in inputs) || !urns.some((urn) => replaced.has(urn))) continue;
    inputs[key] = UNKNOWN;
    touched = true;
  }
  if (!touched || isProviderType(resource.type)) return undefined;
  const answer = yield* diffCustom(resource, inputs, resource.ignoreChanges, { unknowns: true });
  const keys = withReplaceOnChanges(answer, resource.replaceOnChanges ?? [], false).replaceKeys;
  return keys.length > 0 ? keys : undefined;
}
