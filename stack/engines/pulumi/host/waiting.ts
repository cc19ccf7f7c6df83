/** The host of dynamic providers that this command starts ahead. Pulumi gets it by its plugin (plugin.ts). */
import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isPlainSdk } from "../../../../engine/index.ts";
import { ownModule } from "../../../project/package.ts";
import { hostEnvironment } from "../../children.ts";
import { HOST_VARIABLE } from "./wire.ts";

/** A host answers for a thousand pages at once, and what it answers is soon forgotten. */
const NEW_OBJECTS_MB = 32;

export class WaitingHost {
  readonly env: Readonly<Record<string, string>>;
  readonly #child: ChildProcess;

  /** `workDir`: the folder in which Pulumi starts its plugins. */
  static start({ scratch, workDir, project }: HostPlace): WaitingHost | undefined {
    // Others than Linux and macOS start no script of a shell.
    return isPlainSdk() || process.platform === "win32" ? undefined : new WaitingHost({ scratch, workDir, project });
  }

  private constructor({ scratch, workDir, project }: HostPlace) {
    const socket = join(scratch, `host-${(hosts += 1)}.sock`);
    this.env = { [HOST_VARIABLE]: socket };
    this.#child = fork(ownModule("stack/engines/pulumi/host/process"), [socket, dynamicProviderIn(workDir)], {
      cwd: workDir,
      env: { ...process.env, ...hostEnvironment({}), PULUMI_NODEJS_PROJECT: project, PULUMI_PROJECT: project },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      // Ctrl-C goes to the group of the terminal. Pulumi ends its plugin instead.
      detached: true,
      execArgv: [`--max-semi-space-size=${NEW_OBJECTS_MB}`],
    });
    // Nobody misses a host that can't be started: the plugin serves by itself.
    this.#child.on("error", () => undefined);
  }

  get isThere(): boolean {
    return this.#child.connected;
  }

  /** Only after Pulumi's end: until then a call may be under way. */
  stop(): void {
    this.#child.kill("SIGKILL");
  }
}

interface HostPlace {
  readonly scratch: string;
  readonly workDir: string;
  readonly project: string;
}

let hosts = 0;

/** Returns the SDK's script: the project's own, as Pulumi takes it, or ours. */
export function dynamicProviderIn(workDir: string): string {
  const script = "@pulumi/pulumi/cmd/dynamic-provider/index.js";
  try {
    return createRequire(join(workDir, "program.js")).resolve(script);
  } catch {
    return createRequire(import.meta.url).resolve(script);
  }
}
