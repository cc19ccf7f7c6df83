/**
 * Runs and their undos in one process: the handlers of the provider, an emulator over HTTP, and the part of an engine that is needed to reach each
 * resource. The code that plans, checks and settles an undo is the real one.
 */
import { findingOf } from "../../stack/undo/look.ts";
import { planUndo } from "../../stack/undo/plan.ts";
import type { UndoPlan } from "../../stack/undo/undo-plan.ts";
import { settle, type Undo } from "../../stack/undo/settle.ts";
import type { RunValues } from "../../stack/history/run-file.ts";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import type { ResourceState } from "../../engine/index.ts";
import { Claims } from "../../provider/reconcile/check.ts";
import { unkeptLedger } from "../../provider/ledger/ledger.ts";
import { PartialFailure } from "../../provider/messages/errors.ts";
import { type Handler, handlerFor } from "../../provider/reconcile/handler.ts";
import { identityFor, type ObjectKey } from "../../provider/ledger/identity.ts";
import { RunContext, SeenStates } from "../../provider/reconcile/run-context.ts";
import type { Kept, Restore } from "../../provider/history/kept.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { keyOfType, type Kind, registry } from "../../provider/kinds/registry.ts";

/** `{ ref: name }` in an input stands for the id of that resource. */
export interface Declared {
  readonly kind: Kind;
  readonly name: string;
  readonly inputs: JsonMap;
}

interface Due {
  readonly urn: string;
  readonly kind: Kind;
  readonly inputs: JsonMap;
  readonly dependencies: Record<string, string[]>;
}

export class UndoWorld {
  readonly emulator: Emulator;
  states: ResourceState[] = [];
  /** The time that a call may take, with its repetitions. */
  timeoutMs = 30_000;
  /** The notes of runs about new objects, for the next run if one doesn't end. */
  readonly #ledger = unkeptLedger();
  /** The resources that the last started undo was to make anew. */
  #remade = new Set<string>();

  private constructor(emulator: Emulator) {
    this.emulator = emulator;
  }

  static async open(): Promise<UndoWorld> {
    return new UndoWorld(await startEmulator());
  }

  close(): Promise<void> {
    return this.emulator.close();
  }

  /** Brings the account to the declared values, and keeps the run's history. */
  async up(program: readonly Declared[]): Promise<RunValues & { urns: string[] }> {
    const before = [...this.states];
    const kept: Kept[] = [];
    this.#remade = new Set();
    await this.#pass(kept, undefined, (engine) => engine.apply(program.map((one) => engine.resolved(one))));
    return this.#history(before, kept);
  }

  async prepare(run: RunValues & { urns: string[] }): Promise<{ plan: UndoPlan; undo: Undo }> {
    const isRemade = (type: string, name: string): boolean => this.#remade.has(`${type}/${name}`);
    const plan = planUndo({ values: run, urns: run.urns, later: [], now: this.states, isRemade });
    const look = this.#context([], undefined, true);
    try {
      const found = await Promise.all(
        plan.steps.flatMap((step) =>
          step.now?.custom ? [findingOf(look, step).then((one) => [step.urn, one] as const)] : [],
        ),
      );
      return { plan, undo: settle(plan, new Map(found), this.states, undefined) };
    } finally {
      await look.api.close();
    }
  }

  /** Carries out an undo as a run like any other. */
  async carryOut(undo: Undo): Promise<RunValues & { urns: string[] }> {
    const before = [...this.states];
    const kept: Kept[] = [];
    const targets = new Set(undo.targets);
    const made = undo.steps.filter(({ kind, before, now }) => kind === "remake" || before?.id !== now?.id);
    for (const { type, name } of made) this.#remade.add(`${type}/${name}`);
    await this.#pass(kept, undo.restore, (engine) => engine.replay(undo, targets));
    return this.#history(before, kept);
  }

  async #pass(kept: Kept[], restore: Restore | undefined, work: (engine: Engine) => Promise<void>): Promise<void> {
    const run = this.#context(kept, restore, false);
    this.#ledger.settle(this.states.flatMap(({ id = "" }) => this.#ledger.withId(id) ?? []));
    try {
      await work(new Engine(this, run, restore));
    } finally {
      await run.api.close();
    }
  }

  #context(kept: Kept[], restore: Restore | undefined, full: boolean): RunContext {
    const { baseUrl, apiKey } = this.emulator;
    const keeper = { keep: (one: Kept) => Promise.resolve(void kept.push(one)) };
    const settings = {
      full,
      patienceMs: Math.min(this.timeoutMs, 300),
      foreign: new Set<string>(),
    };
    const more = { ledger: this.#ledger, keeper, restore, ours: new Set<ObjectKey>(), warn: () => undefined };
    return new RunContext({ baseUrl, apiKey, timeoutMs: this.timeoutMs }, { ...settings, ...more });
  }

  /** Returns the differences between before and now, as a run records them. */
  #history(before: readonly ResourceState[], kept: readonly Kept[]): RunValues & { urns: string[] } {
    const [then, now] = [before, this.states].map((states) => new Map(states.map((one) => [one.urn, one])));
    const urns = [...new Set([...(then?.keys() ?? []), ...(now?.keys() ?? [])])].filter(
      (urn) => then?.get(urn) !== now?.get(urn),
    );
    const of = (states: readonly ResourceState[]) => states.filter(({ urn }) => urns.includes(urn));
    return { before: of(before), after: of(this.states), kept, urns };
  }
}

class Engine {
  readonly #world: UndoWorld;
  readonly #handlers = new Map<Kind, Handler>();
  readonly #ours: Set<ObjectKey>;

  constructor(world: UndoWorld, run: RunContext, restore: Restore | undefined) {
    this.#world = world;
    this.#ours = run.settings.ours as Set<ObjectKey>;
    for (const { type, id } of world.states) if (id) this.#ours.add(keyOfType(type, id));
    const runtime = {
      configure: () => undefined,
      run: () => run,
      expectAccount: () => undefined,
      ...{ claims: new Claims(), ours: this.#ours, seen: new SeenStates(unkeptLedger()), restore },
    };
    for (const [kind, definition] of Object.entries(registry))
      this.#handlers.set(kind as Kind, handlerFor(definition, runtime));
  }

  resolved({ kind, name, inputs }: Declared): Due {
    const urn = urnOf(kind, name);
    const dependencies: Record<string, string[]> = {};
    const resolve = (value: Json, field: string): Json => {
      if (Array.isArray(value)) return value.map((item) => resolve(item, field));
      if (typeof value !== "object" || value === null) return value;
      if (typeof value["ref"] === "string") {
        (dependencies[field] ??= []).push(this.#named(value["ref"]).urn);
        return value;
      }
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, field)]));
    };
    const own = Object.fromEntries(Object.entries(inputs).map(([field, value]) => [field, resolve(value, field)]));
    return { urn, kind, inputs: { name, ...own }, dependencies };
  }

  #named(name: string): { urn: string; id: string } {
    const kind = name.split("/")[0] as Kind;
    const urn = urnOf(kind, name.split("/")[1] ?? "");
    return { urn, id: this.#state(urn)?.id ?? "" };
  }

  #state(urn: string): ResourceState | undefined {
    return this.#world.states.find((one) => one.urn === urn);
  }

  async apply(program: readonly Due[]): Promise<void> {
    const gone = new Set(this.#world.states.map(({ urn }) => urn));
    const replaced: ResourceState[] = [];
    for (const due of program) {
      gone.delete(due.urn);
      replaced.push(...(await this.#one(due)));
    }
    for (const state of [...replaced, ...this.#world.states.filter(({ urn }) => gone.has(urn))].reverse()) {
      await this.#handler(kindOf(state.type)).delete(state.id ?? "", state.outputs ?? {});
      this.#world.states = this.#world.states.filter((one) => one !== state);
    }
  }

  async replay({ replay }: Undo, targets: ReadonlySet<string>): Promise<void> {
    const renewed = new Map<string, string>();
    const registered = new Set<string>();
    const replaced: ResourceState[] = [];
    for (const one of replay.resources.toSorted((a, b) => Number(b.isNew) - Number(a.isNew))) {
      registered.add(one.urn);
      if (!targets.has(one.urn)) continue;
      const { __identity, __provider, ...inputs } = JSON.parse(
        JSON.stringify(one.inputs, (_, value: unknown) =>
          typeof value === "string" ? (renewed.get(value) ?? value) : value,
        ),
      ) as JsonMap;
      const due = { urn: one.urn, kind: kindOf(one.type), inputs, dependencies: {} };
      replaced.push(...(await this.#one(due)));
      const made = this.#state(one.urn)?.id ?? "";
      if (made !== one.id) renewed.set(one.id, made);
    }
    const going = this.#world.states.filter(({ urn }) => targets.has(urn) && !registered.has(urn));
    for (const state of [...replaced, ...going.reverse()]) {
      await this.#handler(kindOf(state.type)).delete(state.id ?? "", state.outputs ?? {});
      this.#world.states = this.#world.states.filter((one) => one !== state);
    }
  }

  /** Returns the old object if a new one replaced it. */
  async #one({ urn, kind, inputs, dependencies }: Due): Promise<ResourceState[]> {
    const handler = this.#handler(kind);
    const withIds = JSON.parse(
      JSON.stringify(inputs, (_, value: unknown) => {
        const ref = typeof value === "object" && value !== null && "ref" in value ? value.ref : undefined;
        return typeof ref === "string" ? this.#named(ref).id : value;
      }),
    ) as JsonMap;
    const news: JsonMap = { ...withIds, __identity: identityFor(urn), __provider: "p" };
    const { failures } = await handler.check({}, news);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    const old = this.#state(urn);
    const outs = async (): Promise<{ id: string; outputs: JsonMap; replaced: ResourceState[] } | undefined> => {
      if (!old) return { ...(await created(handler, news)), replaced: [] };
      const diff = await handler.diff(old.id ?? "", old.outputs ?? {}, news);
      if (diff.replaces.length > 0) return { ...(await created(handler, news)), replaced: [old] };
      if (!diff.changes) return undefined;
      const { outs: outputs } = await handler.update(old.id ?? "", old.outputs ?? {}, news);
      return { id: old.id ?? "", outputs, replaced: [] };
    };
    const done = await outs();
    if (!done) return [];
    const { definition } = { definition: registry[kind] };
    const type = `pulumi-nodejs:dynamic/landform:${definition.type}`;
    const all = [...new Set(Object.values(dependencies).flat())];
    const next: ResourceState = {
      ...{ urn, custom: true, type, id: done.id, inputs: news, outputs: done.outputs },
      ...{ dependencies: all, propertyDependencies: dependencies },
    };
    this.#world.states = old
      ? this.#world.states.map((one) => (one === old ? next : one))
      : [...this.#world.states, next];
    return done.replaced;
  }

  #handler(kind: Kind): Handler {
    const handler = this.#handlers.get(kind);
    if (!handler) throw new Error(`no handler for ${kind}`);
    return handler;
  }
}

async function created(handler: Handler, news: JsonMap): Promise<{ id: string; outputs: JsonMap }> {
  try {
    const { id, outs } = await handler.create(news);
    return { id, outputs: outs };
  } catch (error) {
    throw error instanceof PartialFailure ? new Error(error.message, { cause: error }) : error;
  }
}

export function urnOf(kind: Kind, name: string): string {
  return `urn:pulumi:dev::walk::pulumi-nodejs:dynamic/landform:${registry[kind].type}::${name}`;
}

function kindOf(type: string): Kind {
  const found = Object.entries(registry).find(([, { type: own }]) => type.endsWith(`landform:${own}`));
  return (found?.[0] ?? "page") as Kind;
}
