/** The life of an account: created, read, changed, deleted; one command a step. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { startEmulator } from "../emulator/index.ts";
import type { AccountSize } from "./account.ts";
import { landform, type Place, type Took } from "./command.ts";
import { type Form, makeProject, writeProject } from "./project.ts";
import type { StepTitle } from "./reasons.ts";

export type Engine = "embedded" | "pulumi";

export interface Setup {
  readonly engine: Engine;
  readonly form: Form;
  readonly size: AccountSize;
  /** The service's latency, in milliseconds a call. */
  readonly latency?: number;
  /** Default: all. */
  readonly steps?: readonly StepTitle[];
}

export interface Life extends Setup {
  readonly took: Readonly<Partial<Record<StepTitle, Took>>>;
  /** The size of the state after the up from empty; 0 if it is not in a file of this folder. */
  readonly stateBytes: number;
}

const COMMANDS: Readonly<Record<StepTitle, readonly string[]>> = {
  "up from empty": ["up", "--yes"],
  refresh: ["refresh"],
  "up without changes": ["up", "--yes"],
  "preview without changes": ["preview"],
  "preview of one content key": ["preview"],
  "up of one content key": ["up", "--yes"],
  destroy: ["destroy", "--yes", "--force"],
};

export async function live(setup: Setup, pulumi: string | undefined): Promise<Life> {
  const { engine, form, size, latency, steps = Object.keys(COMMANDS) as StepTitle[] } = setup;
  const emulator = await startEmulator(latency === undefined ? {} : { latency });
  const folder = makeProject(form, size);
  const PATH = `${dirname(pulumi ?? process.execPath)}:${process.env["PATH"] ?? ""}`;
  const env = {
    ...process.env,
    PATH,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_HOME: `${folder}/home`,
    PULUMI_BACKEND_URL: `file://${folder}`,
  };
  const place: Place = { folder, emulator, env };
  const took: Partial<Record<StepTitle, Took>> = {};
  let stateBytes = 0;
  try {
    for (const step of steps) {
      if (step.endsWith("of one content key")) writeProject(folder, form, size, { headline: "The title from now on" });
      const used = await landform(place, ...COMMANDS[step], "-s", "dev", "--engine", engine);
      took[step] = used;
      if (step === "up from empty") stateBytes = bytesOfState(folder);
      console.log(engine, form, size.pages, step, used.seconds.toFixed(2), used.cpuSeconds.toFixed(2));
    }
    return { ...setup, took, stateBytes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await emulator.close();
  }
}

function bytesOfState(folder: string): number {
  const stacks = join(folder, ".pulumi/stacks");
  const files = existsSync(stacks) ? readdirSync(stacks, { recursive: true, encoding: "utf8" }) : [];
  const file = files.find((name) => name.endsWith("dev.json"));
  return file === undefined ? 0 : statSync(join(stacks, file)).size;
}
