import type { ServiceError } from "@grpc/grpc-js";
import { HostError } from "../errors.ts";
import type { Events } from "../events.ts";
import type { PropertyMap } from "../model/types.ts";
import { reveal } from "../model/values.ts";
import { type Child, startNode } from "./child.ts";
import { createProviderClient, type ProviderClient } from "./provider-client.ts";
import { childEnvironment, type Sdk, toStruct } from "./sdk.ts";

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
}

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
  const client = connect(options, child, await port.promise);
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

function connect({ sdk }: HostOptions, child: Child, port: number): ProviderClient {
  return createProviderClient(sdk, `127.0.0.1:${port}`, async (error: ServiceError) => {
    // The connection breaks a moment before the end of the process is known.
    if (error.code !== sdk.grpc.status.UNAVAILABLE && error.code !== sdk.grpc.status.CANCELLED) return undefined;
    await child.exited;
    return new HostError(describeDeath(child));
  });
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
