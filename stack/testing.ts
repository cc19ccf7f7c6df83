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
import { CommandError, exitCodes } from "./exit/codes.ts";
import { reportOf } from "./exit/report.ts";
import { apply } from "./plan/apply.ts";
import { makePlan } from "./plan/make.ts";
import type { Ended, Intent } from "./review/plan.ts";
import type { OperationOptions } from "./options.ts";
import { jsonReport, type JsonReport } from "./report/json.ts";
import { StackSession } from "./run/session.ts";

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
  /** Applies a plan that the command would hold, as `--force` does. */
  force?: boolean;
  /** Folder of a Pulumi.STACK.yaml, if the program needs settings. The project's own is not read. */
  configFolder?: string;
}

/** Runs one operation on a project folder as the command of that name does, with --yes. Failures are in the report and are not thrown. */
export function deploy(
  dir: string,
  { account, operation = "up", stack = "test", refresh, force, configFolder = account.stateFolder }: DeployOptions,
): Promise<JsonReport> {
  const options: OperationOptions = { C: dir, stack, engine: "embedded", target: [] };
  const intent = { yes: true, ...(refresh === true && { refresh }), ...(force === true && { force }) } as const;
  const work = async (session: StackSession): Promise<Ended> => {
    const ended = await carriedOut(session, operation, intent);
    return { ...ended, report: session.said(ended.report) };
  };
  return withAccount(account, async () => {
    const ended = await StackSession.with(options, work, { makesStack: true, configFolder });
    return jsonReport(reportOf(ended, operation, options));
  });
}

async function carriedOut(
  session: StackSession,
  operation: OperationKind,
  choice: Pick<Intent, "yes" | "refresh" | "force">,
): Promise<Ended> {
  if (operation === "refresh") {
    await session.hold();
    return {
      report: (await session.run("refresh", { kind: "refresh" }, { quiet: true })).report,
      exit: exitCodes.done,
    };
  }
  const plan = await makePlan(session, { ...choice, kind: operation });
  if (operation === "preview") return { report: plan.report, exit: exitCodes.done };
  try {
    return await apply(session, plan);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    session.redactor.error(error);
    return { report: plan.report, exit: error.exitCode, error };
  }
}

let last: Promise<unknown> = Promise.resolve();

/** A process has one set of variables, so that one run follows another. */
function withAccount<Result>({ env, stateFolder }: TestAccount, work: () => Promise<Result>): Promise<Result> {
  const variables = {
    ...env,
    PULUMI_BACKEND_URL: `file://${stateFolder}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    LANDFORM_HISTORY: join(stateFolder, "history"),
  };
  const turn = last.then(async () => {
    const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, variables);
    try {
      return await work();
    } finally {
      for (const [name, value] of before)
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
    }
  });
  last = turn.catch(() => undefined);
  return turn;
}
