/** The host that waits for Pulumi's plugin, with the plugin as Pulumi starts it and asks it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.ts";
import { grpcWire, type GrpcWire } from "../../engine/link/grpc-wire.ts";
import { loadSdk } from "../../engine/link/sdk.ts";
import type { PropertyMap } from "../../engine/model/types.ts";
import { identityFor } from "../../provider/ledger/identity.ts";
import { hostEnvironment } from "../../stack/engines/children.ts";
import { dynamicProviderIn, WaitingHost } from "../../stack/engines/pulumi/host/waiting.ts";
import { HOST_VARIABLE } from "../../stack/engines/pulumi/host/wire.ts";
import { ownModule } from "../../stack/project/package.ts";

const workDir = join(import.meta.dirname, "../..");
const sdk = loadSdk(workDir);
const LONG = "A brief about the brand, its customers and what it offers them, word by word. ".repeat(3);

const URN = "urn:pulumi:dev::mugs::pulumi-nodejs:dynamic/landform:Project::mugs";
const PROJECT = 'exports.handler=()=>require("landform/dynamic").project';
/** Code of a program's own, which counts its calls for the life of its process. */
const COUNTER =
  "exports.handler=()=>({check:async(olds,news)=>({inputs:{...news,count:globalThis.n=(globalThis.n??0)+1}})})";

async function host(): Promise<WaitingHost> {
  const scratch = mkdtempSync(join(tmpdir(), "landform-test-"));
  const started = WaitingHost.start({ scratch, workDir, project: "mugs" });
  if (started === undefined) throw new Error("no host");
  onTestFinished(() => {
    started.stop();
    rmSync(scratch, { recursive: true, force: true });
  });
  await isListening(started);
  return started;
}

/** A plugin that comes too early serves by itself. */
async function isListening({ env }: Pick<WaitingHost, "env">): Promise<void> {
  await expect.poll(() => existsSync(env[HOST_VARIABLE] ?? ""), { timeout: 10_000 }).toBe(true);
}

/** One run of Pulumi, as its plugin sees it. */
class Plugin {
  readonly printed: string[] = [];
  readonly ended: Promise<unknown[]>;
  readonly child: ChildProcess;
  readonly port: Promise<string>;
  #wire: GrpcWire | undefined;

  constructor(waiting: Pick<WaitingHost, "env"> | undefined, env: Record<string, string> = {}) {
    const plugin = ownModule("stack/engines/pulumi/host/plugin");
    this.child = spawn(process.execPath, [plugin, dynamicProviderIn(workDir), "127.0.0.1:0"], {
      cwd: workDir,
      env: { ...process.env, ...hostEnvironment({}), ...env, ...waiting?.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void this.child.kill("SIGKILL"));
    const { stdout, stderr } = this.child;
    if (stdout === null || stderr === null) throw new Error("no pipes");
    this.port = once(createInterface({ input: stdout }), "line").then(([line]) => String(line));
    const lines = createInterface({ input: stderr }).on("line", (line) => this.printed.push(line));
    this.ended = Promise.all([once(this.child, "close"), once(lines, "close")]).then(([exit]) => exit as unknown[]);
  }

  async ask(method: "check" | "create", properties: PropertyMap): Promise<PropertyMap> {
    const wire = await this.#connected();
    if (method === "create") return (await wire.call("create", URN, { properties, timeout: 0 })).properties;
    return (await wire.call("check", URN, { olds: {}, news: properties })).inputs;
  }

  async failures(news: PropertyMap): Promise<readonly unknown[]> {
    const wire = await this.#connected();
    return (await wire.call("check", URN, { olds: {}, news })).failures;
  }

  async #connected(): Promise<GrpcWire> {
    if (this.#wire === undefined) {
      this.#wire = grpcWire(sdk, {
        address: `127.0.0.1:${await this.port}`,
        patienceMs: undefined,
        explain: () => Promise.resolve(undefined),
      });
      await this.#wire.configure({
        urn: "urn:pulumi:dev::mugs::pulumi:providers:pulumi-nodejs::default",
        id: "x",
        inputs: {},
      });
    }
    return this.#wire;
  }

  /** Ends it as Pulumi does. Returns its exit code. */
  async end(): Promise<unknown> {
    await this.#wire?.close();
    this.child.kill("SIGINT");
    const [code, signal] = await this.ended;
    return code ?? signal;
  }
}

async function emulator(): Promise<Emulator> {
  const started = await startEmulator();
  onTestFinished(() => started.close());
  return started;
}

const keyOf = ({ baseUrl, apiKey }: Emulator) => ({ LANDFORM_BASE_URL: baseUrl, LANDFORM_API_KEY: apiKey });

async function make(plugin: Plugin, name: string): Promise<PropertyMap> {
  const inputs = await plugin.ask("check", { name, description: LONG, context: LONG, __provider: PROJECT });
  return plugin.ask("create", inputs);
}

function adoptedAs(name: string): PropertyMap {
  const __identity = identityFor(`urn:pulumi:dev::mugs::pulumi-nodejs:dynamic/landform:Project::${name}`);
  return { adoptId: "prj_1", description: LONG, context: LONG, __identity, __provider: PROJECT };
}

test("a second run goes on in the host of the first, with an environment and providers of its own", async () => {
  const waiting = await host();
  const [one, two] = [await emulator(), await emulator()];
  const first = new Plugin(waiting, keyOf(one));
  const port = await first.port;
  expect(await make(first, "First")).toMatchObject({ name: "First" });
  expect(await first.end()).toBe(0);
  const second = new Plugin(waiting, keyOf(two));
  expect(await second.port).toBe(port);
  await make(second, "Second");
  // Within a run, an object is one resource's.
  expect(await second.failures(adoptedAs("a"))).toEqual([]);
  expect(await second.failures(adoptedAs("b"))).toHaveLength(1);
  await second.end();
  const third = new Plugin(waiting, keyOf(two));
  expect(await third.port).toBe(port);
  expect(await third.failures(adoptedAs("b"))).toEqual([]);
  const made = [one, two].map((account) => account.records()["projects"]);
  expect(made).toMatchObject([[{ name: "First" }], [{ name: "Second" }]]);
});

test("code of a program's own gets a process of its own for each run", async () => {
  const waiting = await host();
  const first = new Plugin(waiting);
  expect(await first.ask("check", { __provider: COUNTER })).toMatchObject({ count: 1 });
  expect(await first.ask("check", { __provider: COUNTER })).toMatchObject({ count: 2 });
  await first.end();
  const second = new Plugin(waiting);
  expect(await second.ask("check", { __provider: COUNTER })).toMatchObject({ count: 1 });
});

test("two plugins at a time are two processes", async () => {
  const waiting = await host();
  const first = new Plugin(waiting);
  await first.ask("check", { __provider: COUNTER });
  const second = new Plugin(waiting);
  expect(await second.port).not.toBe(await first.port);
  expect(await second.ask("check", { __provider: COUNTER })).toMatchObject({ count: 1 });
  expect(await first.ask("check", { __provider: COUNTER })).toMatchObject({ count: 2 });
});

test("no line of the provider is lost, however soon Pulumi ends its plugin", async () => {
  const waiting = await host();
  const talks =
    'exports.handler=()=>({check:async(o,news)=>{for(let i=0;i<500;i++)process.stderr.write("line "+i+"\\n");return {inputs:news}}})';
  const plugin = new Plugin(waiting);
  await plugin.ask("check", { __provider: talks });
  await plugin.end();
  expect(plugin.printed.filter((line) => line.startsWith("line "))).toEqual(
    Array.from({ length: 500 }, (_, index) => `line ${index}`),
  );
});

test("a provider can wait until Pulumi has what it prints", async () => {
  const plugin = new Plugin(await host());
  const talks =
    'exports.handler=()=>({check:async(o,news)=>{await new Promise((passed)=>process.stderr.write("one\\u2028two\\ntold\\n",()=>passed()));return {inputs:news}}})';
  await plugin.ask("check", { __provider: talks });
  // Nothing but the pipe is between the two then.
  plugin.child.kill("SIGKILL");
  await plugin.ended;
  expect(plugin.printed).toContain("told");
});

test("a plugin without a host that waits serves by itself", async () => {
  const waiting = await host();
  waiting.stop();
  await expect.poll(() => waiting.isThere).toBe(false);
  for (const nowhere of [waiting, undefined]) {
    const plugin = new Plugin(nowhere);
    expect(await plugin.ask("check", { __provider: COUNTER })).toMatchObject({ count: 1 });
    expect(await plugin.end()).toBe("SIGINT");
    expect(plugin.printed).toEqual([]);
  }
});

test("the host's death is the plugin's, and the plugin's death is the host's", async () => {
  const dies = await host();
  const plugin = new Plugin(dies);
  await plugin.port;
  dies.stop();
  expect((await plugin.ended)[0]).toBe(1);

  const lives = await host();
  const killed = new Plugin(lives);
  await killed.port;
  killed.child.kill("SIGKILL");
  await expect.poll(() => lives.isThere, { timeout: 5_000 }).toBe(false);
});

test("a host goes on without its command until the run is over, and ends then", async () => {
  const scratch = mkdtempSync(join(tmpdir(), "landform-test-"));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const module = import.meta.resolve("../../stack/engines/pulumi/host/waiting.ts");
  const program = `import { WaitingHost } from ${JSON.stringify(module)};
    const { env } = WaitingHost.start(${JSON.stringify({ scratch, workDir, project: "mugs" })});
    console.log(JSON.stringify(env));`;
  const command = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void command.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: command.stdout }), "line")) as [string];
  const env = JSON.parse(line) as WaitingHost["env"];
  await isListening({ env });

  const account = await emulator();
  const plugin = new Plugin({ env }, keyOf(account));
  const port = await plugin.port;
  command.kill("SIGKILL");
  await once(command, "exit");
  // Other children look once a second if their command is there.
  await delay(1_500);
  await make(plugin, "Made after the kill");
  expect(account.records()["projects"]).toHaveLength(1);
  expect(await plugin.end()).toBe(0);
  await expect.poll(() => isServed(port), { timeout: 5_000 }).toBe(false);
});

function isServed(port: string): Promise<boolean> {
  const socket = connect(Number(port), "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
