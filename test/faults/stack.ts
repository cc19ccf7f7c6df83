/**
 * A stack whose resources are created, refreshed and destroyed in this process, as the engine does through the provider's host: the same handlers,
 * new in every run, over the same HTTP. A run leaves only JSON behind.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FolderLedger, stateOfCreations } from "../../stack/engines/ledger.ts";
import { factsOf, type RecordedState } from "../../stack/engines/recorded.ts";
import type { ForeignEditsPolicy } from "../../provider/messages/foreign-edits.ts";
import { Claims } from "../../provider/reconcile/check.ts";
import { PartialFailure } from "../../provider/messages/errors.ts";
import { type Handler, handlerFor, type Runtime } from "../../provider/reconcile/handler.ts";
import { identityFor } from "../../provider/ledger/identity.ts";
import { type Change, changed, Ledger, reconcile, type Unended } from "../../provider/ledger/ledger.ts";
import { keptIn, tagsOf } from "../../provider/ledger/tag-store.ts";
import type { RunFacts } from "../../provider/pulumi/run-facts.ts";
import { ledgerOf } from "../../provider/pulumi/runtime.ts";
import { RunContext, SeenStates, type Settings } from "../../provider/reconcile/run-context.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";

export interface Declared {
  readonly kind: Kind;
  readonly name: string;
  readonly inputs: JsonMap;
  /** Inputs from the objects that the program has made by then, by `kind name`. */
  readonly from?: (made: (key: string) => JsonMap) => JsonMap;
}

interface Kept {
  readonly kind: Kind;
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonMap;
  readonly outputs: JsonMap;
  /** True if it was made or changed only in part: the next run updates it. */
  readonly broken: boolean;
}

export interface Service {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The deadline of a whole call. */
  readonly timeoutMs?: number;
}

export type KeptStack = Readonly<{ state: Stack; files: ReadonlyMap<string, Buffer> }>;

export interface Ran {
  readonly error: Error | undefined;
  /** The planned and finished steps, such as `create page offer`. */
  readonly steps: readonly string[];
  readonly warnings: readonly string[];
}

export class Stack {
  readonly #name: string;
  /** The folder of the state, with the ledger of creations beside it. */
  readonly #folder: string;
  /** The user's word about other people's edits in a draft. */
  foreignEdits: ForeignEditsPolicy | undefined;
  /** True if the state is saved only once, at the end of a run. */
  savedAtEnd = false;
  /** True if the ledger is in tags of the stack, as with a bucket. */
  inTags = false;
  /** The state as a file would keep it. */
  #state = new Map<string, Kept>();
  /** Resources that are replaced and not deleted yet. */
  #doomed: Kept[] = [];
  /** The creation that an engine notes before it begins, and crosses out at its end. */
  #creating: Declared | undefined;

  constructor(name: string, folder = mkdtempSync(join(tmpdir(), "landform-faults-"))) {
    this.#name = name;
    this.#folder = folder;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Returns the ids in the state, also of objects that it still has to delete. */
  get ids(): string[] {
    return [...this.#state.values(), ...this.#doomed].map(({ id }) => id);
  }

  get recorded(): string {
    return JSON.stringify([...this.#state.values(), ...this.#doomed]);
  }

  /** Copies the present state. The ledger of creations beside it is shared. */
  copy(): Stack {
    const copy = new Stack(this.#name, this.#folder);
    copy.#state = new Map(this.#state);
    copy.#doomed = [...this.#doomed];
    copy.#creating = this.#creating;
    copy.savedAtEnd = this.savedAtEnd;
    copy.inTags = this.inTags;
    return copy;
  }

  /** Returns the state and the files beside it. */
  keep(): KeptStack {
    const names = readdirSync(this.#folder, { recursive: true, encoding: "utf8" });
    const paths = names.map((name) => join(this.#folder, name)).filter((path) => statSync(path).isFile());
    return { state: this.copy(), files: new Map(paths.map((path) => [path, readFileSync(path)])) };
  }

  putBack({ state, files }: KeptStack): void {
    this.#state = new Map(state.#state);
    this.#doomed = [...state.#doomed];
    this.#creating = state.#creating;
    for (const path of this.keep().files.keys()) if (!files.has(path)) rmSync(path);
    for (const [path, content] of files) writeFileSync(path, content);
  }

  up(service: Service, program: readonly Declared[]): Promise<Ran> {
    return this.#run(service, async (run) => {
      for (const declared of program) await this.#bringUp(run, this.#resolved(declared));
      await this.#remove(run, [...this.#doomed].reverse(), (kept) =>
        this.#doomed.splice(this.#doomed.indexOf(kept), 1),
      );
      const wanted = new Set(program.map(keyOf));
      const gone = [...this.#state.values()].filter((kept) => !wanted.has(keyOf(kept))).reverse();
      await this.#remove(run, gone, (kept) => this.#state.delete(keyOf(kept)));
    });
  }

  destroy(service: Service): Promise<Ran> {
    return this.up(service, []);
  }

  refresh(service: Service): Promise<Ran> {
    return this.#run(service, async (run) => {
      for (const kept of this.#state.values()) {
        const read = await run.handler(kept.kind).read(kept.id, kept.outputs);
        if (read.id === "") {
          run.steps.push(`gone ${keyOf(kept)}`);
          this.#state.delete(keyOf(kept));
          continue;
        }
        const outputs = asRecorded(read.props);
        const inputs = asRecorded(read.inputs ?? kept.inputs);
        this.#state.set(keyOf(kept), { ...kept, outputs, inputs, broken: false });
      }
    });
  }

  #resolved(declared: Declared): Declared {
    const made = (key: string): JsonMap => {
      const kept = this.#state.get(key);
      return kept ? { ...kept.outputs, id: kept.id } : {};
    };
    return declared.from ? { ...declared, inputs: { ...declared.inputs, ...declared.from(made) } } : declared;
  }

  outputs(key: string): JsonMap {
    return this.#state.get(key)?.outputs ?? {};
  }

  async #bringUp(run: Run, declared: Declared): Promise<void> {
    const key = keyOf(declared);
    const handler = run.handler(declared.kind);
    const old = this.#state.get(key);
    const news = this.#inputsOf(declared);
    const { inputs, failures } = await handler.check(old?.inputs ?? {}, news);
    if (failures.length > 0)
      throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
    if (old === undefined) return this.#create(run, declared, inputs);
    const { changes, replaces } = await handler.diff(old.id, old.outputs, inputs);
    if (replaces.length > 0) {
      run.steps.push(`replace ${key}`);
      await this.#create(run, declared, inputs, () => this.#doomed.push(old));
    } else if (changes || old.broken) {
      run.steps.push(`update ${key}`);
      await this.#keep(declared, inputs, async () => {
        const { outs } = await handler.update(old.id, old.outputs, inputs);
        return { id: old.id, outs };
      });
    }
  }

  async #create(run: Run, declared: Declared, inputs: JsonMap, made: () => unknown = () => undefined): Promise<void> {
    run.steps.push(`create ${keyOf(declared)}`);
    this.#creating = declared;
    await this.#keep(declared, inputs, () => run.handler(declared.kind).create(inputs), made);
  }

  /** Records the result of a step, also a partial one. */
  async #keep(
    { kind, name }: Declared,
    inputs: JsonMap,
    step: () => Promise<{ id: string; outs: JsonMap }>,
    made: () => unknown = () => undefined,
  ): Promise<void> {
    const record = (id: string, outputs: JsonMap, broken: boolean): void => {
      if (id === "") throw new Error(`a ${kind} without an id was made`);
      made();
      this.#state.set(`${kind} ${name}`, { kind, name, id, inputs, outputs: asRecorded(outputs), broken });
    };
    try {
      const { id, outs } = await step();
      record(id, outs, false);
      this.#creating = undefined;
    } catch (error) {
      this.#creating = undefined;
      if (error instanceof PartialFailure) record(error.id, error.properties as JsonMap, true);
      throw error;
    }
  }

  async #remove(run: Run, all: readonly Kept[], forget: (kept: Kept) => unknown): Promise<void> {
    for (const kept of all) {
      run.steps.push(`delete ${keyOf(kept)}`);
      await run.handler(kept.kind).delete(kept.id, kept.outputs);
      forget(kept);
    }
  }

  #inputsOf({ kind, name, inputs }: Declared): JsonMap {
    const provider = `exports.handler=()=>require("landform/dynamic").${kind}`;
    const identity = identityFor(this.#urnOf({ kind, name }));
    return { ...(registry[kind].named && { name }), ...inputs, __identity: identity, __provider: provider };
  }

  #urnOf({ kind, name }: Pick<Declared, "kind" | "name">): string {
    return `urn:pulumi:${this.#name}::test::${typeOf(kind)}::${name}`;
  }

  /** Returns the state as the command line reads it from an engine's. */
  get #asRead(): RecordedState {
    const resource = (kept: Kept, condemned: boolean) => ({
      urn: this.#urnOf(kept),
      type: typeOf(kept.kind),
      id: kept.id,
      inputs: kept.inputs,
      outputs: kept.outputs,
      ...(condemned && { delete: true }),
      ...(kept.broken && { initErrors: ["made in part"] }),
    });
    const creating = this.#creating;
    return {
      manifest: { time: new Date().toISOString() },
      resources: [
        ...[...this.#state.values()].map((kept) => resource(kept, false)),
        ...this.#doomed.map((kept) => resource(kept, true)),
      ],
      pending:
        creating === undefined
          ? []
          : [
              {
                type: "creating",
                resource: {
                  urn: this.#urnOf(creating),
                  type: typeOf(creating.kind),
                  inputs: this.#inputsOf(creating),
                },
              },
            ],
    };
  }

  async #run(service: Service, work: (run: Run) => Promise<void>): Promise<Ran> {
    const read = this.#asRead;
    const ledger = new FolderLedger(this.#folder, { project: "test", stack: this.#name });
    const facts = {
      ...factsOf(read),
      ...(await ledger.begin(read, { changesNothing: false, savesAtEnd: this.savedAtEnd })),
    };
    this.#creating = undefined;
    const kept = this.inTags ? ledgerInTags(join(this.#folder, "tags.json"), read) : ledgerOf(facts);
    const run = new Run(service, { ...facts, kept }, this);
    let error: Error | undefined;
    try {
      await work(run);
    } catch (thrown) {
      error = thrown instanceof Error ? thrown : new Error(String(thrown));
    }
    await run.close();
    return { error, steps: run.steps, warnings: run.warnings };
  }
}

/** One process of the provider's host. */
class Run {
  readonly steps: string[] = [];
  readonly warnings: string[] = [];
  readonly #runtime: Runtime;
  readonly #context: RunContext;

  constructor(
    { baseUrl, apiKey, timeoutMs = 240_000 }: Service,
    facts: RunFacts & { readonly kept: Ledger },
    { foreignEdits, savedAtEnd: savesAtEnd }: Pick<Stack, "foreignEdits" | "savedAtEnd">,
  ) {
    const { ours = [], kept: ledger } = facts;
    const seen = new SeenStates(ledger);
    const settings: Settings = {
      full: true,
      patienceMs: 15_000,
      ours: new Set(ours),
      foreign: new Set(),
      ledger,
      seen,
      savesAtEnd,
      ...(foreignEdits && { foreignEdits: { option: foreignEdits } }),
      warn: (notice) => this.warnings.push(JSON.stringify(notice)),
    };
    const context = new RunContext({ baseUrl, apiKey, timeoutMs }, settings);
    this.#context = context;
    this.#runtime = {
      claims: new Claims(),
      ours: new Set(ours),
      seen,
      configure: () => undefined,
      run: () => context,
      expectAccount: (account) => context.expectAccount(account),
    };
  }

  handler(kind: Kind): Handler {
    return handlerFor(registry[kind], this.#runtime);
  }

  close(): Promise<void> {
    return this.#context.api.close();
  }
}

/** The tags are in a file here: what the ledger says of a run must survive their form. */
function ledgerInTags(file: string, state: RecordedState): Ledger {
  const before = keptIn(existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {});
  let { entries, run } = { ...before, entries: changed(before.entries, reconcile(before, stateOfCreations(state))) };
  const write = (changes: readonly Change[]): Promise<void> => {
    entries = changed(entries, changes);
    writeFileSync(file, JSON.stringify(Object.fromEntries(tagsOf({ entries, run: run ?? "begun" }))));
    return Promise.resolve();
  };
  const mark = (now: Unended): Promise<void> => {
    run = now;
    return write([]);
  };
  return new Ledger(() => ({
    read: () => ({ ...before, entries }),
    write,
    note: (changes) => void write(changes),
    mark,
  }));
}

function keyOf({ kind, name }: Pick<Declared, "kind" | "name">): string {
  return `${kind} ${name}`;
}

/** Drops the values that a state file would lose. */
function asRecorded(properties: JsonMap): JsonMap {
  return JSON.parse(JSON.stringify(properties)) as JsonMap;
}

function typeOf(kind: Kind): string {
  return `pulumi-nodejs:dynamic/landform:${registry[kind].type}`;
}
