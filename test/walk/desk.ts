/** A folder with a landform.yaml, an account, and the commands of the command line called in this process. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { run } from "../../cli/cli.ts";
import type { JsonReport } from "../../cli/render/json.ts";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator/index.ts";

// The three doors to other processes.
vi.mock(import("../../engine/program/monitor.ts"), async (original) => ({
  ...(await original()),
  serveMonitor: (await import("./in-process.ts")).monitorInProcess,
}));
vi.mock(import("../../engine/program/process.ts"), async (original) => ({
  ...(await original()),
  startProgram: (await import("./in-process.ts")).programInProcess,
}));
vi.mock(import("../../engine/host/provider-host.ts"), async (original) => ({
  ...(await original()),
  startHost: (await import("./in-process.ts")).hostInProcess,
}));

export interface Command {
  readonly code: number;
  readonly report: JsonReport;
  readonly printed: string;
}

/** A resource of the state, as the file has it. */
export interface Recorded {
  readonly urn: string;
  readonly id: string;
  readonly type: string;
}

/** Of the empty passphrase: a key takes a million rounds of hashing, and all stacks of the walks share one. */
const SALT = "v1:rXrlEImLJMo=:v1:K2/2jX+NZGpBml3o:sSaMxuQD54PAiytrKW6Bg4fsHNPJvQ==";

export class WalkDesk {
  readonly folder = mkdtempSync(join(tmpdir(), "landform-walk-"));
  readonly emulator: Emulator;
  readonly #engine: "embedded" | "pulumi";

  private constructor(emulator: Emulator, engine: "embedded" | "pulumi") {
    this.emulator = emulator;
    this.#engine = engine;
  }

  static async open(engine: "embedded" | "pulumi" = "embedded", options: EmulatorOptions = {}): Promise<WalkDesk> {
    const desk = new WalkDesk(await startEmulator(options), engine);
    desk.write("Pulumi.dev.yaml", `encryptionsalt: ${SALT}\n`);
    return desk;
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** The manifest is JSON, which is YAML. */
  declare(manifest: object): void {
    this.write("landform.yaml", JSON.stringify(manifest, undefined, 1));
  }

  async run(...args: string[]): Promise<Command> {
    const file = join(this.folder, "report.json");
    rmSync(file, { force: true });
    const printed: string[] = [];
    const listen = (text: unknown): boolean => printed.push(String(text)) > 0;
    const out = vi.spyOn(process.stdout, "write").mockImplementation(listen);
    const err = vi.spyOn(process.stderr, "write").mockImplementation(listen);
    const { LANDFORM_BASE_URL, LANDFORM_API_KEY, PULUMI_CONFIG_PASSPHRASE } = process.env;
    const { baseUrl, apiKey } = this.emulator;
    Object.assign(process.env, { LANDFORM_BASE_URL: baseUrl, LANDFORM_API_KEY: apiKey, PULUMI_CONFIG_PASSPHRASE: "" });
    process.exitCode = undefined;
    try {
      const code = await run([...args, "-C", this.folder, "--engine", this.#engine, "--json", file]);
      return { code, report: reportIn(file), printed: printed.join("") };
    } finally {
      process.exitCode = undefined;
      Object.assign(process.env, { LANDFORM_BASE_URL, LANDFORM_API_KEY, PULUMI_CONFIG_PASSPHRASE });
      for (const key of ["LANDFORM_BASE_URL", "LANDFORM_API_KEY", "PULUMI_CONFIG_PASSPHRASE"])
        if (process.env[key] === "undefined") Reflect.deleteProperty(process.env, key);
      out.mockRestore();
      err.mockRestore();
    }
  }

  /** What the state holds, without what waits for its deletion. */
  state(): Recorded[] {
    const folder = join(this.folder, ".pulumi/stacks");
    const [file] = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /dev\.json$/.test(name));
    if (file === undefined) return [];
    const { checkpoint } = JSON.parse(readFileSync(join(folder, file), "utf8")) as {
      checkpoint: { latest?: { resources?: (Recorded & { delete?: boolean })[] } };
    };
    return (checkpoint.latest?.resources ?? []).filter(
      ({ type, delete: gone }) => type.startsWith("pulumi-nodejs:dynamic/landform:") && gone !== true,
    );
  }

  /** A call to the service by hand, as somebody does it in the app. */
  async byHand(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.emulator.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.emulator.apiKey}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}

function reportIn(file: string): JsonReport {
  return JSON.parse(readFileSync(file, "utf8")) as JsonReport;
}
