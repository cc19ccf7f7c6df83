import { type ResourceState, ROOT_STACK_TYPE } from "../model/types.ts";
import { isProviderType, parseProviderReference, providerReference, qualifiedType } from "../model/urn.ts";
import type { StackRef } from "./types.ts";

/** Pulumi's demands on the list of resources, and the changes that make a list meet them. Pure. */

/** Returns every reason for which Pulumi would refuse this list. */
export function integrityProblems(resources: readonly ResourceState[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  const providers = new Set<string>();
  const live = new Set<string>();
  const all = new Set(resources.map((state) => state.urn));
  for (const state of resources) {
    for (const [what, urn] of references(state)) {
      if (!seen.has(urn))
        problems.push(`${state.urn}: its ${what} ${urn} ${all.has(urn) ? "comes after it" : "is missing"}`);
    }
    if (!isEmptyText(state.provider) && !providers.has(state.provider) && state.pendingReplacement !== true)
      problems.push(`${state.urn}: its provider ${state.provider} is missing or comes after it`);
    if (!state.custom && !isEmptyText(state.id))
      problems.push(`${state.urn}: is a component but has the id ${state.id}`);
    if (state.delete !== true && live.has(state.urn)) problems.push(`${state.urn}: is there twice`);
    if (state.delete !== true) live.add(state.urn);
    if (isProviderType(state.type)) providers.add(providerReference(state.urn, state.id ?? ""));
    seen.add(state.urn);
  }
  return problems;
}

/** Returns the list as it may be written: given-up URNs replaced, missing references dropped, needs first. A list in order keeps its order. */
export function arrange(resources: readonly ResourceState[]): ResourceState[] {
  const arranged = dropDangling(followAliases(resources));
  return isOrdered(arranged) ? arranged : sortByReferences(arranged);
}

export function stackOf(urn: string): StackRef {
  const [head, project] = urn.split("::");
  return { stack: head?.replace(/^urn:pulumi:/, "") ?? "", project: project ?? "" };
}

/** Tells if a URN is of this stack. */
export function isOf({ project, stack }: StackRef, urn: string): boolean {
  const own = stackOf(urn);
  return own.stack === stack && own.project === project;
}

function isEmptyText(text: string | undefined): text is undefined | "" {
  return text === undefined || text === "";
}

function* references(state: ResourceState): Generator<[string, string]> {
  if (!isEmptyText(state.parent)) yield ["parent", state.parent];
  for (const urn of state.dependencies ?? []) yield ["dependency", urn];
  for (const urns of Object.values(state.propertyDependencies ?? {}))
    for (const urn of urns) yield ["property dependency", urn];
  if (!isEmptyText(state.deletedWith)) yield ["deletedWith", state.deletedWith];
}

export function withReferences(state: ResourceState, replace: (urn: string) => string | undefined): ResourceState {
  const one = (urn: string | undefined): string | undefined => (isEmptyText(urn) ? undefined : replace(urn));
  const many = (urns: string[] | undefined): string[] | undefined =>
    urns?.map(replace).filter((urn) => urn !== undefined);
  const byProperty = state.propertyDependencies;
  return {
    ...state,
    parent: one(state.parent),
    dependencies: many(state.dependencies),
    propertyDependencies:
      byProperty && Object.fromEntries(Object.entries(byProperty).map(([key, urns]) => [key, many(urns) ?? []])),
    deletedWith: one(state.deletedWith),
    replaceWith: many(state.replaceWith),
    viewOf: one(state.viewOf),
  };
}

function followAliases(resources: readonly ResourceState[]): ResourceState[] {
  const renamed = new Map<string, string>();
  for (const state of resources) {
    for (const alias of state.aliases ?? []) if (alias !== state.urn) renamed.set(alias, state.urn);
    const parent = state.parent === undefined ? undefined : renamed.get(state.parent);
    if (parent !== undefined && qualifiedType(parent) !== ROOT_STACK_TYPE)
      renamed.set(state.urn, urnBelow(parent, state.urn));
  }
  const follow = (urn: string): string => renamed.get(urn) ?? urn;
  return resources.map((state) => {
    if (renamed.size === 0 && state.aliases === undefined) return state;
    const moved = withReferences(state, follow);
    return { ...moved, urn: follow(state.urn), provider: followProvider(state.provider, follow), aliases: undefined };
  });
}

function urnBelow(parent: string, child: string): string {
  const [head, project, type = "", ...name] = child.split("::");
  const own = type.slice(type.lastIndexOf("$") + 1);
  return [head, project, `${qualifiedType(parent)}$${own}`, ...name].join("::");
}

function followProvider(provider: string | undefined, follow: (urn: string) => string): string | undefined {
  if (isEmptyText(provider)) return undefined;
  const { urn, id } = parseProviderReference(provider);
  return providerReference(follow(urn), id);
}

function dropDangling(resources: readonly ResourceState[]): ResourceState[] {
  const there = new Set(resources.map((state) => state.urn));
  const dangles = (state: ResourceState): boolean =>
    [...references(state)].some(([, urn]) => !there.has(urn)) ||
    (state.replaceWith ?? []).some((urn) => !there.has(urn));
  return resources.map((state) =>
    dangles(state) ? withReferences(state, (urn) => (there.has(urn) ? urn : undefined)) : state,
  );
}

/** Returns the URNs that have to stand before a resource, including its provider. */
function prerequisites(state: ResourceState): string[] {
  const urns = [...references(state)].map(([, urn]) => urn);
  if (!isEmptyText(state.provider)) urns.push(parseProviderReference(state.provider).urn);
  return urns;
}

function isOrdered(resources: readonly ResourceState[]): boolean {
  const seen = new Set<string>();
  return resources.every((state) => {
    const fits = prerequisites(state).every((urn) => seen.has(urn));
    seen.add(state.urn);
    return fits;
  });
}

/** Sorts depth first, so that only misplaced resources move. */
function sortByReferences(resources: readonly ResourceState[]): ResourceState[] {
  const byUrn = Map.groupBy(resources, (state) => state.urn);
  const placed = new Set<ResourceState>();
  const sorted: ResourceState[] = [];
  const place = (state: ResourceState): void => {
    if (placed.has(state)) return;
    placed.add(state);
    for (const urn of prerequisites(state)) if (urn !== state.urn) byUrn.get(urn)?.forEach(place);
    sorted.push(state);
  };
  resources.forEach(place);
  return sorted;
}
