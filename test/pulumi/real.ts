import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPulumi } from "../../scripts/get-pulumi.ts";
import type { OperationRequest, OperationResult, TestEngine } from "./engine.ts";
import type { HostReply, HostRequest } from "./real-host.ts";
import { passphrase, stack, type Sandbox } from "./sandbox.ts";

type Unnumbered<T> = T extends unknown ? Omit<T, "id"> : never;

const hostModule = fileURLToPath(new URL("real-host.ts", import.meta.url));

/** The path of the real engine, or undefined: then tests that need it are skipped. `npm run get-pulumi` gets one. */
export const pulumiPath = findPulumi();

/** Writes the dynamic provider's plugin, which Pulumi's own Node language host would bring. This process' node runs it. */
export function writePlugin(folder: string): void {
  const script = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  const plugin = join(folder, "pulumi-resource-pulumi-nodejs");
  mkdirSync(folder, { recursive: true });
  writeFileSync(plugin, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  chmodSync(plugin, 0o755);
}

function startHost(home: string): ChildProcess {
  const plugins = join(home, "plugins-on-path");
  writePlugin(plugins);
  const path = [plugins, dirname(pulumiPath ?? ""), process.env.PATH ?? ""].join(delimiter);
  return fork(hostModule, {
    execPath: process.execPath,
    execArgv: [],
    env: {
      ...process.env,
      PATH: path,
      PULUMI_HOME: join(home, "pulumi"),
      PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "true",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    },
  });
}

/** A child process in which the Automation API drives the CLI, with the open stacks. */
class Host {
  readonly opened = new Set<string>();
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (reply: HostReply) => void>();
  #requests = 0;

  constructor(home: string) {
    this.#process = startHost(home);
    this.#process.on("message", (reply: HostReply) => {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.#process.once("exit", (code) => {
      for (const [id, settle] of this.#waiting)
        settle({ id, error: `the host process ended with code ${code ?? "?"}` });
      this.#waiting.clear();
    });
  }

  async ask(request: Unnumbered<HostRequest>): Promise<OperationResult | undefined> {
    const id = this.#requests++;
    const reply = await new Promise<HostReply>((settle) => {
      this.#waiting.set(id, settle);
      this.#process.send({ id, ...request });
    });
    if ("error" in reply) throw new Error(`pulumi: ${reply.error}`);
    return reply.value;
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.kill();
    await once(this.#process, "exit");
  }
}

/** The real engine: its CLI, driven through the Automation API. */
export class RealEngine implements TestEngine {
  readonly name = "pulumi";
  readonly #home = mkdtempSync(join(tmpdir(), "landform-pulumi-"));
  #host: Host | undefined;

  open(sandbox: Sandbox): Promise<void> {
    return this.#open(sandbox, true);
  }

  attach(sandbox: Sandbox): Promise<void> {
    return this.#open(sandbox, false);
  }

  async run(request: OperationRequest): Promise<OperationResult> {
    const { sandbox } = request;
    if (this.#host?.opened.has(sandbox.root) !== true) await this.attach(sandbox);
    const result = await this.#host?.ask({ run: request });
    if (!result) throw new Error("the host answered a run without its result");
    // The program of a failed operation never ends in its process, and must not be there for the next one.
    if (result.result === "failed") await this.#endHost();
    return result;
  }

  async close(): Promise<void> {
    await this.#endHost();
    rmSync(this.#home, { recursive: true, force: true });
  }

  async #open(sandbox: Sandbox, create: boolean): Promise<void> {
    this.#host ??= new Host(this.#home);
    await this.#host.ask({ open: sandbox, create, stack, passphrase });
    this.#host.opened.add(sandbox.root);
  }

  async #endHost(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    await host?.close();
  }
}
