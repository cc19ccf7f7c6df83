/**
 * A desk whose commands run in this process, one after another. Command line, engine, registrations, handlers and HTTP to the service are real. Only
 * the doors to other processes are replaced. Other tests show that the same works with those: of the engines, and of commands that run together or
 * are killed.
 */
import { vi } from "vitest";
import { run } from "../../cli/cli.ts";
import { startEmulator, type EmulatorOptions } from "../../emulator/index.ts";
import { Desk, type Ended, type RunOptions } from "./harness.ts";

vi.mock(import("../../engine/link/providers.ts"), async (original) => ({
  ...(await original()),
  beginHost: () => undefined,
  startHost: (await import("../walk/in-process.ts")).hostInProcess,
}));
vi.mock(import("../../engine/program/process.ts"), async (original) => ({
  ...(await original()),
  startProgram: (await import("../walk/program-in-process.ts")).programInProcess,
}));

export class NearDesk extends Desk {
  static override async open(_example?: undefined, options: EmulatorOptions = {}): Promise<NearDesk> {
    return new NearDesk(await startEmulator(options));
  }

  override async run(args: readonly string[], { env = {} }: RunOptions = {}): Promise<Ended> {
    const [stdout, stderr]: [string[], string[]] = [[], []];
    const into = (list: string[]) => (text: unknown) => list.push(String(text)) > 0;
    const out = vi.spyOn(process.stdout, "write").mockImplementation(into(stdout));
    const err = vi.spyOn(process.stderr, "write").mockImplementation(into(stderr));
    const [before, folder] = [{ ...process.env }, process.cwd()];
    setEnvironment({ ...this.env, ...env });
    process.chdir(this.folder);
    process.exitCode = undefined;
    try {
      const code = await run(args);
      return { code, stdout: stdout.join(""), stderr: stderr.join("") };
    } finally {
      process.exitCode = undefined;
      process.chdir(folder);
      setEnvironment(before);
      out.mockRestore();
      err.mockRestore();
    }
  }
}

function setEnvironment(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  for (const [name, value] of Object.entries(variables)) if (value !== undefined) process.env[name] = value;
}
