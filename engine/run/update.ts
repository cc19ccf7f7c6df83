import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { at, CheckError, EngineError, ProgramError, UnsupportedError } from "../errors.ts";
import type { PropertyMap, ResourceState } from "../model/types.ts";
import { holdNumbers } from "../model/values.ts";
import { createUrn, dependencyUrns, isProviderType, isRootStack, providerReference } from "../model/urn.ts";
import { planDeletions } from "../plan/deletion.ts";
import { planRegistration } from "../plan/registration.ts";
import type { Registration, Step } from "../plan/types.ts";
import { completeRegistration, defaultProvider, inheriting, rootStack } from "../program/direct.ts";
import { type MonitorHandlers, type Registered, serveMonitor } from "../program/monitor.ts";
import type { Port } from "../program/served.ts";
import { earlyEnd, type ProgramPlace, startProgram, unfinishedProgram } from "../program/process.ts";
import { checked, readRegistration, unstorableIn } from "../program/registration-request.ts";
import { unsupportedIn, unsupportedValue } from "../program/unsupported.ts";
import type { DirectProgram } from "../request.ts";
import { isPlainSdk } from "../sdk/switch.ts";
import { Limiter } from "../sdk/limiter.ts";
import { isInterrupted, refreshResources } from "./refresh.ts";
import { type RunContext, Stopped } from "./run-context.ts";

/** An update or its preview: acts on every resource that the program registers, and at the program's end deletes the others. */
export class Update implements MonitorHandlers {
  readonly #run: RunContext;
  /** Planning takes one registration at a time, in their order. */
  readonly #planning = new Limiter(1);
  readonly #outcomes = new Map<string, { step: Step; state: ResourceState }>();
  readonly #failed = new Set<string>();
  readonly #registrations = new Map<string, Registration>();
  #defaultProvider: Promise<string> | undefined;
  #stackOutputs: { urn: string; outputs: PropertyMap } | undefined;
  #done = false;
  /** Errors that the program has already told the user. */
  readonly #reported: string[] = [];

  constructor(run: RunContext) {
    this.#run = run;
  }

  /** Serves the program until it ends. Resolves with the state of the stack, if the program registered it. */
  async run(monitor: Port, place: ProgramPlace): Promise<ResourceState | undefined> {
    const run = this.#run;
    const { request, events, dryRun, parallel } = run;
    // With the plain SDK, nobody reports that the program asked, so the engine assumes it.
    if (isPlainSdk()) this.askedDryRun();
    const child = startProgram({ request, sdk: run.sdk(), place, address: monitor.address, dryRun, parallel, events });
    const exit = await Promise.race([child.exited, run.untilStopped.catch(() => undefined)]);
    if (exit === undefined) await child.stop();
    else if ((!this.#done || exit.code !== 0) && !run.isStopped()) {
      const error = earlyEnd(exit, child, place, this.#reported);
      run.fail(error, { told: this.#reported.length > 0 });
    }
    await run.settled();
    return this.#finishStack();
  }

  /** Does the same for a program that needs no process. */
  async runDirect(program: DirectProgram): Promise<ResourceState | undefined> {
    const run = this.#run;
    const { project, stack, root } = run.request;
    try {
      const { urn } = await this.#take(() => rootStack(project, stack));
      const outputs = await program({
        dryRun: run.dryRun,
        stackUrn: urn,
        urn: (type, name) => createUrn(stack, project, undefined, type, name),
        warn: (message) => run.events.diagnostic("warning", message),
        register: async (given) => {
          const registered = await this.#take(() => checked(completeRegistration(given, urn, root)));
          if (registered.failed) throw new Stopped();
          return registered;
        },
      });
      await this.registerOutputs(urn, outputs);
      await this.programDone();
    } catch (error) {
      run.fail(error);
    }
    await run.settled();
    return this.#finishStack();
  }

  register(request: RegisterResourceRequest): Promise<Registered> {
    return this.#take(() => readRegistration(request, this.#run.request.root));
  }

  async #take(registration: () => Registration): Promise<Registered> {
    try {
      return await Promise.race([this.#register(registration()), this.#run.untilStopped]);
    } catch (error) {
      // In a run, a refused resource would count as no longer registered, and the run would delete it.
      const { dryRun, request: asked } = this.#run;
      if (!(error instanceof CheckError) || error.urn === undefined || !dryRun || asked.continueOnError !== true) {
        this.#run.fail(error);
        throw error;
      }
      this.#run.fail(error, { goOn: true });
      this.#failed.add(error.urn);
      return { urn: error.urn, id: "", outputs: {}, failed: true };
    }
  }

  async registerOutputs(urn: string, told: PropertyMap): Promise<void> {
    const run = this.#run;
    const outputs = holdNumbers(told);
    if (run.isStopped()) throw new Stopped();
    const feature = unsupportedValue(outputs);
    if (feature !== undefined)
      return this.#reject(new UnsupportedError(`${feature} in the outputs of ${urn}`, { urn }));
    const unstorable = unstorableIn(outputs, isRootStack(urn) ? "the stack's outputs" : `the outputs of ${urn}`, {
      urn,
    });
    if (unstorable !== undefined) return this.#reject(unstorable);
    if (isRootStack(urn)) {
      this.#stackOutputs = { urn, outputs };
      return;
    }
    const registered = this.#outcomes.get(urn);
    if (registered === undefined)
      return this.#reject(new EngineError(`${urn} registers outputs, but was never registered itself`));
    if (registered.step.skipped !== true) await this.#setOutputs(urn, outputs);
  }

  async programDone(): Promise<void> {
    if (this.#run.isStopped()) throw new Stopped();
    this.#done = true;
    if (this.#stackOutputs === undefined) return this.#reject(unfinishedProgram());
    // The program has ended and reported an error. Pulumi deletes nothing then, and fails.
    if (this.#reported.length > 0) return this.#reject(new ProgramError(this.#reported.join("\n")), { told: true });
    try {
      // A resource that a preview refused, and its dependents, are no leftovers.
      if (!this.#run.dryRun || this.#failed.size === 0) await this.#run.track(deleteLeftovers(this.#run));
    } catch (error) {
      this.#run.fail(error);
    }
    if (this.#run.isStopped()) throw new Stopped();
  }

  unsupported(feature: string): void {
    this.#run.fail(new UnsupportedError(feature));
  }

  askedDryRun(): void {
    // It may declare something else in a run.
    this.#run.changes = true;
  }

  log(...[severity, message, options]: Parameters<MonitorHandlers["log"]>): void {
    if (severity === "error") this.#reported.push(message);
    if (this.#run.isStopped() && severity === "error") severity = "info#err";
    const unsupported = unsupportedIn(message);
    this.#run.events.diagnostic(severity, unsupported?.message ?? message, options);
    if (unsupported !== undefined) this.#run.fail(unsupported.error);
  }

  async #register(registration: Registration): Promise<Registered> {
    const run = this.#run;
    if (run.isStopped()) throw new Stopped();
    const inherited = inheriting(registration, this.#registrations.get(registration.parent ?? ""));
    const complete = await this.#withProvider(inherited);
    run.askAhead(complete);
    const { urn, steps } = await this.#plan(complete);
    this.#registrations.set(urn, complete);
    if (this.#dependsOnFailed(urn, steps)) return { urn, id: "", outputs: {}, failed: true };
    const state = await run.runChain(steps, (step, state) => this.#outcomes.set(state.urn, { step, state }));
    if (state === undefined) {
      this.#failed.add(urn);
      return { urn, id: "", outputs: {}, failed: true };
    }
    // The resource is carried over under its old URN, which its children name as their parent.
    this.#registrations.set(state.urn, complete);
    // A resource that the run must not touch is as doubtful as before.
    if (run.planState.targets.has(urn)) await run.settleCalls(urn, { isCreated: steps.some(isCreation) });
    const outputs = state.custom ? (state.outputs ?? {}) : {};
    const isUnknown = steps.some(({ skipped }) => skipped === true);
    return { urn: state.urn, id: state.id ?? "", outputs, failed: false, isUnknown };
  }

  /** Plans one registration after the other, because each decision rests on the ones before. */
  #plan(registration: Registration): Promise<{ urn: string; steps: Step[] }> {
    return this.#planning.run(async () => {
      const run = this.#run;
      if (run.isStopped()) throw new Stopped();
      const plan = await run.drive(planRegistration(run.planState, registration));
      if (plan.notIgnored.length > 0)
        run.events.diagnostic(
          "info",
          `ignoreChanges of "${registration.name}"${at(registration.source)} names ${plan.notIgnored.join(", ")}, where elements were added or removed: those changes are not ignored`,
          { urn: plan.urn },
        );
      run.accept(plan.steps);
      return plan;
    });
  }

  /** Gives a dynamic resource without a provider the shared default one, and registers that when it is first needed. */
  async #withProvider(registration: Registration): Promise<Registration> {
    if (!registration.custom || registration.provider !== undefined || isProviderType(registration.type))
      return registration;
    return { ...registration, provider: await (this.#defaultProvider ??= this.#registerDefaultProvider()) };
  }

  async #registerDefaultProvider(): Promise<string> {
    const { urn, id } = await this.#register(defaultProvider(this.#run.request.config));
    return providerReference(urn, id);
  }

  #dependsOnFailed(urn: string, steps: readonly Step[]): boolean {
    const depends = steps.some(({ new: next }) => {
      if (next === undefined) return false;
      const needed = [...dependencyUrns(next), ...(next.parent === undefined ? [] : [next.parent])];
      return needed.some((other) => this.#failed.has(other));
    });
    if (depends) this.#failed.add(urn);
    return depends;
  }

  async #setOutputs(urn: string, outputs: PropertyMap): Promise<void> {
    const registered = this.#outcomes.get(urn);
    if (registered === undefined) return;
    this.#run.noteRecorded(registered.state, { ...registered.state, outputs });
    const state = await this.#run.track(this.#run.executor.setOutputs(registered.state, outputs));
    this.#outcomes.set(urn, { step: registered.step, state });
    this.#run.events.outputs(registered.step, state);
  }

  /** Finishes the stack with its outputs. After a failure, outputs that the program did not report stay as they were. */
  async #finishStack(): Promise<ResourceState | undefined> {
    const told = this.#stackOutputs;
    const stack = [...this.#outcomes.values()].find(({ state }) => isRootStack(state.urn));
    if (told === undefined || stack === undefined) return stack?.state;
    const complete = this.#run.failures.length === 0 && !this.#run.cancelled;
    const before = this.#run.planState.olds.get(told.urn)?.outputs ?? {};
    await this.#setOutputs(told.urn, complete ? told.outputs : { ...before, ...told.outputs });
    return this.#outcomes.get(told.urn)?.state;
  }

  #reject(error: EngineError, options: { told?: boolean } = {}): never {
    this.#run.fail(error, options);
    throw error;
  }
}

/** Tells if the step creates something. Other steps leave the unfinished creation of a killed replacement where it is. */
function isCreation({ op }: Step): boolean {
  return op === "create" || op === "create-replacement";
}

export async function runUpdate(run: RunContext, place: ProgramPlace): Promise<ResourceState | undefined> {
  const { request, dryRun, parallel } = run;
  const update = new Update(run);
  const direct = request.program?.direct;
  if (direct !== undefined) return (await refreshedFirst(run)) ? update.runDirect(direct) : undefined;
  const { project, stack, config } = request;
  const monitor = await serveMonitor(run.sdk(), { project, stack, config, dryRun, parallel }, update);
  try {
    return (await refreshedFirst(run)) ? await update.run(monitor, place) : undefined;
  } finally {
    monitor.close();
  }
}

/** Returns false if a refresh was due and failed. */
async function refreshedFirst(run: RunContext): Promise<boolean> {
  if (run.request.refresh === true || isInterrupted(run.base)) run.rebase(await refreshResources(run));
  return run.failures.length === 0;
}

/** Deletes the rest of the old state, dependents first. If a deletion fails, the resources that it needs stay. */
export async function deleteLeftovers(run: RunContext): Promise<void> {
  const { kept, rounds } = await run.drive(planDeletions(run.planState));
  run.accept([...kept, ...rounds.flat()]);
  if (run.failures.length > 0 && !run.dryRun && run.request.continueOnError !== true) return;
  await run.runChain(kept);
  const needed = new Set<ResourceState>();
  for (const round of rounds) await Promise.all(round.map((step) => deleteUnlessNeeded(run, step, needed)));
}

async function deleteUnlessNeeded(run: RunContext, step: Step, needed: Set<ResourceState>): Promise<void> {
  if (step.old === undefined || needed.has(step.old)) return;
  const before = run.failures.length;
  await run.runChain([step]);
  if (run.failures.length > before) keepDependencies(run, step.old, needed);
  else await run.settleCalls(step.old.urn);
}

function keepDependencies(run: RunContext, resource: ResourceState, needed: Set<ResourceState>): void {
  for (const dependency of run.planState.graph.dependenciesOf(resource)) {
    if (needed.has(dependency)) continue;
    needed.add(dependency);
    keepDependencies(run, dependency, needed);
  }
}
