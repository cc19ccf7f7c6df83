import type { Events } from "../events.ts";
import type { WaitingProcesses } from "../request.ts";
import type { Sdk } from "./sdk.ts";

/** What a process that serves providers is started with. */
export interface HostOptions {
  sdk: () => Sdk;
  /** The folder of the program: providers are resolved from there. */
  cwd: string;
  project: string;
  env: NodeJS.ProcessEnv;
  events: Events;
  /** Milliseconds in which a call has to be answered. */
  patienceMs?: number | undefined;
  spares?: WaitingProcesses | undefined;
  /** Modules whose exports are likely to be wanted as providers. */
  modules?: readonly string[] | undefined;
}
