/**
 * A desk whose commands run in this process, one after another. Command line, engine, registrations, handlers and HTTP to the service are real. Only
 * the doors to other processes are replaced. Other tests show that the same works with those: of the engines, and of commands that run together or
 * are killed. Pulumi's own engine and its host, commands that read their standard input and those beside another one have processes of their own.
 */
import { vi } from "vitest";
import { run } from "../../cli/cli.ts";
import { startEmulator, type EmulatorOptions } from "../../emulator/index.ts";
import { forAllTests, forEachTest, inTest } from "../suite/opened.ts";
import { Desk, saysWhy, type Ended, type On, type RunOptions } from "./harness.ts";

vi.mock(import("../../stack/engines/pulumi/program.ts"), async () => ({
  startProgramServer: (await import("../walk/pulumi-in-process.ts")).serverHere,
}));
vi.mock(import("../../engine/link/provider-host.ts"), async (original) => ({
  ...(await original()),
  beginHost: () => undefined,
  startHost: (await import("../walk/in-process.ts")).hostInProcess,
}));
vi.mock(import("../../engine/program/process.ts"), async (original) => ({
  ...(await original()),
  startProgram: (await import("../walk/program-in-process.ts")).programInProcess,
}));

/** One command at a time can have this process. */
export let isBusy = false;

export class NearDesk extends Desk {
  static override async open(example?: "quickstart" | "quickstart-yaml", options?: EmulatorOptions): Promise<NearDesk> {
    const desk = new NearDesk(await startEmulator(options));
    desk.copyExample(example);
    return desk;
  }

  static each(...on: On | []): NearDesk {
    return forEachTest(() => NearDesk.#opened(on));
  }

  static all(...on: On | []): NearDesk {
    return forAllTests(() => NearDesk.#opened(on));
  }

  static own(...on: On | []): Promise<NearDesk> {
    return inTest(NearDesk.#opened(on));
  }

  static async #opened(on: On | []): Promise<NearDesk> {
    const desk = await NearDesk.open();
    return on.length === 0 ? desk : desk.on(...on);
  }

  override async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    if (isBusy || options.stdin !== undefined) return super.run(args, options);
    return saysWhy(args, await runHere([...args, ...this.also.args], this.folder, { ...this.env, ...options.env }));
  }

  /** Runs in processes of its own: a wrong program may end its process, and only there is its output part of the command's. */
  apart(args: readonly string[], options?: RunOptions): Promise<Ended> {
    return super.run(args, options);
  }
}

/** Runs the command in this process, with nothing but these variables. */
export async function runHere(args: readonly string[], folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const into = (list: string[]) => (text: unknown) => list.push(String(text)) > 0;
  const out = vi.spyOn(process.stdout, "write").mockImplementation(into(stdout));
  const err = vi.spyOn(process.stderr, "write").mockImplementation(into(stderr));
  const [before, here] = [{ ...process.env }, process.cwd()];
  isBusy = true;
  setEnvironment(env);
  process.chdir(folder);
  process.exitCode = undefined;
  try {
    const code = await run(args);
    return { code, stdout: stdout.join(""), stderr: stderr.join("") };
  } finally {
    process.exitCode = undefined;
    process.chdir(here);
    setEnvironment(before);
    isBusy = false;
    out.mockRestore();
    err.mockRestore();
  }
}

function setEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
}
