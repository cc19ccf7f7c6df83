/** A copy of a project's folder on the embedded engine, with a state and an emulator of its own. */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedEngine } from "../../cli/engines/embedded.ts";
import type { OperationKind, RunResult } from "../../cli/engines/types.ts";
import { openStack } from "../../cli/project.ts";
import { startEmulator, type Emulator } from "../../emulator/index.ts";
import type { EngineEvent } from "../../engine/index.ts";

export class ExampleStack {
  readonly emulator: Emulator;
  readonly #root: string;

  private constructor(root: string, emulator: Emulator) {
    this.#root = root;
    this.emulator = emulator;
  }

  /** Sets the environment that programs and providers inherit, so a test file opens one after the other. */
  static async open(dir: string): Promise<ExampleStack> {
    const emulator = await startEmulator({ seed: "empty" });
    const root = await mkdtemp(join(tmpdir(), "example-"));
    await cp(dir, join(root, "project"), { recursive: true });
    Object.assign(process.env, {
      LANDFORM_BASE_URL: emulator.baseUrl,
      LANDFORM_API_KEY: emulator.apiKey,
      PULUMI_BACKEND_URL: `file://${root}`,
      PULUMI_CONFIG_PASSPHRASE: "example",
    });
    return new ExampleStack(root, emulator);
  }

  /** `config`: keys with their namespace. */
  async run(kind: OperationKind, config: Readonly<Record<string, string>> = {}): Promise<RunResult & Counted> {
    const folder = await openStack(join(this.#root, "project"), "test");
    for (const [key, value] of Object.entries(config)) folder.config.set(key, value);
    const engine = await EmbeddedEngine.open(folder);
    const changes: Record<string, number> = {};
    const told: string[] = [];
    const onEvent = ({ summaryEvent, diagnosticEvent }: EngineEvent): void => {
      Object.assign(changes, summaryEvent?.resourceChanges);
      if (diagnosticEvent) told.push(diagnosticEvent.message);
    };
    try {
      const result = await engine.run({ kind, parallel: 4 }, onEvent);
      delete changes["same"];
      return { ...result, changes, told };
    } finally {
      await engine.close();
    }
  }

  /** The service's calls that may change something, since the last time this was asked. */
  writes(): string[] {
    const calls = this.emulator.requests.splice(0);
    return calls.filter(({ method }) => method !== "GET").map(({ method, route }) => `${method} ${route}`);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    await rm(this.#root, { recursive: true, force: true });
  }
}

export interface Counted {
  /** Operations other than `same`, by their number. */
  changes: Record<string, number>;
  /** Diagnostics, in order. */
  told: string[];
}
