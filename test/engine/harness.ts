import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { forEachTest } from "../suite/opened.ts";
import {
  type EngineEvent,
  FileBackend,
  type OperationRequest,
  type OperationResult,
  PassphraseSecrets,
  runOperation,
} from "../../engine/index.ts";
import type { Deployment, ResourceState } from "../../engine/model/types.ts";

// Every run starts a program and a provider host, which takes its time on a busy machine.
vi.setConfig({ testTimeout: 240_000 });

const SDK = join(import.meta.dirname, "../../node_modules/@pulumi/pulumi");
const FIXTURES = join(import.meta.dirname, "fixtures");

/** A project with one program, a stack in a folder of its own, and the toy's objects. */
export class Bench {
  readonly root: string;
  readonly backend: FileBackend;
  readonly secrets: PassphraseSecrets;
  readonly events: EngineEvent[] = [];

  private constructor(root: string, backend: FileBackend, secrets: PassphraseSecrets) {
    this.root = root;
    this.backend = backend;
    this.secrets = secrets;
  }

  static async open(): Promise<Bench> {
    const root = await mkdtemp(join(tmpdir(), "engine-"));
    const backend = await FileBackend.open(join(root, "state"));
    secretsOnce ??= PassphraseSecrets.create("test");
    const secrets = await secretsOnce;
    await backend.create(REF, secrets);
    await writeFile(join(root, "package.json"), JSON.stringify({ name: "program", main: "index.cjs" }));
    return new Bench(root, backend, secrets);
  }

  static each(): Bench {
    return forEachTest(() => Bench.open());
  }

  async close(): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }

  /** Writes the program. `body` has `pulumi` and `Thing` in scope, and its `exports` are the stack's outputs. */
  async program(body: string): Promise<void> {
    await writeFile(join(this.root, "index.cjs"), programText(body));
  }

  /** Makes `@pulumi/pulumi` resolvable from a folder. */
  async linkSdk(folder: string): Promise<void> {
    await mkdir(join(folder, "node_modules", "@pulumi"), { recursive: true });
    await symlink(SDK, join(folder, "node_modules", "@pulumi", "pulumi"));
  }

  async up(body: string, options?: Partial<OperationRequest>): Promise<OperationResult> {
    await this.program(body);
    return this.apply(options);
  }

  async applied(body: string): Promise<void> {
    await this.up(body);
    await this.clearCalls();
  }

  async runs(kind: OperationRequest["kind"], body: string, options?: Partial<OperationRequest>) {
    await this.program(body);
    return this.run(kind, options);
  }

  async run(kind: OperationRequest["kind"], options: Partial<OperationRequest> = {}): Promise<OperationResult> {
    this.events.length = 0;
    return runOperation(this.request(kind, options), (event) => this.events.push(event));
  }

  request(kind: OperationRequest["kind"], options: Partial<OperationRequest> = {}): OperationRequest {
    return {
      kind,
      ...REF,
      root: this.root,
      config: { values: {}, secretKeys: [] },
      backend: this.backend,
      secrets: this.secrets,
      ...options,
      program: { typescript: false, ...options.program },
      hostEnv: { TOY_STORE: this.root, ...options.hostEnv },
    };
  }

  /** Runs an up that succeeds, and a second one that has nothing to do. */
  async apply(options: Partial<OperationRequest> = {}): Promise<OperationResult> {
    const result = await this.run("up", options);
    if (result.result !== "succeeded") throw new Error(`up ${result.result}: ${JSON.stringify(result.failures)}`);
    const preview = await this.run("preview", { ...options, expectedPlan: undefined, refresh: false });
    if (preview.result !== "succeeded" || Object.keys(preview.summary).some((op) => op !== "same"))
      throw new Error(
        `a second up would not be empty: ${JSON.stringify([preview.summary, preview.failures, preview.plan])}`,
      );
    return result;
  }

  state(): Promise<Deployment> {
    return this.backend.read(REF, this.secrets);
  }

  async resource(name: string): Promise<ResourceState | undefined> {
    return (await this.state()).resources.find(({ urn }) => urn.endsWith(`::${name}`));
  }

  /** Returns the calls of the toy that change something, in order. */
  async calls(...kinds: string[]): Promise<string[]> {
    const wanted = kinds.length === 0 ? ["create", "update", "delete"] : kinds;
    const text = await readFile(join(this.root, "calls.log"), "utf8").catch(() => "");
    const calls = text.split("\n").filter((line) => line !== "");
    return calls
      .map((line) => JSON.parse(line) as { call: string; name: string })
      .filter(({ call }) => wanted.includes(call))
      .map(({ call, name }) => `${call} ${name}`);
  }

  async clearCalls(): Promise<void> {
    await rm(join(this.root, "calls.log"), { force: true });
  }

  async objects(): Promise<Map<string, Record<string, unknown>>> {
    const found = new Map<string, Record<string, unknown>>();
    for (const file of await readdir(this.root)) {
      if (!/^[0-9a-f-]{36}\.json$/.test(file)) continue;
      const text = await readFile(join(this.root, file), "utf8");
      found.set(file.slice(0, -".json".length), JSON.parse(text) as Record<string, unknown>);
    }
    return found;
  }

  diagnostics(severity?: string): string[] {
    return this.events.flatMap(({ diagnosticEvent: event }) =>
      event === undefined || (severity !== undefined && event.severity !== severity) ? [] : [event.message],
    );
  }
}

export const REF = { project: "demo", stack: "dev" };

export const THING = "pulumi-nodejs:dynamic/toy:Thing";
export const urn = (name: string, type = THING): string => `urn:pulumi:dev::demo::${type}::${name}`;

let secretsOnce: Promise<PassphraseSecrets> | undefined;

export function programText(body: string): string {
  return [
    `const pulumi = require(${JSON.stringify(SDK)});`,
    `const TOY = ${JSON.stringify(join(FIXTURES, "toy.cjs"))};`,
    `const { Thing } = require(${JSON.stringify(join(FIXTURES, "thing.cjs"))});`,
    body,
  ].join("\n");
}
