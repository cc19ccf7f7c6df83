import { setTimeout as delay } from "node:timers/promises";
import { HostError } from "../errors.ts";
import type { Events } from "../events.ts";
import type { PropertyMap } from "../model/types.ts";
import { nameOf, shortType, typeOf } from "../model/urn.ts";
import { reveal } from "../model/values.ts";
import { type Child, startNode } from "./child.ts";
import { type CallPlace, createProviderClient, type ProviderClient } from "./provider-client.ts";
import { childEnvironment, type Sdk, toStruct } from "./sdk.ts";
import type { WaitingProcesses } from "../request.ts";

/** The process that serves the dynamic providers of one provider resource. */
export interface ProviderHost {
  readonly client: ProviderClient;
  close(): Promise<void>;
}

export interface HostOptions {
  sdk: Sdk;
  /** The folder of the program: providers are resolved from there. */
  cwd: string;
  project: string;
  env: NodeJS.ProcessEnv;
  events: Events;
  /** Milliseconds in which a call has to be answered. */
  patienceMs?: number;
  spares?: WaitingProcesses | undefined;
}

/** No call of ours takes as long; a provider that never answers must not hold a run for ever. */
const PATIENCE_MS = 30 * 60_000;
const START_MS = 5 * 60_000;

/** What Configure is told: the provider's own URN and id, and its inputs. */
export interface ProviderIdentity {
  urn: string;
  id: string;
  inputs: PropertyMap;
}

/** The host insists on being given the address of an engine, and never calls it. */
const UNUSED_ENGINE_ADDRESS = "127.0.0.1:0";

/** Starts the host and configures it. Nothing may be asked of a host that was not configured. */
export async function startHost(options: HostOptions, identity: ProviderIdentity): Promise<ProviderHost> {
  const port = Promise.withResolvers<number>();
  let announced = false;
  const child = startNode({
    script: options.sdk.providerHost,
    args: [UNUSED_ENGINE_ADDRESS],
    bound: true,
    spares: options.spares,
    cwd: options.cwd,
    env: childEnvironment({ ...options.env, PULUMI_NODEJS_PROJECT: options.project, PULUMI_PROJECT: options.project }),
    onLine: (line, stream) => {
      if (announced || stream === "stderr" || !/^\d+$/.test(line)) {
        options.events.printed(line, stream);
        return;
      }
      announced = true;
      port.resolve(Number(line));
    },
  });
  void child.exited.then(() => port.reject(new HostError(describeDeath(child))));
  const started = await Promise.race([port.promise, delay(START_MS, undefined, { ref: false })]);
  if (started === undefined) {
    await child.stop();
    throw new HostError(`the process that serves the dynamic providers did not start within ${duration(START_MS)}`);
  }
  const client = connect(options, child, started);
  try {
    await configure(options.sdk, client, identity);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return {
    client,
    close: async () => {
      client.close();
      await child.stop();
    },
  };
}

function connect({ sdk, patienceMs = PATIENCE_MS }: HostOptions, child: Child, port: number): ProviderClient {
  const { UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED, INTERNAL } = sdk.grpc.status;
  return createProviderClient(sdk, {
    address: `127.0.0.1:${port}`,
    patienceMs,
    explain: async (error, call) => {
      if (error.code === DEADLINE_EXCEEDED) return unanswered(child, call);
      // The provider's own errors have another code: this one is the host's, which could not send its answer.
      if (error.code === INTERNAL) return new HostError(`${named(call)}: the answer was lost: ${error.details}`, call);
      if (error.code !== UNAVAILABLE && error.code !== CANCELLED) return undefined;
      // The connection breaks a moment before the end of the process is known.
      await Promise.race([child.exited, delay(DEATH_MS, undefined, { ref: false })]);
      return new HostError(describeDeath(child));
    },
  });
}

const DEATH_MS = 10_000;

function unanswered(child: Child, call: CallPlace): HostError {
  const lines = child.lastLines();
  const tail = lines.length === 0 ? "" : `; the last that its process wrote:\n${lines.join("\n")}`;
  return new HostError(
    `${named(call)}: the provider did not answer within ${duration(call.patienceMs)}, and whether the call took effect is not known. Run it again: the next run looks into it${tail}`,
    call,
  );
}

function named({ method, urn }: CallPlace): string {
  return `${method} of ${shortType(typeOf(urn))} "${nameOf(urn)}"`;
}

function duration(ms: number): string {
  return ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.ceil(ms / 1000)} s`;
}

async function configure(sdk: Sdk, client: ProviderClient, identity: ProviderIdentity): Promise<void> {
  const request = new sdk.provider.ConfigureRequest();
  request.setUrn(identity.urn);
  request.setId(identity.id);
  request.setArgs(toStruct(sdk, identity.inputs));
  request.setAcceptsecrets(true);
  request.setAcceptresources(true);
  for (const [key, value] of Object.entries(identity.inputs)) {
    const plain = reveal(value);
    const text = typeof plain === "string" ? plain : JSON.stringify(plain);
    request.getVariablesMap().set(`pulumi-nodejs:config:${key}`, text);
  }
  await client.configure(request);
}

function describeDeath(child: Child): string {
  const lines = child.lastLines();
  const tail = lines.length === 0 ? " and wrote nothing" : `; the last it wrote:\n${lines.join("\n")}`;
  return `the process that serves the dynamic providers ended unexpectedly${tail}`;
}
