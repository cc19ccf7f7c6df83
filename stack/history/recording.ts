/** Keeps the history of one run, from before its first write to its end. */
import { randomBytes } from "node:crypto";
import { isRootStack, type ResourceState } from "../../engine/index.ts";
import { newKey, seal } from "../../provider/history/kept.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import { reasonOf } from "../../provider/values/wording.ts";
import type { Engine, RunRequest } from "../engines/contract.ts";
import type { StackFolder } from "../project/open.ts";
import type { Change, Report } from "../report/model.ts";
import { isChanging, movedUrns, type Told } from "../report/steps.ts";
import type { PlanSummary } from "../report/build.ts";
import type { Following, History } from "./history.ts";
import { KeyRing } from "./keys.ts";
import { historyOf } from "./place.ts";
import type { RunStart, StatesLine, ToldChange } from "./run-file.ts";
import { newRunId } from "./store.ts";
import { whoRuns } from "./who.ts";

interface Begun {
  readonly engine: Engine;
  readonly history: History;
  readonly following: Following;
  readonly start: RunStart;
  readonly key: string;
  readonly states: readonly ResourceState[];
  readonly before: ReadonlySet<string>;
  /** Receives messages about the place of the history. */
  readonly tell: (line: string) => void;
}

export class Recording {
  readonly #begun: Begun;

  private constructor(begun: Begun) {
    this.#begun = begun;
  }

  /** Returns undefined if the plan changes nothing. Without a plan, everything in the state may change. */
  static async begin(
    { engine, folder, tell }: Pick<Begun, "engine" | "tell"> & { readonly folder: StackFolder },
    command: string,
    {
      forecast,
      part,
      undoes,
      reviewed,
      key = newKey(),
    }: Pick<Partial<RunStart>, "part" | "undoes" | "reviewed"> & {
      forecast?: PlanSummary | undefined;
      key?: string | undefined;
    },
  ): Promise<Recording | undefined> {
    if (forecast?.urns.length === 0) return undefined;
    const now = new Date();
    const history = await historyOf(engine, folder, tell);
    const states = (await engine.states()) ?? [];
    const isFirst = !states.some(({ type }) => definitionOf(type) !== undefined);
    const start: RunStart = {
      landformRun: 1,
      id: newRunId(now, randomBytes(2).toString("hex")),
      command,
      at: now.toISOString(),
      by: whoRuns(process.env),
      engine: `${engine.name} ${engine.version}`,
      project: folder.project.name,
      stack: folder.stack,
      key: await new KeyRing(folder, engine).seal(key),
      ...(forecast && { planned: forecast.changes.map(toldChange), urns: forecast.urns }),
      ...(part && { part }),
      ...(isFirst && { isFirst }),
      ...(undoes !== undefined && { undoes }),
      ...(reviewed !== undefined && { reviewed }),
    };
    const urns = new Set(forecast?.urns ?? states.map(({ urn }) => urn));
    await history.forgetOld(now.getTime());
    history.store.add(start.id, [start, ...sealed("before", key, touched(states, urns))]);
    const following = await history.follow(start.id);
    return new Recording({ engine, history, following, start, key, states, before: urns, tell });
  }

  get id(): string {
    return this.#begun.start.id;
  }

  /** The file and the key for the provider's host. */
  get record(): NonNullable<RunRequest["record"]> {
    return { file: this.#begun.history.store.file(this.id), key: this.#begun.key };
  }

  /** Ends the history. A run that changed nothing leaves none. */
  async end({ result, counts, changes, held = [] }: Report, all: ReadonlyMap<string, Told>): Promise<void> {
    const { history, following, before, states, key } = this.#begun;
    const did = [...all.values()].filter(isChanging).map(({ urn }) => urn);
    if (did.length === 0 && !this.#hasKept()) {
      history.store.remove(this.id);
      return following.end();
    }
    const moved = [...all.values()].flatMap((told) => movedUrns(told) ?? []);
    const surprises = new Set([...did, ...moved].filter((urn) => !before.has(urn)));
    const urns = new Set([...before, ...surprises]);
    const after = await this.#statesAfter();
    if (after === undefined) return following.end();
    history.store.add(this.id, [
      ...(surprises.size > 0 ? sealed("before", key, touched(states, surprises)) : []),
      ...sealed("after", key, touched(after, urns)),
      {
        ...{ ended: new Date().toISOString(), result, counts, changes: changes.map(toldChange) },
        ...(held.length > 0 && { held: held.length }),
      },
    ]);
    await following.end();
  }

  /** The run's result is told in any case. If the state can't be read, the history stays without an end. */
  async #statesAfter(): Promise<readonly ResourceState[] | undefined> {
    const { engine, tell } = this.#begun;
    try {
      return (await engine.states()) ?? [];
    } catch (error) {
      tell(`Landform could not write the end of this run into the history: ${reasonOf(error)}`);
      return undefined;
    }
  }

  /** Ends a run that an error of Landform stopped, perhaps before it had done anything. */
  async abandon(all: ReadonlyMap<string, Told>): Promise<void> {
    const { history, following } = this.#begun;
    if (!this.#hasKept() && ![...all.values()].some(isChanging)) history.store.remove(this.id);
    await following.end();
  }

  #hasKept(): boolean {
    const run = this.#begun.history.store.read(this.id);
    // A run that can't be read may still have values.
    return typeof run === "string" || run.sealed.kept.length > 0;
  }
}

/** The JSON of thousands of resources at once would take as much memory as they do. */
const SEALED_AT_ONCE = 500;

function sealed(states: "before" | "after", key: string, of: readonly ResourceState[]): StatesLine[] {
  const parts = Array.from({ length: Math.max(Math.ceil(of.length / SEALED_AT_ONCE), 1) }, (_, part) =>
    of.slice(part * SEALED_AT_ONCE, (part + 1) * SEALED_AT_ONCE),
  );
  return parts.map((part) => ({ states, sealed: seal(key, part) }));
}

/** Includes the stack itself, because it has the outputs. */
function touched(states: readonly ResourceState[], urns: ReadonlySet<string>): ResourceState[] {
  return states.filter(({ urn, delete: condemned }) => condemned !== true && (urns.has(urn) || isRootStack(urn)));
}

function toldChange({ type, name, op, status, stays, held, url, reason }: Change): ToldChange {
  return {
    ...{ type, name, op, ...(status && { status }), ...(stays && { stays }), ...(held && { held }) },
    ...(url !== undefined && { url }),
    ...(reason?.code === "perhaps replaced" && { perhaps: "replace" as const }),
  };
}
