import type { ResourceState } from "../model/types.ts";
import { dependencyUrns, providerUrn } from "../model/urn.ts";

/** The dependencies of a state whose resources stand in dependency order. A replaced URN may stand there twice. */
export class DependencyGraph {
  readonly #resources: readonly ResourceState[];
  readonly #index: ReadonlyMap<ResourceState, number>;
  readonly #byUrn: ReadonlyMap<string, ResourceState[]>;
  readonly #children: ReadonlyMap<string | undefined, ResourceState[]>;

  constructor(resources: readonly ResourceState[]) {
    this.#resources = resources;
    this.#index = new Map(resources.map((resource, index) => [resource, index]));
    this.#byUrn = Map.groupBy(resources, ({ urn }) => urn);
    this.#children = Map.groupBy(resources, ({ parent }) => parent);
  }

  /** Returns all that depend on the resource, directly or not, in dependency order. */
  dependingOn(
    resource: ResourceState,
    options: { ignore: (urn: string) => boolean; children: boolean },
  ): ResourceState[] {
    const reached = new Set([resource.urn]);
    const dependents: ResourceState[] = [];
    for (const candidate of this.#resources.slice(this.#position(resource) + 1)) {
      if (options.ignore(candidate.urn) || !refersTo(candidate, reached, options.children)) continue;
      dependents.push(candidate);
      reached.add(candidate.urn);
    }
    return dependents;
  }

  /** Returns the direct needs of the resource. A resource that needs a component needs its children, too. */
  dependenciesOf(resource: ResourceState): Set<ResourceState> {
    const position = this.#position(resource);
    const found = new Set<ResourceState>();
    const take = (urn: string | undefined, withChildren: boolean) => {
      for (const candidate of urn === undefined ? [] : (this.#byUrn.get(urn) ?? [])) {
        if (this.#position(candidate) >= position) continue;
        found.add(candidate);
        if (withChildren && !candidate.custom) this.#takeDescendants(candidate.urn, position, found);
      }
    };
    for (const urn of dependencyUrns(resource)) take(urn, true);
    take(providerUrn(resource), true);
    take(resource.parent, false);
    return found;
  }

  #takeDescendants(urn: string, before: number, found: Set<ResourceState>): void {
    for (const child of this.#children.get(urn) ?? []) {
      if (this.#position(child) >= before || found.has(child)) continue;
      found.add(child);
      this.#takeDescendants(child.urn, before, found);
    }
  }

  #position(resource: ResourceState): number {
    return this.#index.get(resource) ?? this.#resources.length;
  }
}

/** Returns deletions in their order: the resources of one round may go at once, and each goes after its dependents. */
export function deletionRounds(condemned: readonly ResourceState[], graph: DependencyGraph): ResourceState[][] {
  const rounds: ResourceState[][] = [];
  const level = new Map<ResourceState, number>();
  const chosen = new Set(condemned);
  const levelOf = (resource: ResourceState): number => {
    const known = level.get(resource);
    if (known !== undefined) return known;
    level.set(resource, 0);
    const needed = [...graph.dependenciesOf(resource)].filter((dependency) => chosen.has(dependency));
    const found = needed.length === 0 ? 0 : 1 + Math.max(...needed.map(levelOf));
    level.set(resource, found);
    return found;
  };
  for (const resource of condemned) (rounds[levelOf(resource)] ??= []).push(resource);
  return rounds.reverse();
}

function refersTo(candidate: ResourceState, urns: ReadonlySet<string>, children: boolean): boolean {
  if (children && candidate.parent !== undefined && urns.has(candidate.parent)) return true;
  const provider = providerUrn(candidate);
  if (provider !== undefined && urns.has(provider)) return true;
  for (const urn of dependencyUrns(candidate)) if (urns.has(urn)) return true;
  return false;
}
