import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { EngineError, UnsupportedError, at } from "./errors.ts";
import { readRegistration } from "./incoming.ts";
import { Limiter } from "./limiter.ts";
import { serveMonitor, type Monitor, type MonitorHandlers, type Registered } from "./monitor.ts";
import { Stopped, type Operation } from "./operation.ts";
import { planRegistration } from "./plan/registration.ts";
import type { Registration, Step } from "./plan/types.ts";
import { refreshResources } from "./refresh.ts";
import { earlyEnd, startProgram, unfinishedProgram, type ProgramPlace } from "./program.ts";
import { deleteLeftovers } from "./deletions.ts";
import { unsupportedValue, featureInMessage } from "./unsupported.ts";
import type { PropertyMap, ResourceState } from "./state/types.ts";
import { SECRET_SIG, SIG_KEY } from "./state/types.ts";
import {
  DYNAMIC_PACKAGE,
  dependencyUrns,
  isProviderType,
  isRootStack,
  providerReference,
  providerType,
} from "./urn.ts";

/**
 * An update or its preview: runs the program, decides for every resource it registers what to do, does it, and deletes
 * what the program no longer registers once it has come to its end.
 */
export class Update implements MonitorHandlers {
  readonly #operation: Operation;
  /** Planning takes one registration at a time, in the order they come. */
  readonly #planning = new Limiter(1);
  readonly #finished = new Map<string, { step: Step; state: ResourceState }>();
  readonly #failed = new Set<string>();
  readonly #registrations = new Map<string, Registration>();
  #defaultProvider: Promise<string> | undefined;
  #stackOutputs: { urn: string; outputs: PropertyMap } | undefined;
  #done = false;
  /** Errors the program has told the user by itself, which nobody needs to be told twice. */
  readonly #reported: string[] = [];

  constructor(operation: Operation) {
    this.#operation = operation;
  }

  /** Serves the program until it ends. Resolves with the state of the stack, when it got as far as registering it. */
  async run(monitor: Monitor, place: ProgramPlace): Promise<ResourceState | undefined> {
    const operation = this.#operation;
    const { request, sdk, events, dryRun, parallel } = operation;
    const child = startProgram({ request, sdk, place, address: monitor.address, dryRun, parallel, events });
    const exit = await Promise.race([child.exited, operation.untilStopped.catch(() => undefined)]);
    if (exit === undefined) await child.stop();
    else if ((!this.#done || exit.code !== 0) && !operation.isStopped()) {
      const error = earlyEnd(exit, child, place, this.#reported);
      operation.fail(error, { told: this.#reported.length > 0 });
    }
    await operation.settled();
    return this.#finishStack();
  }

  async register(request: RegisterResourceRequest): Promise<Registered> {
    try {
      const registration = readRegistration(request, this.#operation.request.root);
      return await Promise.race([this.#register(registration), this.#operation.untilStopped]);
    } catch (error) {
      this.#operation.fail(error);
      throw error;
    }
  }

  async registerOutputs(urn: string, outputs: PropertyMap): Promise<void> {
    const operation = this.#operation;
    if (operation.isStopped()) throw new Stopped();
    const feature = unsupportedValue(outputs);
    if (feature !== undefined)
      return this.#reject(new UnsupportedError(`${feature} in the outputs of ${urn}`, { urn }));
    if (isRootStack(urn)) {
      this.#stackOutputs = { urn, outputs };
      return;
    }
    const registered = this.#finished.get(urn);
    if (registered === undefined)
      return this.#reject(new EngineError(`${urn} tells its outputs and was not registered`));
    if (registered.step.skipped !== true) await this.#setOutputs(urn, outputs);
  }

  async programDone(): Promise<void> {
    if (this.#operation.isStopped()) throw new Stopped();
    this.#done = true;
    if (this.#stackOutputs === undefined) return this.#reject(unfinishedProgram());
    try {
      await this.#operation.track(deleteLeftovers(this.#operation));
    } catch (error) {
      this.#operation.fail(error);
    }
    if (this.#operation.isStopped()) throw new Stopped();
  }

  unsupported(feature: string): void {
    this.#operation.fail(new UnsupportedError(feature));
  }

  log(...[severity, message, options]: Parameters<MonitorHandlers["log"]>): void {
    if (severity === "error") this.#reported.push(message);
    if (this.#operation.isStopped() && severity === "error") severity = "info#err";
    this.#operation.events.diagnostic(severity, message, options);
    const feature = featureInMessage(message);
    if (feature !== undefined) this.#operation.fail(new UnsupportedError(feature));
  }

  async #register(registration: Registration): Promise<Registered> {
    const operation = this.#operation;
    if (operation.isStopped()) throw new Stopped();
    const complete = await this.#withProvider(this.#inheriting(registration));
    const { urn, steps } = await this.#plan(complete);
    this.#registrations.set(urn, complete);
    if (this.#dependsOnFailed(urn, steps)) return { urn, id: "", outputs: {}, failed: true };
    const state = await operation.runChain(steps, (step, state) => this.#finished.set(state.urn, { step, state }));
    if (state === undefined) {
      this.#failed.add(urn);
      return { urn, id: "", outputs: {}, failed: true };
    }
    await operation.settlePending(urn);
    return { urn: state.urn, id: state.id ?? "", outputs: state.custom ? (state.outputs ?? {}) : {}, failed: false };
  }

  /** Planning sees one registration after the other, since each decision rests on those before. */
  #plan(registration: Registration): Promise<{ urn: string; steps: Step[] }> {
    return this.#planning.run(async () => {
      const operation = this.#operation;
      if (operation.isStopped()) throw new Stopped();
      const plan = await operation.drive(planRegistration(operation.world, registration));
      if (plan.notIgnored.length > 0)
        operation.events.diagnostic(
          "info",
          `ignoreChanges of "${registration.name}"${at(registration.source)} names ${plan.notIgnored.join(", ")}, where elements were added or removed: those changes are not ignored`,
          { urn: plan.urn },
        );
      operation.accept(plan.steps);
      return plan;
    });
  }

  /** The options that the engine hands down to children; others are handed down by the SDK. */
  #inheriting(registration: Registration): Registration {
    const parent = this.#registrations.get(registration.parent ?? "");
    if (parent === undefined) return registration;
    const { protect, retainOnDelete, deletedWith } = parent;
    return {
      ...registration,
      protect: registration.protect ?? protect,
      retainOnDelete: registration.retainOnDelete ?? retainOnDelete,
      deletedWith: registration.deletedWith ?? deletedWith,
    };
  }

  /** Dynamic resources without a provider of their own share the default one, which is registered when first needed. */
  async #withProvider(registration: Registration): Promise<Registration> {
    if (!registration.custom || registration.provider !== undefined || isProviderType(registration.type))
      return registration;
    return { ...registration, provider: await (this.#defaultProvider ??= this.#registerDefaultProvider()) };
  }

  async #registerDefaultProvider(): Promise<string> {
    const { urn, id } = await this.#register({
      type: providerType(DYNAMIC_PACKAGE),
      name: "default",
      custom: true,
      inputs: this.#configuration(),
      dependencies: [],
      propertyDependencies: {},
      aliases: [],
      ignoreChanges: [],
      replaceOnChanges: [],
      additionalSecretOutputs: [],
      hideDiffs: [],
    });
    return providerReference(urn, id);
  }

  /** Dynamic providers are given the whole configuration of the stack, as Pulumi gives it. */
  #configuration(): PropertyMap {
    const { values, secretKeys } = this.#operation.request.config;
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => [
        key,
        secretKeys.includes(key) ? { [SIG_KEY]: SECRET_SIG, value } : value,
      ]),
    );
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
    const registered = this.#finished.get(urn);
    if (registered === undefined) return;
    const state = await this.#operation.track(this.#operation.executor.setOutputs(registered.state, outputs));
    this.#finished.set(urn, { step: registered.step, state });
    this.#operation.events.outputs(registered.step, state);
  }

  /** The stack's outputs are kept to the end: after a failure those that were not told stay as they were. */
  async #finishStack(): Promise<ResourceState | undefined> {
    const told = this.#stackOutputs;
    const stack = [...this.#finished.values()].find(({ state }) => isRootStack(state.urn));
    if (told === undefined || stack === undefined) return stack?.state;
    const complete = this.#operation.failures.length === 0 && !this.#operation.cancelled;
    const before = this.#operation.world.olds.get(told.urn)?.outputs ?? {};
    await this.#setOutputs(told.urn, complete ? told.outputs : { ...before, ...told.outputs });
    return this.#finished.get(told.urn)?.state;
  }

  #reject(error: EngineError): never {
    this.#operation.fail(error);
    throw error;
  }
}

export async function runUpdate(operation: Operation, place: ProgramPlace): Promise<ResourceState | undefined> {
  const { request, sdk, dryRun, parallel } = operation;
  const update = new Update(operation);
  const { project, stack, config } = request;
  const organization = request.organization ?? "organization";
  const monitor = await serveMonitor(sdk, { project, stack, organization, config, dryRun, parallel }, update);
  try {
    if (request.refresh === true) operation.rebase(await refreshResources(operation));
    if (operation.failures.length > 0) return undefined;
    return await update.run(monitor, place);
  } finally {
    monitor.close();
  }
}
