/** Runs the compiled command as a process, in a folder of its own, against an emulator. */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { startEmulator, type Emulator, type EmulatorOptions } from "../../emulator/index.ts";
import type { JsonReport } from "../../stack/report/json.ts";
import { editInApp, inTheApp, publishInApp, textsInApp } from "../suite/app.ts";

export const SYSTEM_PATH = "/usr/bin:/bin";
const COMPILED = join(tmpdir(), "node-compile-cache");

const repository = join(import.meta.dirname, "../..");
const binary = join(repository, "dist/cli/main.js");
if (!existsSync(binary)) throw new Error("the command is not compiled: run `npm run build` first");

export type Ended = { code: number | null; stdout: string; stderr: string };

export type RunOptions = { env?: Record<string, string | undefined>; stdin?: string };

export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** The engine of all commands, and the PATH on which it is found. */
export type On = readonly [engine: string, path: (rest: string) => string];

export type Begun = Readonly<{ child: ChildProcess; ended: Promise<number | null>; told: () => string }>;

/** A project folder and an account. */
export class Desk {
  /** Arguments and variables of all commands. */
  also: { args: readonly string[]; env: Record<string, string | undefined> } = { args: [], env: {} };
  readonly folder = mkdtempSync(join(tmpdir(), "landform-cli-"));
  readonly emulator: Emulator;

  protected constructor(emulator: Emulator) {
    this.emulator = emulator;
  }

  static async open(example?: "quickstart" | "quickstart-yaml", options: EmulatorOptions = {}): Promise<Desk> {
    const desk = new Desk(await startEmulator(options));
    desk.copyExample(example);
    return desk;
  }

  protected copyExample(example: "quickstart" | "quickstart-yaml" | undefined): void {
    if (example) cpSync(join(repository, "examples", example), this.folder, { recursive: true });
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** No Pulumi on PATH and no settings of this machine, unless the test gives them. */
  get env(): Record<string, string | undefined> {
    return {
      PATH: SYSTEM_PATH,
      HOME: this.folder,
      // Pulumi needs it if the system doesn't know the user, as in some containers.
      USER: "tester",
      // Each desk is a home of its own. Without this, every one would compile everything again.
      NODE_COMPILE_CACHE: COMPILED,
      LANDFORM_BASE_URL: this.emulator.baseUrl,
      LANDFORM_API_KEY: this.emulator.apiKey,
      LANDFORM_PATIENCE_MS: "500",
      PULUMI_CONFIG_PASSPHRASE: "correct horse",
      ...this.also.env,
    };
  }

  on(...[engine, path]: On): this {
    this.also = { args: ["--engine", engine], env: { PATH: path(SYSTEM_PATH) } };
    return this;
  }

  /** Returns the arguments for tests that start the command in their own way. */
  command(...args: string[]): string[] {
    return [process.execPath, binary, ...args];
  }

  start(args: readonly string[], { env = {} }: RunOptions = {}): ChildProcessWithoutNullStreams {
    const all = [binary, ...args, ...this.also.args];
    return spawn(process.execPath, all, { cwd: this.folder, env: { ...this.env, ...env } });
  }

  /** Starts the command. It doesn't outlive the running test. */
  begin(args: readonly string[], env?: RunOptions["env"]): Begun {
    const child = this.start(args, { env });
    let told = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (told += String(data)));
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, ended: once(child, "close").then(([code]) => code as number | null), told: () => told };
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const child = this.start(args, options);
    child.stdin.end(options.stdin ?? "");
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close") as Promise<[number | null]>,
    ]);
    return saysWhy(args, { code, stdout, stderr });
  }

  /** Returns all that the command says. It has to end with this code. */
  says(code: number, ...args: readonly string[]): Promise<string> {
    return outputOf(code, this.run(args));
  }

  /** The same, with these variables. */
  saysWith(env: RunOptions["env"], code: number, ...args: readonly string[]): Promise<string> {
    return outputOf(code, this.run(args, { env }));
  }

  /** The same, of a command that sends nothing. */
  async sendsNothing(code: number, ...args: readonly string[]): Promise<string> {
    this.writes();
    const said = await this.says(code, ...args);
    expect(this.writes()).toEqual([]);
    return said;
  }

  /** Runs a command that succeeds and says nothing on standard error. Returns its standard output. */
  async clean(...args: readonly string[]): Promise<string> {
    return cleanOutputOf(this.run(args));
  }

  async json<Told = JsonReport>(...args: readonly string[]): Promise<Told> {
    const { code, stdout, stderr } = await this.run([...args, "--json"]);
    expect(code, stdout + stderr).toBe(0);
    return JSON.parse(stdout) as Told;
  }

  up(...args: readonly string[]): Promise<string> {
    return this.says(0, "up", "--yes", ...args);
  }

  plan(...args: readonly string[]): Promise<string> {
    return this.says(0, "preview", ...args);
  }

  undo(...args: readonly string[]): Promise<string> {
    return this.says(0, "undo", "--yes", ...args);
  }

  plansNothing(...args: readonly string[]): Promise<string> {
    return this.says(0, "preview", "--detailed-exitcode", ...args);
  }

  /** Runs an up, and then a plan without changes. Returns what the up says. */
  async applies(...args: readonly string[]): Promise<string> {
    const said = await this.up(...args);
    await this.plansNothing();
    return said;
  }

  report<Told = JsonReport>(name: string): Told {
    return JSON.parse(this.read(name)) as Told;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  declare(manifest: string): this {
    return this.write("landform.yaml", manifest);
  }

  read(name: string): string {
    return readFileSync(this.path(name), "utf8");
  }

  write(name: string, content: string): this {
    writeFileSync(this.path(name), content);
    return this;
  }

  /** Writes a program of landform's resources in TypeScript. */
  program(body: string): this {
    this.write("Pulumi.yaml", "name: test\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n");
    this.write("package.json", JSON.stringify({ name: "test", type: "module", main: "index.ts" }));
    return this.write("index.ts", `import * as landform from "landform";\n${body}\n`);
  }

  edit(name: string, from: string, to: string): this {
    const before = this.read(name);
    if (!before.includes(from)) throw new Error(`${name} has no ${from}`);
    return this.write(name, before.replace(from, to));
  }

  code(from: string, to: string): this {
    return this.edit("landform.yaml", from, to);
  }

  rows(kind: string): Row[] {
    return this.emulator.records()[kind] ?? [];
  }

  page(name: string): string {
    return String(this.rows("pages").find(({ pageName }) => pageName === name)?.id);
  }

  /** Makes a call of a person in the app, which has to succeed. */
  app<Answer = Row>(method: string, path: string, body?: unknown): Promise<Answer> {
    return inTheApp<Answer>(this, method, path, body);
  }

  edits(page: string, updates: Readonly<Record<string, string>>): Promise<unknown> {
    return editInApp(this, this.page(page), updates);
  }

  /** A colleague publishes a page on the first site. */
  async publishes(page: string, slug = page): Promise<void> {
    await publishInApp(this, this.page(page), { siteId: this.rows("sites")[0]?.id, slug });
  }

  async drafts(page: string, key: string): Promise<unknown> {
    return (await textsInApp(this, this.page(page)))[key];
  }

  /** Returns what visitors get at SITE/SLUG, or the status where they get nothing. */
  async visited(place: string): Promise<string> {
    const response = await fetch(`${this.emulator.url}/_sites/${place}`);
    return response.status === 200 ? response.text() : `nothing (${response.status})`;
  }

  /** Returns the calls that change something, since the last time. */
  writes(): string[] {
    const calls = this.emulator.requests.filter(
      ({ method, route }) => method !== "GET" && route !== "/pages/validate-before-publish",
    );
    this.emulator.requests.length = 0;
    return calls.map(({ method, path }) => `${method} ${path}`);
  }
}

/** No command fails without a word, whatever a test looks for. */
export function saysWhy(args: readonly string[], ended: Ended): Ended {
  const { code, stdout, stderr } = ended;
  const said = `${stdout}${stderr}`;
  if (code === 0 || code === 2 || (said.trim() !== "" && !said.includes("told nothing of why"))) return ended;
  throw new Error(`landform ${args.join(" ")} ended with ${code} and did not say why: ${said}`);
}

export async function outputOf(expected: number, running: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await running;
  expect(code, stdout + stderr).toBe(expected);
  return stdout + stderr;
}

/** Returns the standard output of a command that has to succeed, with nothing on standard error. */
export async function cleanOutputOf(running: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await running;
  expect([code, stderr], stdout).toEqual([0, ""]);
  return stdout;
}

/** Replaces the parts of a text that differ from run to run. */
export const neutral = (output: string): string =>
  output
    .replace(/\b(page|proj|site|funnel|prod)_[a-z0-9]{16}\b/g, "$1_ID")
    .replace(/localhost:\d+/g, "localhost:PORT")
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replace(/\d+\.\d s\b/g, "T s")
    .replace(/embedded engine \S+/g, "embedded engine V");
