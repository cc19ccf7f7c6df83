/**
 * For tests of your own programs: an emulated account, and the operations of the command line on the embedded engine.
 *
 *     const account = await startTestAccount();
 *     const report = await deploy("./my-funnel", { account });
 *     expect(report.counts.create).toBe(5);
 *     await account.close();
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator, type Emulator, type EmulatorOptions } from "../emulator/index.ts";
import type { OperationKind } from "./engines/contract.ts";
import { EmbeddedEngine } from "./engines/embedded.ts";
import { openStack } from "./project/open.ts";
import { buildReport } from "./report/build.ts";
import { Collector } from "./report/collect.ts";
import { jsonReport, type JsonReport } from "./report/json.ts";

export type { Counts, Failure } from "./report/model.ts";
export type {
  JsonChange as Change,
  JsonDrift as Drift,
  JsonField as Field,
  JsonReport as Report,
} from "./report/json.ts";
export type { Emulator, EmulatorOptions } from "../emulator/index.ts";

export interface TestAccount {
  readonly emulator: Emulator;
  /** The variables that a program needs to reach the account. */
  readonly env: Readonly<Record<string, string>>;
  /** The folder where the stacks of this account keep their state. */
  readonly stateFolder: string;
  close(): Promise<void>;
}

export async function startTestAccount(options: EmulatorOptions = {}): Promise<TestAccount> {
  const emulator = await startEmulator(options);
  const stateFolder = mkdtempSync(join(tmpdir(), "landform-test-"));
  return {
    emulator,
    env: { LANDFORM_BASE_URL: emulator.baseUrl, LANDFORM_API_KEY: emulator.apiKey },
    stateFolder,
    close: async () => {
      await emulator.close();
      rmSync(stateFolder, { recursive: true, force: true });
    },
  };
}

export interface DeployOptions {
  account: TestAccount;
  /** The default is `up`. */
  operation?: OperationKind;
  stack?: string;
  /** Looks at the existing objects first. */
  refresh?: boolean;
  /** Folder of a Pulumi.STACK.yaml, if the program needs configuration. The project's own is not read. */
  configFolder?: string;
}

/** Runs one operation on a project folder. Failures are in the report and are not thrown. */
export async function deploy(
  dir: string,
  { account, operation = "up", stack = "test", refresh, configFolder = account.stateFolder }: DeployOptions,
): Promise<JsonReport> {
  const folder = await openStack(dir, stack, configFolder);
  const env = { ...account.env, PULUMI_CONFIG_PASSPHRASE: "" };
  const engine = await EmbeddedEngine.open(folder, { env, backend: account.stateFolder });
  const collector = new Collector();
  const startedAt = Date.now();
  try {
    const run = await engine.run({ kind: operation, refresh }, (event) => void collector.add(event));
    const { project, root } = folder;
    const about = { command: operation, project: project.name, stack, root, engine, verbose: false };
    return jsonReport(buildReport({ ...about, collector, run, durationMs: Date.now() - startedAt }));
  } finally {
    await engine.close();
  }
}
