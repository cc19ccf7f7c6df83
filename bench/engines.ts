/** Both engines behind one face for the benchmark. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { OperationRequest } from "../test/pulumi/engine.ts";
import { RealEngine } from "../test/pulumi/real.ts";
import type { Sandbox } from "../test/pulumi/sandbox.ts";
import type { BenchReply, BenchRequest } from "./embedded-host.ts";

export interface BenchEngine {
  readonly name: string;
  open(sandbox: Sandbox): Promise<void>;
  /** Between two runs, and not measured. */
  renew(): Promise<void>;
  run(request: OperationRequest): Promise<void>;
  /** Highest resident memory of the engine's process, where it can be told. */
  peakMegabytes(): number | undefined;
  close(): Promise<void>;
}

export class EmbeddedInChild implements BenchEngine {
  readonly name = "embedded";
  #child = newChild();
  #peak = 0;

  open(sandbox: Sandbox): Promise<void> {
    return this.#ask({ open: sandbox });
  }

  /** Each run has a process of its own, as on the command line. */
  async renew(): Promise<void> {
    await this.close();
    this.#child = newChild();
  }

  run(request: OperationRequest): Promise<void> {
    return this.#ask({ run: request });
  }

  peakMegabytes(): number {
    return this.#peak;
  }

  async close(): Promise<void> {
    this.#child.disconnect();
    await once(this.#child, "exit");
  }

  async #ask(request: BenchRequest): Promise<void> {
    this.#child.send(request);
    const [reply] = (await once(this.#child, "message")) as [BenchReply];
    this.#peak = Math.max(this.#peak, reply.peakMegabytes);
    if (reply.error !== undefined) throw new Error(reply.error);
  }
}

function newChild(): ChildProcess {
  return fork(fileURLToPath(new URL("embedded-host.ts", import.meta.url)));
}

export class RealPulumi implements BenchEngine {
  readonly name = "pulumi";
  readonly #engine = new RealEngine();

  open(sandbox: Sandbox): Promise<void> {
    return this.#engine.open(sandbox);
  }

  renew(): Promise<void> {
    return Promise.resolve();
  }

  async run(request: OperationRequest): Promise<void> {
    const { result, output } = await this.#engine.run(request);
    if (result !== "succeeded") throw new Error(output);
  }

  peakMegabytes(): undefined {
    return undefined;
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
