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

/** The real engine's path, or nothing: then what needs it is skipped. `npm run get-pulumi` gets one. */
export const pulumiPath = findPulumi();

/** The dynamic provider's plugin, as Pulumi's own Node language host would bring it, run by this process' node. */
function writePlugin(folder: string): void {
  const script = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  const plugin = join(folder, "pulumi-resource-pulumi-nodejs");
  mkdirSync(folder);
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

/** The real engine: its CLI, driven through the Automation API in one child process for as long as this object lives. */
export class RealEngine implements TestEngine {
  readonly name = "pulumi";
  readonly #home = mkdtempSync(join(tmpdir(), "landform-pulumi-"));
  readonly #host = startHost(this.#home);
  readonly #waiting = new Map<number, (reply: HostReply) => void>();
  #requests = 0;

  constructor() {
    this.#host.on("message", (reply: HostReply) => {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.#host.once("exit", (code) => {
      for (const [id, settle] of this.#waiting)
        settle({ id, error: `the host process ended with code ${code ?? "?"}` });
      this.#waiting.clear();
    });
  }

  async open(sandbox: Sandbox): Promise<void> {
    await this.#ask({ open: sandbox, create: true, stack, passphrase });
  }

  async attach(sandbox: Sandbox): Promise<void> {
    await this.#ask({ open: sandbox, create: false, stack, passphrase });
  }

  async run(request: OperationRequest): Promise<OperationResult> {
    const result = await this.#ask({ run: request });
    if (!result) throw new Error("the host answered a run without its result");
    return result;
  }

  async close(): Promise<void> {
    if (this.#host.exitCode === null) {
      this.#host.kill();
      await once(this.#host, "exit");
    }
    rmSync(this.#home, { recursive: true, force: true });
  }

  async #ask(request: Unnumbered<HostRequest>): Promise<OperationResult | undefined> {
    const id = this.#requests++;
    const reply = await new Promise<HostReply>((settle) => {
      this.#waiting.set(id, settle);
      this.#host.send({ id, ...request });
    });
    if ("error" in reply) throw new Error(`${this.name}: ${reply.error}`);
    return reply.value;
  }
}
