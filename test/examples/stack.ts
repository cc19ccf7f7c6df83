/** A project folder on the embedded engine against an emulator of its own, with its state in a folder of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedEngine } from "../../cli/engines/embedded.ts";
import type { OperationKind, RunResult } from "../../cli/engines/types.ts";
import { openStack } from "../../cli/project.ts";
import { startEmulator, type Emulator } from "../../emulator/index.ts";
import type { EngineEvent } from "../../engine/index.ts";

export class ExampleStack {
  readonly emulator: Emulator;
  readonly #dir: string;
  readonly #state: string;

  private constructor(dir: string, emulator: Emulator, state: string) {
    this.#dir = dir;
    this.emulator = emulator;
    this.#state = state;
  }

  /** Sets the environment that programs and providers inherit, so a test file opens one after the other. */
  static async open(dir: string): Promise<ExampleStack> {
    const emulator = await startEmulator({ seed: "empty" });
    const state = await mkdtemp(join(tmpdir(), "example-"));
    Object.assign(process.env, {
      LANDFORM_BASE_URL: emulator.baseUrl,
      LANDFORM_API_KEY: emulator.apiKey,
      PULUMI_BACKEND_URL: `file://${state}`,
      PULUMI_CONFIG_PASSPHRASE: "example",
    });
    return new ExampleStack(dir, emulator, state);
  }

  /** `config`: keys with their namespace. */
  async run(kind: OperationKind, config: Readonly<Record<string, string>> = {}): Promise<RunResult & Counted> {
    const folder = await openStack(this.#dir, "test");
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
    await rm(this.#state, { recursive: true, force: true });
  }
}

export interface Counted {
  /** Operations other than `same`, by their number. */
  changes: Record<string, number>;
  /** Diagnostics, in order. */
  told: string[];
}
