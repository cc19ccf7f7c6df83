/**
 * Carries out a manifest with the provider's own handlers in this process: an engine's work without its processes, so that properties can be tried on
 * many accounts.
 */
import { join } from "node:path";
import { validate } from "../../manifest/index.ts";
import { Deferred, type Entry, type Tree } from "../../manifest/declare/model.ts";
import type { Json, JsonMap } from "../../provider/values/json.ts";
import { Claims } from "../../provider/reconcile/check.ts";
import { type Handler, handlerFor } from "../../provider/reconcile/handler.ts";
import { identityFor, type ObjectKey } from "../../provider/ledger/identity.ts";
import { RunContext, SeenStates } from "../../provider/reconcile/run-context.ts";
import { unkeptLedger } from "../../provider/ledger/ledger.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import type { Applied } from "../../manifest/export/index.ts";
import type { TestAccount, TestFolder } from "./harness.ts";

interface Resource {
  readonly entry: Entry;
  readonly id: string;
  readonly inputs: JsonMap;
  outputs: JsonMap;
}

export class Stack {
  readonly #handlers: ReadonlyMap<Kind, Handler>;
  readonly #run: RunContext;
  readonly #resources = new Map<string, Resource>();

  constructor({ emulator }: TestAccount, word?: "include") {
    const { baseUrl, apiKey } = emulator;
    const settings = {
      full: false,
      patienceMs: 0,
      ...(word && { foreignEdits: { option: word } }),
      foreign: new Set<string>(),
      ledger: unkeptLedger(),
      warn: () => undefined,
    };
    this.#run = new RunContext({ baseUrl, apiKey }, settings);
    const runtime = {
      ours: new Set<ObjectKey>(),
      seen: new SeenStates(unkeptLedger()),
      configure: () => undefined,
      run: () => this.#run,
      expectAccount: () => undefined,
      claims: new Claims(),
    };
    this.#handlers = new Map(
      (Object.keys(registry) as Kind[]).map((kind) => [kind, handlerFor(registry[kind], runtime)]),
    );
  }

  /** Runs the first up of a manifest: it creates or adopts every entry. */
  async up(folder: TestFolder): Promise<void> {
    for (const entry of entriesOf(folder)) {
      const handler = this.#handlerOf(entry);
      const inputs = this.#inputsOf(entry);
      const { failures } = await handler.check({}, inputs);
      if (failures.length > 0) throw new Error(`${entry.address}: ${JSON.stringify(failures)}`);
      const { id, outs } = await handler.create(inputs);
      this.#resources.set(entry.address, { entry, id, inputs, outputs: outs });
    }
  }

  /** Runs a later up of a manifest with the same resources, after a refresh. */
  async apply(folder: TestFolder): Promise<void> {
    await this.refresh();
    for (const entry of entriesOf(folder)) {
      const made = this.#resources.get(entry.address);
      if (made === undefined) throw new Error(`${entry.address} was never made`);
      const [handler, inputs] = [this.#handlerOf(entry), this.#inputsOf(entry)];
      const { changes } = await handler.diff(made.id, made.outputs, inputs);
      const outputs = changes ? (await handler.update(made.id, made.outputs, inputs)).outs : made.outputs;
      this.#resources.set(entry.address, { entry, id: made.id, inputs, outputs });
    }
  }

  async refresh(): Promise<void> {
    for (const resource of this.#resources.values()) {
      const { props } = await this.#handlerOf(resource.entry).read(resource.id, resource.outputs);
      resource.outputs = props;
    }
  }

  /** Returns the entries that the next up would change. */
  async pending(): Promise<string[]> {
    const pending: string[] = [];
    for (const { entry, id, inputs, outputs } of this.#resources.values()) {
      const { changes } = await this.#handlerOf(entry).diff(id, outputs, inputs);
      if (changes) pending.push(entry.address);
    }
    return pending;
  }

  /** Returns the entries that a manifest of the same resources would change now, also those that it has not made. */
  async pendingOf(folder: TestFolder): Promise<string[]> {
    const pending: string[] = [];
    for (const entry of entriesOf(folder)) {
      const made = this.#resources.get(entry.address);
      const changes = made && (await this.#handlerOf(entry).diff(made.id, made.outputs, this.#inputsOf(entry))).changes;
      if (changes !== false) pending.push(entry.address);
    }
    return pending;
  }

  /** Returns the values that the state would tell an export. */
  lastApplied(type: string, name: string): Applied | undefined {
    const found = [...this.#resources.values()].find(
      ({ entry: { definition, key } }) => definition.type === type && key === name,
    );
    return found && { id: found.id, inputs: found.inputs, outputs: found.outputs };
  }

  async close(): Promise<void> {
    await this.#run.api.close();
  }

  #handlerOf({ kind }: Entry): Handler {
    const handler = this.#handlers.get(kind);
    if (!handler) throw new Error(kind);
    return handler;
  }

  #inputsOf({ inputs, address }: Entry): JsonMap {
    const identity = identityFor(`urn:pulumi:dev::test::${address.replace(".", "::")}`);
    return { ...(this.#plain(inputs) as JsonMap), __identity: identity, __provider: "test" };
  }

  #plain(tree: Tree): Json {
    if (tree instanceof Deferred) {
      const { origin } = tree;
      return (origin.from === "resource" && this.#resources.get(origin.target)?.id) || null;
    }
    if (Array.isArray(tree)) return tree.map((item) => this.#plain(item));
    if (typeof tree !== "object" || tree === null) return tree;
    return Object.fromEntries(Object.entries(tree).map(([key, item]) => [key, this.#plain(item)]));
  }
}

function entriesOf(folder: TestFolder): readonly Entry[] {
  const { manifest, diagnostics } = validate(join(folder.path, "landform.yaml"));
  if (!manifest) throw new Error(JSON.stringify(diagnostics, undefined, 2));
  return manifest.entries;
}
