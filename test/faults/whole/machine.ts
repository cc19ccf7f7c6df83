/**
 * A machine with the whole command, and an account behind a constant address. The test keeps and restores both, so that it can kill the same run
 * again and again.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { startEmulator, type Emulator } from "../../../emulator/index.ts";
import { isBusy, runHere } from "../../cli/near-desk.ts";
import { writePlugin } from "../../pulumi/real.ts";
import { inTheApp } from "../../suite/app.ts";
import { killTree } from "../../suite/processes.ts";
import type { Server } from "../../suite/servers.ts";
import { Between } from "../between.ts";
import type { Account } from "../oracle.ts";
import { filesOf, type Form, type Version } from "./program.ts";

const MOST_TRIES = 10;
const repository = join(import.meta.dirname, "../../..");
const binary = join(repository, "dist/cli/main.js");
const plain = join(import.meta.dirname, "plain-pulumi.ts");

const PROJECT = "name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\nbackend:\n  url: file://.\n";

/** The state that a server kept. */
const PACKED = "state.json";

/** The engine of the run. `path` leads to Pulumi's own engine. */
export interface EngineOfRun {
  readonly kind: "embedded" | "pulumi" | "plain pulumi up";
  readonly form: Form;
  readonly path?: string | undefined;
  /** The server that keeps the state. Without it, the state is in the project's folder. */
  readonly server?: Server | undefined;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Both output streams. */
  readonly said: string;
}

/** The state, the project and the account at one moment. */
export type Kept = Readonly<{ project: string; account: Account }>;

export class Machine {
  readonly #root = mkdtempSync(join(tmpdir(), "landform-killed-"));
  readonly #engine: EngineOfRun;
  readonly #baseUrl: string;
  #moves = 0;
  #places = 0;
  /** The page that a large program takes over. */
  adopted = "";
  readonly emulator: Emulator;
  readonly between: Between;

  private constructor(engine: EngineOfRun, emulator: Emulator, between: Between, baseUrl: string) {
    this.#engine = engine;
    this.emulator = emulator;
    this.between = between;
    this.#baseUrl = baseUrl;
  }

  /** `files`: a project that differs from the usual one, by file name. */
  static async open(engine: EngineOfRun, files?: Readonly<Record<string, string>>): Promise<Machine> {
    const emulator = await startEmulator();
    const between = new Between(emulator);
    const machine = new Machine(engine, emulator, between, await between.listen());
    mkdirSync(machine.folder, { recursive: true });
    mkdirSync(machine.#home, { recursive: true });
    if (engine.form !== "landform.yaml") {
      machine.write("Pulumi.yaml", PROJECT);
      machine.write("package.json", JSON.stringify({ name: "test", type: "module", main: "index.ts" }));
    }
    if (engine.kind === "plain pulumi up") {
      symlinkSync(join(repository, "node_modules"), join(machine.folder, "node_modules"), "junction");
      writePlugin(machine.#plugins);
    }
    if (engine.form === "large program") await machine.#adopt();
    if (files === undefined) machine.use("1");
    else for (const [name, content] of Object.entries(files)) machine.write(name, content);
    return machine;
  }

  async close(): Promise<void> {
    this.between.close();
    await this.emulator.close();
    rmSync(this.#root, { recursive: true, force: true });
  }

  get folder(): string {
    return join(this.#root, `machine-${this.#moves}`, "project");
  }

  get #home(): string {
    return join(this.#root, `machine-${this.#moves}`, "home");
  }

  use(version: Version): void {
    for (const [name, content] of Object.entries(filesOf(this.#engine.form, version))) this.write(name, content);
  }

  keep(name: string): Kept {
    const project = join(this.#root, "kept", name);
    mkdirSync(project, { recursive: true });
    cpSync(this.folder, project, { recursive: true });
    return { project, account: structuredClone(this.emulator.records()) };
  }

  restore({ project, account }: Kept): void {
    rmSync(join(this.#root, `machine-${this.#moves}`), { recursive: true, force: true });
    mkdirSync(this.#home, { recursive: true });
    cpSync(project, this.folder, { recursive: true });
    this.emulator.restore(account);
    // Hundreds of killed runs ask hundreds of thousands of questions.
    this.emulator.requests.length = 0;
    this.between.forget();
  }

  async #adopt(): Promise<void> {
    this.adopted = (await inTheApp(this, "POST", "/pages", { name: "Adopted" })).id;
    this.write("adopted", this.adopted);
  }

  /** Notes in the ledger that the last run has not come to its end: an engine may outlive it, and save the state. */
  losesEnd(): void {
    const [ledger = ""] = globSync(join(this.state, "**/landform/*.jsonl"));
    appendFileSync(ledger, `${JSON.stringify({ run: "unsaved" })}\n`);
  }

  /** Takes the state along that a server keeps. */
  async pack(): Promise<void> {
    if (this.#engine.server === undefined) return;
    const { code, said } = await this.run(["state", "export"]);
    if (code !== 0) throw new Error(said);
    this.write(PACKED, said);
  }

  /** Brings a state that was taken along into a new place of the server. */
  async unpack(): Promise<void> {
    if (this.#engine.server === undefined) return;
    this.#places++;
    if (!existsSync(join(this.folder, PACKED))) return;
    const { code, said } = await this.run(["state", "import", "--file", join(this.folder, PACKED)]);
    if (code !== 0) throw new Error(said);
  }

  /** Moves to another machine: the project and the files beside the state come along, and the home doesn't. */
  move(): void {
    const project = this.folder;
    this.#moves++;
    mkdirSync(this.#home, { recursive: true });
    cpSync(project, this.folder, { recursive: true });
    rmSync(dirname(project), { recursive: true, force: true });
  }

  /**
   * Frees a killed run's lock as the message says, if it is Pulumi's. Our own engine sees that the holder is gone. On a busy machine a killed
   * process is there for a moment longer.
   */
  async free(): Promise<void> {
    if (this.#engine.kind !== "pulumi") return;
    for (let tries = 1; ; tries++) {
      const { code, said } = await this.run(["state", "unlock", "--yes"]);
      if (code === 0) return;
      if (tries === MOST_TRIES || !said.includes("a run that is under way")) throw new Error(said);
      await delay(1_000);
    }
  }

  /** Runs the command. `watch` gets the process group and may end it; without it, a process is started only where the run needs one. */
  async run(args: readonly string[], watch?: (kill: () => void) => void): Promise<Ended> {
    const { kind } = this.#engine;
    const isHere = watch === undefined && !isBusy && kind !== "plain pulumi up";
    if (!isHere) return this.#spawn(args, watch);
    const { code, stdout, stderr } = await runHere([...args, "--engine", kind], this.folder, this.#env);
    return { code, signal: null, said: stdout + stderr };
  }

  async #spawn(args: readonly string[], watch: (kill: () => void) => void = () => undefined): Promise<Ended> {
    const child = spawn(process.execPath, this.#command(args), {
      cwd: this.folder,
      env: this.#env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const kill = (): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killTree(child.pid);
    };
    watch(kill);
    const [out, err, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>,
    ]);
    return { code, signal, said: out + err };
  }

  #command(args: readonly string[]): string[] {
    if (this.#engine.kind === "plain pulumi up") return [plain, this.folder, ...args];
    return [binary, ...args, "--engine", this.#engine.kind];
  }

  get #plugins(): string {
    return join(this.#root, "plugins");
  }

  get #env(): NodeJS.ProcessEnv {
    const { server } = this.#engine;
    const pulumi = this.#engine.path === undefined ? [] : [dirname(this.#engine.path), this.#plugins];
    const path = [...pulumi, "/usr/bin", "/bin"];
    return {
      PATH: path.join(delimiter),
      HOME: this.#home,
      // Pulumi needs it if the system doesn't know the user, as in some containers.
      USER: "tester",
      NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
      LANDFORM_BASE_URL: this.#baseUrl,
      LANDFORM_API_KEY: this.emulator.apiKey,
      LANDFORM_PATIENCE_MS: "300",
      PULUMI_CONFIG_PASSPHRASE: "correct horse",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      ...server?.env,
      ...(server && { PULUMI_BACKEND_URL: server.another(`kills_${this.#places}`) }),
    };
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  /** The folder of the state, once there is one. */
  get state(): string {
    return join(this.folder, ".pulumi");
  }
}
