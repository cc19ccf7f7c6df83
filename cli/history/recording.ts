/** Keeps the history of one run, from before its first write to its end. */
import { randomBytes } from "node:crypto";
import { isRootStack, type ResourceState } from "../../engine/index.ts";
import { newKey, seal } from "../../provider/history/sealing.ts";
import type { Engine, RunRequest } from "../engines/types.ts";
import type { StackFolder } from "../project/open.ts";
import type { Planned } from "../report/build.ts";
import type { Change, Report } from "../report/model.ts";
import type { Told } from "../report/told.ts";
import { historyFolder, KeyRing } from "./place.ts";
import type { RunStart, ToldChange } from "./run-file.ts";
import { newRunId, RunStore } from "./store.ts";
import { whoRuns } from "./who.ts";

export interface RecordedStack {
  readonly engine: Engine;
  readonly folder: StackFolder;
}

export class Recording {
  readonly #engine: Engine;
  readonly #store: RunStore;
  readonly #start: RunStart;
  readonly #key: string;
  readonly #states: readonly ResourceState[];
  readonly #before: ReadonlySet<string>;

  private constructor(
    engine: Engine,
    store: RunStore,
    start: RunStart,
    key: string,
    states: readonly ResourceState[],
    before: ReadonlySet<string>,
  ) {
    this.#engine = engine;
    this.#store = store;
    this.#start = start;
    this.#key = key;
    this.#states = states;
    this.#before = before;
  }

  /** Undefined where the plan changes nothing. Without a plan, all that the state holds may change. */
  static async begin(
    { engine, folder }: RecordedStack,
    command: string,
    {
      preview,
      undoes,
      key = newKey(),
    }: { preview?: Planned | undefined; undoes?: string | undefined; key?: string | undefined },
  ): Promise<Recording | undefined> {
    const planned = preview && [...preview.told.values()].filter(isChange).map(({ urn }) => urn);
    if (planned?.length === 0) return undefined;
    const now = new Date();
    const store = new RunStore(historyFolder(engine.stateFolder, folder.project.name, folder.stack));
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
      ...(preview && { planned: preview.changes.map(told), urns: planned ?? [] }),
      ...(undoes !== undefined && { undoes }),
    };
    const states = (await engine.states()) ?? [];
    const urns = new Set(planned ?? states.map(({ urn }) => urn));
    store.forgetOld(now.getTime());
    store.add(start.id, [start, { states: "before", sealed: seal(key, touched(states, urns)) }]);
    return new Recording(engine, store, start, key, states, urns);
  }

  get id(): string {
    return this.#start.id;
  }

  /** For the provider's host. */
  get record(): NonNullable<RunRequest["record"]> {
    return { file: this.#store.file(this.#start.id), key: this.#key };
  }

  /** A run that changed nothing leaves no history. */
  async end({ result, counts, changes }: Report, all: ReadonlyMap<string, Told>): Promise<void> {
    const did = [...all.values()].filter(isChange).map(({ urn }) => urn);
    const kept = (this.#store.read(this.#start.id)?.sealed.kept.length ?? 0) > 0;
    if (did.length === 0 && !kept) {
      this.#store.remove(this.#start.id);
      return;
    }
    const surprises = new Set(did.filter((urn) => !this.#before.has(urn)));
    const urns = new Set([...this.#before, ...did]);
    const after = (await this.#engine.states()) ?? [];
    this.#store.add(this.#start.id, [
      ...(surprises.size > 0 ? [this.#line("before", touched(this.#states, surprises))] : []),
      this.#line("after", touched(after, urns)),
      { ended: new Date().toISOString(), result, counts, changes: changes.map(told) },
    ]);
  }

  /** The run ended in an error of our own, and perhaps before it had done anything. */
  abandon(all: ReadonlyMap<string, Told>): void {
    const kept = (this.#store.read(this.#start.id)?.sealed.kept.length ?? 0) > 0;
    if (!kept && ![...all.values()].some(isChange)) this.#store.remove(this.#start.id);
  }

  #line(states: "before" | "after", of: readonly ResourceState[]) {
    return { states, sealed: seal(this.#key, of) };
  }
}

/** With the stack itself, which has the outputs. */
function touched(states: readonly ResourceState[], urns: ReadonlySet<string>): ResourceState[] {
  return states.filter(({ urn, delete: condemned }) => condemned !== true && (urns.has(urn) || isRootStack(urn)));
}

const NO_CHANGE = new Set(["same", "refresh", "read"]);

function isChange({ urn, steps }: Told): boolean {
  return !isRootStack(urn) && [...steps.keys()].some((op) => !NO_CHANGE.has(op));
}

function told({ type, name, op, status, stays, url }: Change): ToldChange {
  return { type, name, op, ...(status && { status }), ...(stays && { stays }), ...(url !== undefined && { url }) };
}
