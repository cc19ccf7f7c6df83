/** A folder with a landform.yaml, an account, and the commands of the command line, called in this process. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { vi } from "vitest";
import { run } from "../../cli/cli.ts";
import { keepCompiled } from "../../cli/process.ts";
import type { JsonMap } from "../../provider/values/json.ts";
import type { JsonReport } from "../../stack/report/json.ts";
import { realEngine } from "../suite/parts.ts";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator/index.ts";
import { inTheApp } from "../suite/app.ts";

// Replaces the doors to other processes, except those to Pulumi's command and its providers.
vi.mock(import("../../stack/engines/pulumi/program.ts"), async () => ({
  startProgramServer: (await import("./pulumi-in-process.ts")).serverHere,
}));
vi.mock(import("../../engine/link/provider-host.ts"), async (original) => ({
  ...(await original()),
  beginHost: () => undefined,
  startHost: (await import("./in-process.ts")).hostInProcess,
}));

export type Command = Readonly<{ code: number; report: JsonReport; printed: string }>;

/** A resource of the state, as the file has it. */
export interface Recorded {
  readonly urn: string;
  readonly id: string;
  readonly type: string;
  readonly inputs: JsonMap;
  readonly outputs: JsonMap;
  /** URNs. */
  readonly dependencies?: readonly string[];
}

/** The salt of the empty passphrase: a key takes a million rounds of hashing, so all stacks of the walks share one. */
export const SALT = "v1:rXrlEImLJMo=:v1:K2/2jX+NZGpBml3o:sSaMxuQD54PAiytrKW6Bg4fsHNPJvQ==";

export class WalkDesk {
  readonly folder = mkdtempSync(join(tmpdir(), "landform-walk-"));
  readonly emulator: Emulator;
  account: Pick<Emulator, "baseUrl" | "apiKey">;
  readonly engine: "embedded" | "pulumi";

  private constructor(emulator: Emulator, engine: "embedded" | "pulumi") {
    this.emulator = emulator;
    this.account = emulator;
    this.engine = engine;
  }

  static async open(engine: "embedded" | "pulumi" = "embedded", options: EmulatorOptions = {}): Promise<WalkDesk> {
    // The command line's own process does this, too, before Pulumi's processes start.
    if (engine === "pulumi") keepCompiled();
    return WalkDesk.beside(await startEmulator(options), engine);
  }

  /** Opens a desk on an account that somebody else closes. */
  static beside(emulator: Emulator, engine: "embedded" | "pulumi" = "embedded"): WalkDesk {
    const desk = new WalkDesk(emulator, engine);
    for (const stack of ["dev", "two"]) desk.write(`Pulumi.${stack}.yaml`, `encryptionsalt: ${SALT}\n`);
    return desk;
  }

  async close(): Promise<void> {
    await this.emulator.close();
    this.leave();
  }

  leave(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** Writes the manifest as JSON, which is YAML. */
  declare(manifest: object): void {
    this.write("landform.yaml", JSON.stringify(manifest, undefined, 1));
  }

  async run(...args: string[]): Promise<Command> {
    const file = join(this.folder, "report.json");
    rmSync(file, { force: true });
    return { ...(await this.command(...args, "--engine", this.engine, "--json", file)), report: reportIn(file) };
  }

  command(...args: string[]): Promise<Omit<Command, "report">> {
    return this.#command([...args, "-C", this.folder]);
  }

  export(...args: string[]): Promise<Omit<Command, "report">> {
    return this.#command(["export", ...args, "-o", this.folder]);
  }

  async #command(args: string[]): Promise<Omit<Command, "report">> {
    const printed: string[] = [];
    const listen = (text: unknown): boolean => printed.push(String(text)) > 0;
    const out = vi.spyOn(process.stdout, "write").mockImplementation(listen);
    const err = vi.spyOn(process.stderr, "write").mockImplementation(listen);
    const before = { ...process.env };
    Object.assign(process.env, this.environment);
    process.exitCode = undefined;
    try {
      const code = await run(args);
      return { code, printed: printed.join("") };
    } finally {
      process.exitCode = undefined;
      for (const name of Object.keys(process.env)) if (!(name in before)) Reflect.deleteProperty(process.env, name);
      Object.assign(process.env, before);
      out.mockRestore();
      err.mockRestore();
    }
  }

  /** The environment of a machine without a login, with Pulumi on its PATH if the walk needs it. */
  get environment(): NodeJS.ProcessEnv {
    const { baseUrl, apiKey } = this.account;
    const own = { LANDFORM_BASE_URL: baseUrl, LANDFORM_API_KEY: apiKey, PULUMI_CONFIG_PASSPHRASE: "" };
    if (this.engine === "embedded") return own;
    const path = [dirname(realEngine ?? ""), process.env["PATH"]].join(delimiter);
    return { ...own, HOME: this.folder, PULUMI_HOME: join(this.folder, "home"), PATH: path };
  }

  /** Returns the resources of the state, without those that wait for their deletion. */
  state(stack = "dev"): Recorded[] {
    const file = this.#stateFile(stack);
    if (file === undefined) return [];
    const { checkpoint } = JSON.parse(readFileSync(file, "utf8")) as {
      checkpoint: { latest?: { resources?: (Recorded & { delete?: boolean })[] } };
    };
    return (checkpoint.latest?.resources ?? []).filter(
      ({ type, delete: gone }) => type.startsWith("pulumi-nodejs:dynamic/landform:") && gone !== true,
    );
  }

  hasStack(stack: string): boolean {
    return this.#stateFile(stack) !== undefined;
  }

  #stateFile(stack: string): string | undefined {
    const folder = join(this.folder, ".pulumi/stacks");
    if (!existsSync(folder)) return undefined;
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const file = files.find((name) => name.endsWith(`${stack}.json`));
    return file && join(folder, file);
  }

  byHand(method: string, path: string, body?: unknown): Promise<unknown> {
    return inTheApp<unknown>(this, method, path, body);
  }
}

function reportIn(file: string): JsonReport {
  return JSON.parse(readFileSync(file, "utf8")) as JsonReport;
}
