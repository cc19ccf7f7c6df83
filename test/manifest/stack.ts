/** Runs a folder as a stack on the embedded engine, against an emulator of its own. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator/index.ts";
import {
  type Deployment,
  type EngineEvent,
  FileBackend,
  type OperationRequest,
  type OperationResult,
  PassphraseSecrets,
  runOperation,
} from "../../engine/index.ts";
import { folderWith, repository } from "./files.ts";

const REF = { project: "same", stack: "dev" };

export interface Settings {
  readonly config?: Readonly<Record<string, string>>;
  readonly secretKeys?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** True to run the folder's own index.js in place of its manifest. */
  readonly program?: boolean;
}

export interface Run extends OperationResult {
  /** The writing calls of the run, in order. */
  readonly writes: readonly string[];
  readonly changes: Readonly<Record<string, number>>;
  readonly told: readonly string[];
}

export class Stack {
  readonly folder: string;
  readonly emulator: Emulator;
  readonly #backend: FileBackend;
  readonly #secrets: PassphraseSecrets;

  private constructor(folder: string, emulator: Emulator, backend: FileBackend, secrets: PassphraseSecrets) {
    this.folder = folder;
    this.emulator = emulator;
    this.#backend = backend;
    this.#secrets = secrets;
  }

  static async open(files: Readonly<Record<string, string>>): Promise<Stack> {
    const folder = folderWith({ "package.json": JSON.stringify({ type: "module", main: "index.js" }), ...files });
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"), "junction");
    const backend = await FileBackend.open(join(folder, "state"));
    const secrets = await PassphraseSecrets.create("test");
    await backend.create(REF, secrets);
    return new Stack(folder, await startEmulator({ seed: "empty" }), backend, secrets);
  }

  async run(kind: OperationRequest["kind"], settings: Settings = {}): Promise<Run> {
    const { config = {}, secretKeys = [], env = {}, program = false } = settings;
    const service = {
      LANDFORM_BASE_URL: this.emulator.baseUrl,
      LANDFORM_API_KEY: this.emulator.apiKey,
      // The ledger is kept there, because no command line says where.
      PULUMI_HOME: join(this.folder, "home"),
      ...env,
    };
    const manifest = { LANDFORM_MANIFEST: join(this.folder, "landform.yaml") };
    const entry = program ? undefined : join(repository, "manifest", "program.ts");
    const told: string[] = [];
    const before = this.emulator.requests.length;
    const result = await runOperation(
      {
        kind,
        ...REF,
        root: this.folder,
        config: { values: { ...config }, secretKeys: [...secretKeys] },
        backend: this.#backend,
        secrets: this.#secrets,
        program: { entry, typescript: false, env: { ...service, ...manifest } },
        hostEnv: service,
      },
      ({ diagnosticEvent }: EngineEvent) => diagnosticEvent && told.push(diagnosticEvent.message),
    );
    const calls = this.emulator.requests.slice(before);
    const { same, ...changes } = result.summary;
    return {
      ...result,
      writes: calls.filter(({ method }) => method !== "GET").map(({ method, route }) => `${method} ${route}`),
      changes,
      told,
    };
  }

  state(): Promise<Deployment> {
    return this.#backend.read(REF, this.#secrets);
  }

  /** Returns the state on the disk, with encrypted secrets. */
  stored(): Promise<unknown> {
    return this.#backend.readStored(REF);
  }

  async close(): Promise<void> {
    await this.emulator.close();
  }
}
