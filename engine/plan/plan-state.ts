import { at, type EngineError, RegistrationError } from "../errors.ts";
import type { ResourceState, SourcePosition } from "../model/types.ts";
import { createUrn, isProviderType, isRootStack, shortType, typeOf } from "../model/urn.ts";
import { aliasUrns } from "./aliases.ts";
import { DependencyGraph } from "./graph.ts";
import { Targets } from "./targets.ts";
import type { PlannerOptions, Registration, Step } from "./types.ts";

/** What was decided for a URN. Deletions are kept apart: a URN may be deleted and created in one run. */
export type Decision = "same" | "create" | "update" | "replace";

/**
 * What planning knows while a run goes on: the state it started from, indexed, and what was decided so far. Every look
 * at it costs the same however many resources there are.
 */
export class PlanState {
  readonly options: PlannerOptions;
  readonly resources: readonly ResourceState[];
  /** Those not waiting for deletion, by URN. */
  readonly olds = new Map<string, ResourceState>();
  readonly targets: Targets;
  /** The targets and, with `targetDependents`, what was found to depend on them. */
  readonly reached: Targets;
  readonly decisions = new Map<string, Decision>();
  readonly deletes = new Set<string>();
  readonly skippedCreates = new Set<string>();
  /** States already deleted ahead of a replacement, so that they are not deleted twice. */
  readonly deletedEarly = new Set<ResourceState>();
  /** The properties for which a dependent of a replaced resource must be replaced too. */
  readonly dependentKeys = new Map<string, string[]>();
  /** Problems that do not stop a preview but make it fail. */
  readonly problems: EngineError[] = [];
  readonly #registered = new Map<string, SourcePosition | undefined>();
  /** Old URN to new URN, and the other way round, of resources found by an alias. */
  readonly #claimedBy = new Map<string, string>();
  readonly #oldUrn = new Map<string, string>();
  readonly #replaced = new Set<ResourceState>();
  readonly #pendingReplacement = new Set<ResourceState>();
  readonly #kept = new Set<string>();
  #graph: DependencyGraph | undefined;

  constructor(resources: readonly ResourceState[], options: PlannerOptions) {
    this.options = options;
    this.resources = resources;
    for (const resource of resources) if (resource.delete !== true) this.olds.set(resource.urn, resource);
    this.targets = new Targets(options.targets);
    this.reached = this.targets.copy();
  }

  get graph(): DependencyGraph {
    return (this.#graph ??= new DependencyGraph(this.resources));
  }

  /** Takes the URN for a registration; two registrations of one URN, or an unknown parent, are an error. */
  claim(registration: Registration): string {
    const { parent, type, name, source } = registration;
    if (parent !== undefined && !this.#registered.has(parent))
      throw new RegistrationError(
        `${shortType(type)} "${name}"${at(source)} names a parent that was never registered: ${parent}`,
        {
          source,
        },
      );
    const urn = createUrn(this.options.stack, this.options.project, parent, type, name);
    // What another resource stands for is told as that, once the inputs are checked.
    const isTaken = this.#claimedBy.has(urn);
    if (!isTaken && this.#registered.has(urn)) throw duplicate(registration, urn, this.#registered.get(urn));
    this.#registered.set(urn, source);
    return urn;
  }

  /** Another registration stands for what the state has under this URN. */
  isClaimed(urn: string): boolean {
    return this.#claimedBy.has(urn);
  }

  /** Counts as registered without a registration: carried over from the old state, under the URN that it had. */
  carryOver(urn: string): void {
    if (!this.#registered.has(urn)) this.#registered.set(urn, undefined);
    this.decisions.set(urn, "same");
  }

  /** Stays, whether the program registers it or not: something that the targets leave out needs it. */
  keep(urn: string): void {
    this.#kept.add(urn);
  }

  isKept(urn: string): boolean {
    return this.#kept.has(urn);
  }

  isRegistered(urn: string): boolean {
    return this.#registered.has(urn);
  }

  sourceOf(urn: string): SourcePosition | undefined {
    return this.#registered.get(urn);
  }

  /**
   * The old state of a resource, under its own URN first, else under one of its aliases. `conflict`: another resource stands
   * for that one; Pulumi has the provider check the inputs before it says so.
   */
  findOld(urn: string, registration: Registration): { old?: ResourceState; alias?: string; conflict?: Error } {
    const claimer = this.#claimedBy.get(urn);
    if (claimer !== undefined)
      return { ...found(this.olds.get(urn)), conflict: aliasTaken(registration, urn, urn, claimer) };
    const aliases = aliasUrns(registration, this.options, (parent) => this.#oldUrn.get(parent));
    for (const candidate of [urn, ...aliases]) {
      const old = this.olds.get(candidate);
      if (old === undefined) continue;
      if (candidate === urn) return { old };
      const conflict = this.#claimAlias(registration, urn, candidate);
      return { old, alias: candidate, ...(conflict && { conflict }) };
    }
    return {};
  }

  /** Undefined where it is free, and taken from now on. */
  #claimAlias(registration: Registration, urn: string, alias: string): Error | undefined {
    const other = this.#claimedBy.get(alias) ?? (this.#registered.has(alias) ? alias : undefined);
    if (other !== undefined) return aliasTaken(registration, urn, alias, other);
    this.#claimedBy.set(alias, urn);
    this.#oldUrn.set(urn, alias);
    return undefined;
  }

  /** The URN that a resource of the old state has now. */
  newUrn(oldUrn: string): string {
    return this.#claimedBy.get(oldUrn) ?? oldUrn;
  }

  /** Something of the program stands for this URN now, so it must not be deleted as left over. */
  isOperatedOn(urn: string): boolean {
    const decision = this.decisions.get(this.newUrn(urn));
    return decision === "same" || decision === "update" || decision === "replace";
  }

  hasSteps(urn: string): boolean {
    return this.decisions.has(urn) || this.deletes.has(urn);
  }

  /** Providers and the stack take part whatever the targets are. */
  isIncluded(resource: ResourceState): boolean {
    return isProviderType(typeOf(resource.urn)) || isRootStack(resource.urn) || this.isTargeted(resource);
  }

  /** By itself, or as a dependent of what is. */
  isTargeted(resource: ResourceState): boolean {
    if (this.targets.has(resource.urn)) return true;
    return this.options.targetDependents === true && this.reached.hasDependencyOf(resource);
  }

  /** A step took effect: what it left behind is to be deleted, or to be created again, later in this run. */
  applied(step: Step): void {
    if (step.pending !== true || step.old === undefined) return;
    if (step.op === "create-replacement") this.#replaced.add(step.old);
    if (step.op === "delete-replaced") this.#pendingReplacement.add(step.old);
  }

  isReplaced(resource: ResourceState): boolean {
    return resource.delete === true || this.#replaced.has(resource);
  }

  isPendingReplacement(resource: ResourceState): boolean {
    return resource.pendingReplacement === true || this.#pendingReplacement.has(resource);
  }

  /** In a preview a problem is noted and planning goes on, to show all of them; otherwise it stops here. */
  report(problem: EngineError): void {
    if (!this.options.dryRun) throw problem;
    this.problems.push(problem);
  }
}

function duplicate(registration: Registration, urn: string, first: SourcePosition | undefined): RegistrationError {
  const { type, name, source } = registration;
  return new RegistrationError(
    `two resources of type ${shortType(type)} are named "${name}": the second${at(source)}, the first${at(first)}. Give one of them another name`,
    { urn, source },
  );
}

function aliasTaken(registration: Registration, urn: string, alias: string, other: string): RegistrationError {
  return new RegistrationError(
    `"${registration.name}"${at(registration.source)} stands for ${alias}, and so does ${other}. Only one of them may have that alias`,
    { urn, source: registration.source },
  );
}

function found(old: ResourceState | undefined): { old?: ResourceState } {
  return old === undefined ? {} : { old };
}
