import { at, type EngineError, RegistrationError } from "../errors.ts";
import type { ResourceState, SourcePosition } from "../model/types.ts";
import { createUrn, isProviderType, isRootStack, shortType, typeOf } from "../model/urn.ts";
import { aliasUrns } from "./aliases.ts";
import { DependencyGraph } from "./graph.ts";
import { Targets } from "./targets.ts";
import type { PlannerOptions, Registration, Step } from "./types.ts";

/** The decision about a URN. Deletions are kept apart, because one run may delete and create a URN. */
export type Decision = "same" | "create" | "update" | "replace";

/** The knowledge of planning during a run: the old state, indexed, and the decisions so far. A look-up costs the same for any number of resources. */
export class PlanState {
  readonly options: PlannerOptions;
  readonly resources: readonly ResourceState[];
  /** The resources that don't wait for deletion, by URN. */
  readonly olds = new Map<string, ResourceState>();
  readonly targets: Targets;
  readonly decisions = new Map<string, Decision>();
  readonly deletes = new Set<string>();
  readonly skippedCreates = new Set<string>();
  /** Resources that stay, registered or not, because something that the targets leave out needs them. */
  readonly kept = new Set<string>();
  /** States that were already deleted ahead of a replacement, so that the run doesn't delete them twice. */
  readonly deletedEarly = new Set<ResourceState>();
  /** The properties for which a dependent of a replaced resource must be replaced, too. */
  readonly dependentKeys = new Map<string, string[]>();
  /** Problems that don't stop a preview but make it fail. */
  readonly problems: EngineError[] = [];
  readonly #registered = new Map<string, SourcePosition | undefined>();
  /** The old URN and the new one of resources that were found by an alias, and the other way round. */
  readonly #claimedBy = new Map<string, string>();
  readonly #oldUrn = new Map<string, string>();
  readonly #replaced = new Set<ResourceState>();
  readonly #pendingReplacement = new Set<ResourceState>();
  #graph: DependencyGraph | undefined;

  constructor(resources: readonly ResourceState[], options: PlannerOptions) {
    this.options = options;
    this.resources = resources;
    for (const resource of resources) if (resource.delete !== true) this.olds.set(resource.urn, resource);
    this.targets = new Targets(options.targets);
  }

  get graph(): DependencyGraph {
    return (this.#graph ??= new DependencyGraph(this.resources));
  }

  /** Takes the URN for a registration. A second registration of a URN, or an unknown parent, is an error. */
  claim(registration: Registration): string {
    const { parent, type, name, source } = registration;
    if (parent !== undefined && !this.#registered.has(parent))
      throw new RegistrationError(
        `${shortType(type)} "${name}"${at(source)} names a parent that was never registered: ${parent}`,
        { source },
      );
    const urn = createUrn(this.options.stack, this.options.project, parent, type, name);
    // A URN that another resource stands for gets its own error, after the inputs are checked.
    const isTaken = this.#claimedBy.has(urn);
    if (!isTaken && this.#registered.has(urn)) throw duplicate(registration, urn, this.#registered.get(urn));
    this.#registered.set(urn, source);
    return urn;
  }

  /** Tells if another registration stands for this URN of the state. */
  isClaimed(urn: string): boolean {
    return this.#claimedBy.has(urn);
  }

  /** Counts the URN as registered without a registration: it is carried over from the old state. */
  carryOver(urn: string): void {
    if (!this.#registered.has(urn)) this.#registered.set(urn, undefined);
    this.decisions.set(urn, "same");
  }

  isRegistered(urn: string): boolean {
    return this.#registered.has(urn);
  }

  sourceOf(urn: string): SourcePosition | undefined {
    return this.#registered.get(urn);
  }

  /** Finds the old state by the own URN, then by aliases. `conflict`: another resource stands for it. Pulumi reports that after the inputs' check. */
  findOld(urn: string, registration: Registration): { old?: ResourceState; alias?: string; conflict?: Error } {
    const claimer = this.#claimedBy.get(urn);
    if (claimer !== undefined)
      return { old: this.olds.get(urn), conflict: aliasTaken(registration, urn, urn, claimer) };
    const aliases = aliasUrns(registration, this.options, (parent) => this.#oldUrn.get(parent));
    for (const candidate of [urn, ...aliases]) {
      const old = this.olds.get(candidate);
      if (old === undefined) continue;
      if (candidate === urn) return { old };
      return { old, alias: candidate, conflict: this.#claimAlias(registration, urn, candidate) };
    }
    return {};
  }

  /** Takes a free alias. Returns an error if another resource has it. */
  #claimAlias(registration: Registration, urn: string, alias: string): Error | undefined {
    const other = this.#claimedBy.get(alias) ?? (this.#registered.has(alias) ? alias : undefined);
    if (other !== undefined) return aliasTaken(registration, urn, alias, other);
    this.#claimedBy.set(alias, urn);
    this.#oldUrn.set(urn, alias);
    return undefined;
  }

  /** Returns the present URN of a resource of the old state. */
  newUrn(oldUrn: string): string {
    return this.#claimedBy.get(oldUrn) ?? oldUrn;
  }

  /** Tells if a resource of the program stands for this URN now, so that it is no leftover. */
  isOperatedOn(urn: string): boolean {
    const decision = this.decisions.get(this.newUrn(urn));
    return decision === "same" || decision === "update" || decision === "replace";
  }

  hasSteps(urn: string): boolean {
    return this.decisions.has(urn) || this.deletes.has(urn);
  }

  isIncluded(resource: ResourceState): boolean {
    return isProviderType(typeOf(resource.urn)) || isRootStack(resource.urn) || this.targets.has(resource.urn);
  }

  /** Notes a step that took effect: this run later deletes or creates again the resource that it left. */
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

  /** Notes a problem. A preview goes on, to show all of them; a run stops here. */
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
