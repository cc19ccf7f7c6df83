import { isDeepStrictEqual } from "node:util";
import { asEngineError, at } from "../errors.ts";
import { Events, type OnEvent } from "../events.ts";
import { Providers } from "../link/providers.ts";
import type { Sdk } from "../link/sdk.ts";
import type { Deployment, ResourceState } from "../model/types.ts";
import { ExpectedPlan, plannedStep, type SecretDigest } from "../plan/expected.ts";
import { PlanState } from "../plan/plan-state.ts";
import type { Answer, Ask, PlannedStep, Planning, Registration, Step } from "../plan/types.ts";
import type { Failure, OperationRequest } from "../request.ts";
import type { UpdateSession } from "../state/session.ts";
import { type Applied, doing, Executor, isUnknownOutcome, naming } from "./executor.ts";
import { AskedAhead } from "../sdk/asked-ahead.ts";
import { Limiter } from "../sdk/limiter.ts";

/** The operation was stopped and begins nothing new. The cause is among the failures. */
export class Stopped extends Error {}

export interface RunSetup {
  request: OperationRequest;
  sdk: () => Sdk;
  folder: string;
  onEvent: OnEvent;
  base: Deployment;
  /** Absent in a preview. */
  session: UpdateSession | undefined;
}

/** The shared part of all operations: drives planning, carries out steps under the limit of parallelism, collects failures, and stops. */
export class RunContext {
  readonly request: OperationRequest;
  readonly sdk: () => Sdk;
  readonly session: UpdateSession | undefined;
  readonly base: Deployment;
  readonly events: Events;
  readonly failures: Failure[] = [];
  readonly planned: PlannedStep[] = [];
  readonly dryRun: boolean;
  readonly parallel: number;
  readonly providers: Providers;
  planState: PlanState;
  executor: Executor;
  cancelled = false;
  /** True if the recorded state changes or may change, also without a call to a provider. */
  changes: boolean;
  readonly #limiter: Limiter;
  readonly #ahead = new AskedAhead((ask) => this.providers.answer(ask));
  readonly #expected: ExpectedPlan | undefined;
  readonly #stop = Promise.withResolvers<never>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #known = new Set<unknown>();
  #stopped = false;

  constructor(setup: RunSetup) {
    const { request, session, base } = setup;
    this.request = request;
    this.sdk = setup.sdk;
    this.session = session;
    this.base = base;
    this.dryRun = session === undefined;
    this.changes = request.refresh === true || base.pendingOperations.length > 0;
    this.parallel = request.parallel ?? DEFAULT_PARALLEL;
    const secrets = request.config.secretKeys.flatMap((key) => request.config.values[key] ?? []);
    this.events = new Events(setup.onEvent, { planning: this.dryRun, secrets });
    this.#limiter = new Limiter(this.parallel);
    this.#expected =
      request.expectedPlan === undefined ? undefined : new ExpectedPlan(request.expectedPlan, this.#ofSecret);
    this.#stop.promise.catch(() => undefined);
    this.providers = this.#newProviders(setup.folder);
    this.planState = this.#newPlanState(base.resources);
    this.executor = new Executor(this.providers, this.planState, session);
    for (const signal of [request.cancel, request.terminate]) {
      signal?.addEventListener("abort", () => this.cancel());
      if (signal?.aborted === true) this.cancel();
    }
  }

  /** Goes on from a refreshed state, before the first step. */
  rebase(resources: readonly ResourceState[]): void {
    this.planState = this.#newPlanState(resources);
    this.executor = new Executor(this.providers, this.planState, this.session);
  }

  isStopped(): boolean {
    return this.#stopped;
  }

  noteRecorded(before: ResourceState | undefined, after: ResourceState | undefined): void {
    this.changes ||= !isDeepStrictEqual(before && asStored(before), after && asStored(after));
  }

  /** Rejects as soon as the operation is stopped. */
  get untilStopped(): Promise<never> {
    return this.#stop.promise;
  }

  cancel(): void {
    this.cancelled = true;
    this.halt();
  }

  halt(): void {
    this.#stopped = true;
    this.#stop.reject(new Stopped());
  }

  /** Reports a failure (unless it is reported already) and keeps it. The operation stops unless it is to go on. */
  fail(error: unknown, options: { goOn?: boolean; step?: Step; told?: boolean } = {}): void {
    if (error instanceof Stopped || this.#known.has(error)) return;
    this.#known.add(error);
    const failure = asEngineError(error);
    const { step } = options;
    const urn = failure.urn ?? step?.urn;
    const source = failure.source ?? (urn === undefined ? undefined : this.planState.sourceOf(urn));
    const message = this.events.redact(
      step === undefined || failure.urn !== undefined
        ? failure.message
        : `${doing(step)}${at(source)} failed: ${failure.message}`,
    );
    this.failures.push({ cause: failure.failure, message, urn, source });
    if (options.told !== true) this.events.diagnostic("error", message, { urn });
    if (options.goOn !== true) this.halt();
  }

  /** Reports the problems that planning found in a preview, which goes on to show all of them. */
  tellProblems(): void {
    for (const problem of this.planState.problems.splice(0)) this.fail(problem, { goOn: true });
  }

  /** Carries out a computation and asks the providers its questions. */
  async drive<Result>(planning: Planning<Result>): Promise<Result> {
    let next = planning.next();
    while (next.done !== true) next = planning.next(await this.#answer(next.value).catch(naming(next.value)));
    this.tellProblems();
    return next.value;
  }

  askAhead(registration: Registration): void {
    void this.track(this.#ahead.begin(this.planState, registration));
  }

  /** Notes the steps in the plan, and holds them to the reviewed plan. */
  accept(steps: readonly Step[]): void {
    for (const step of steps) this.#expected?.check(step);
    for (const step of steps) this.note(step);
    for (const { urn } of steps) this.#ahead.forget(urn);
  }

  note(step: Step): void {
    this.planned.push(plannedStep(step, this.#ofSecret));
  }

  get #ofSecret(): SecretDigest | undefined {
    const { secrets } = this.request;
    return secrets && ((plaintext) => secrets.digest(plaintext));
  }

  /** Carries out steps one after another. Undefined if a step failed and the operation goes on. */
  runChain(
    steps: readonly Step[],
    onStep?: (step: Step, state: ResourceState) => void,
  ): Promise<ResourceState | undefined> {
    return this.limited(async () => {
      let last: ResourceState | undefined;
      for (const step of steps) {
        if (this.#stopped) throw new Stopped();
        const applied = await this.#runStep(step);
        if (applied === undefined) return undefined;
        if (applied.state !== undefined) onStep?.(step, applied.state);
        last = applied.state ?? last;
      }
      return last;
    });
  }

  limited<Result>(task: () => Promise<Result>): Promise<Result> {
    return this.track(this.#limiter.run(task));
  }

  track<Result>(task: Promise<Result>): Promise<Result> {
    this.#underWay.add(task);
    const forget = () => this.#underWay.delete(task);
    task.then(forget, forget);
    return task;
  }

  /** Resolves when all work has ended, or when the user does not want to wait for it. */
  async settled(): Promise<void> {
    const terminated = Promise.withResolvers<undefined>();
    this.request.terminate?.addEventListener("abort", () => terminated.resolve(undefined));
    if (this.request.terminate?.aborted === true) return;
    while (this.#underWay.size > 0) {
      const all = Promise.allSettled(this.#underWay);
      if ((await Promise.race([all, terminated.promise])) === undefined) return;
    }
  }

  /** Clears the calls about a resource that was read or is gone, or as recorded. Its creation is another question, unless this run has created it. */
  async settleCalls(urn: string, { isCreated = false } = {}): Promise<void> {
    for (const call of this.base.pendingOperations)
      if (call.resource.urn === urn && (isCreated || call.type !== "creating")) await this.session?.settle(call);
  }

  async #runStep(step: Step): Promise<Applied | undefined> {
    this.events.before(step);
    let applied: Applied;
    try {
      applied = await this.executor.apply(step);
    } catch (error) {
      applied = { error: asEngineError(error) };
    }
    if (applied.error === undefined) {
      this.noteRecorded(step.old, applied.state);
      this.events.done(step, applied.state);
      return applied;
    }
    this.events.failed(step, isUnknownOutcome(applied.error) ? "unknown" : "refused");
    const goOn = this.request.continueOnError === true || applied.error.failure === "protected";
    this.fail(applied.error, { goOn, step });
    return undefined;
  }

  #answer(ask: Ask): Promise<Answer> {
    return this.track(this.#ahead.take(ask) ?? this.providers.answer(ask));
  }

  #newPlanState(resources: readonly ResourceState[]): PlanState {
    const { project, stack, targets } = this.request;
    return new PlanState(resources, { project, stack, dryRun: this.dryRun, targets });
  }

  #newProviders(cwd: string): Providers {
    const { sdk, events, request } = this;
    const env = { ...process.env, ...request.program?.env, ...request.hostEnv };
    const { project, patienceMs, spares, providerModules: modules } = request;
    return new Providers({ sdk, cwd, project, env, events, patienceMs, spares, modules }, this.base.resources);
  }
}

/** Twice a client's default number of calls: while one resource waits for a shared read, others go on. */
export const DEFAULT_PARALLEL = 48;

/** Puts back the empty maps that the stored form leaves out. */
function asStored({ inputs = {}, outputs = {}, ...rest }: ResourceState): object {
  return { ...rest, inputs, outputs };
}
