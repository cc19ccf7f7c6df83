import { randomUUID } from "node:crypto";
import { type EngineError, HostError, ProtectedError, ProviderError } from "../errors.ts";
import type { Created, ProviderClient, Updated } from "../link/provider-client.ts";
import type { Providers } from "../link/providers.ts";
import { type CallType, type ResourceState, UNKNOWN } from "../model/types.ts";
import { isProviderType, nameOf, providerReference, shortType } from "../model/urn.ts";
import type { PlanState } from "../plan/plan-state.ts";
import { completeState } from "../plan/steps.ts";
import type { Ask, Step } from "../plan/types.ts";
import type { UpdateSession } from "../state/session.ts";
import type { StateChange } from "../state/types.ts";

export interface Applied {
  state?: ResourceState;
  error?: EngineError;
}

interface Made {
  state?: ResourceState;
  initErrors?: string[];
}

/** Carries out steps: calls the provider, and makes each change of the state durable before it reports it. */
export class Executor {
  readonly #providers: Providers;
  readonly #planState: PlanState;
  /** Absent in a preview. */
  readonly #session: UpdateSession | undefined;
  /** States that replaced others in this run. The session knows each by the object that it got last. */
  readonly #latest = new Map<ResourceState, ResourceState>();

  constructor(providers: Providers, planState: PlanState, session: UpdateSession | undefined) {
    this.#providers = providers;
    this.#planState = planState;
    this.#session = session;
  }

  async apply(step: Step): Promise<Applied> {
    const applied = await this.#dispatch(step);
    if (applied.error === undefined) this.#planState.applied(step);
    return applied;
  }

  /** Sets the outputs that a component reported after its registration. */
  async setOutputs(state: ResourceState, outputs: ResourceState["outputs"]): Promise<ResourceState> {
    const next = { ...state, outputs };
    await this.#session?.note({ old: state, new: next, inPlace: true });
    return next;
  }

  #dispatch(step: Step): Promise<Applied> {
    switch (step.op) {
      case "same":
        return this.#same(step);
      case "create":
      case "create-replacement":
        return this.#create(step);
      case "update":
        return this.#update(step);
      case "delete":
      case "discard":
      case "delete-replaced":
      case "discard-replaced":
        return this.#delete(step);
      case "remove-pending-replace":
        return this.#forget(step);
      case "replace":
      case "refresh":
        return Promise.resolve({});
    }
  }

  async #same({ old, new: next, skipped }: Step): Promise<Applied> {
    if (next === undefined) return {};
    if (skipped === true || old === undefined) return { state: { ...next, outputs: {} } };
    const { id, outputs, created, modified } = old;
    const state = completeState(next === old ? old : { ...next, id, outputs, created, modified });
    if (isProviderType(state.type) && id !== undefined)
      await this.#providers.configure(providerReference(state.urn, id), old.inputs ?? {});
    await this.#session?.note({ old: this.#current(old), new: state });
    return { state };
  }

  async #create(step: Step): Promise<Applied> {
    const next = required(step.new);
    const stamp = new Date().toISOString();
    const finish = ({ id, outputs, initErrors }: Partial<Created>) =>
      completeState({ ...next, id, outputs, initErrors, created: stamp, modified: stamp });
    const change = (state: ResourceState): StateChange => {
      if (step.old === undefined) return { new: state };
      return step.pending === true
        ? { new: state, replaced: this.#current(step.old) }
        : { new: state, old: this.#current(step.old) };
    };
    if (isProviderType(next.type)) return this.#createProvider(next, finish, change);
    if (!next.custom) return this.#note(finish({}), change);
    if (this.#session === undefined) return { state: finish({ outputs: next.inputs ?? {} }) };
    const make = async (client: ProviderClient): Promise<Made> => {
      const created = await client.create(next);
      return { state: finish(created), initErrors: created.initErrors };
    };
    return this.#call("creating", next, make, change);
  }

  async #createProvider(
    next: ResourceState,
    finish: (created: Created) => ResourceState,
    change: (state: ResourceState) => StateChange,
  ): Promise<Applied> {
    const id = this.#session === undefined ? UNKNOWN : randomUUID();
    await this.#providers.configure(providerReference(next.urn, id), next.inputs ?? {});
    return this.#note(finish({ id, outputs: next.inputs ?? {} }), change);
  }

  async #update(step: Step): Promise<Applied> {
    const next = required(step.new);
    const old = required(step.old);
    const { id, created } = old;
    const change = (state: ResourceState): StateChange => ({ new: state, old: this.#current(old) });
    const finish = ({ outputs, initErrors }: Partial<Updated>) =>
      completeState({ ...next, id, created, modified: new Date().toISOString(), outputs, initErrors });
    if (isProviderType(next.type)) {
      await this.#providers.configure(providerReference(next.urn, id ?? ""), next.inputs ?? {});
      return this.#note(finish({ outputs: next.inputs ?? {} }), change);
    }
    if (!next.custom) return this.#note({ ...finish({}), modified: old.modified ?? new Date().toISOString() }, change);
    if (this.#session === undefined) return { state: finish({ outputs: next.inputs ?? {} }) };
    const make = async (client: ProviderClient): Promise<Made> => {
      const { initErrors, outputs } = await client.update(old, next);
      const state = finish({ outputs, initErrors });
      // The resource did not reach the new inputs, so the next run must see them as a change again.
      return initErrors ? { state: completeState({ ...state, inputs: old.inputs }), initErrors } : { state };
    };
    return this.#call("updating", next, make, change);
  }

  async #delete(step: Step): Promise<Applied> {
    const old = required(step.old);
    const replaced = step.op === "delete-replaced" || step.op === "discard-replaced";
    if (!replaced && old.protect === true) return { error: deleteRefused(old) };
    const change = (): StateChange => {
      if (step.pending !== true) return { old: this.#current(old) };
      const marked = { ...old, pendingReplacement: true };
      const before = this.#current(old);
      this.#latest.set(old, marked);
      return { old: before, new: marked, inPlace: true };
    };
    if (this.#session === undefined) return {};
    if (!this.#needsDeleteCall(old)) {
      await this.#session.note(change());
      return {};
    }
    return this.#call("deleting", old, (client) => client.delete(old).then(() => ({})), change);
  }

  #needsDeleteCall(old: ResourceState): boolean {
    const { deletedWith } = old;
    if (!old.custom || isProviderType(old.type) || old.external === true || old.retainOnDelete === true) return false;
    return deletedWith === undefined || !this.#planState.deletes.has(deletedWith);
  }

  async #forget(step: Step): Promise<Applied> {
    await this.#session?.note({ old: this.#current(required(step.old)) });
    return {};
  }

  async #note(state: ResourceState, change: (state: ResourceState) => StateChange): Promise<Applied> {
    await this.#session?.note(change(state));
    return { state };
  }

  /** Makes one call that changes something. It records the call before, and again when its outcome is known. */
  async #call(
    type: CallType,
    resource: ResourceState,
    make: (client: ProviderClient) => Promise<Made>,
    change: (state: ResourceState) => StateChange,
  ): Promise<Applied> {
    const session = required(this.#session);
    const client = this.#providers.client(resource.provider ?? "");
    const operation = await session.begin({ resource: { ...resource, modified: new Date().toISOString() }, type });
    let outcome: Made;
    try {
      outcome = await make(client);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      await session.commit(operation, {});
      return { error };
    }
    const { state, initErrors } = outcome;
    await session.commit(operation, change(state ?? resource));
    const failed = initErrors && ["it exists, but is not complete:", ...initErrors].join("\n  - ");
    return { state, error: failed === undefined ? undefined : new ProviderError(failed) };
  }

  #current(state: ResourceState): ResourceState {
    return this.#latest.get(state) ?? state;
  }
}

/** Tells if the outcome of a call is unknown: the call stays recorded as pending. */
export function isUnknownOutcome(error: unknown): boolean {
  return error instanceof HostError;
}

function deleteRefused(old: ResourceState): ProtectedError {
  return new ProtectedError(
    `${old.urn} is protected and is not deleted. Remove \`protect\` from it in the program and run up first`,
    { urn: old.urn },
  );
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError("the step lacks the state it is about");
  return value;
}

const DOING: Record<string, string> = {
  create: "creating",
  update: "updating",
  delete: "deleting",
  refresh: "reading",
};

export function doing({ op, type, urn }: Step): string {
  const verb = DOING[op.split("-")[0] ?? ""] ?? op;
  return `${verb} ${shortType(type)} "${nameOf(urn)}"`;
}

/** Providers don't always name the resource that failed. */
export function naming({ kind, type, urn }: Ask): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ProviderError) || error.message.includes(nameOf(urn))) throw error;
    const doing = kind === "check" ? "checking" : "comparing";
    throw new ProviderError(`${doing} ${shortType(type)} "${nameOf(urn)}" failed: ${error.message}`);
  };
}
