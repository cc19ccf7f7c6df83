/** The SDK's own host of dynamic providers, for providers made of a program's own functions. */
import { setTimeout as delay } from "node:timers/promises";
import { HostError } from "../errors.ts";
import { type Child, startNode } from "./child.ts";
import { type GrpcWire, grpcWire } from "./grpc-wire.ts";
import { dead, duration, lost, unanswered } from "./host-failures.ts";
import type { HostOptions, ProviderIdentity, Wire } from "./wire.ts";
import { childEnvironment, type Sdk } from "./sdk.ts";

const START_MS = 5 * 60_000;
const DEATH_MS = 10_000;

/** The host needs the address of an engine, and never calls it. */
const UNUSED_ENGINE_ADDRESS = "127.0.0.1:0";

/** Starts the host and configures it, because nobody may ask an unconfigured host. */
export async function startSdkHost(options: HostOptions, identity: ProviderIdentity): Promise<Wire> {
  const sdk = options.sdk();
  const port = Promise.withResolvers<number>();
  let announced = false;
  const child = startNode({
    script: sdk.providerHost,
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
  void child.exited.then(() => port.reject(dead(child)));
  const started = await Promise.race([port.promise, delay(START_MS, undefined, { ref: false })]);
  if (started === undefined) {
    await child.stop();
    throw new HostError(`the process that serves the dynamic providers did not start within ${duration(START_MS)}`);
  }
  const { configure, call, close } = connect(sdk, options, child, started);
  try {
    await configure(identity);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { call, close: () => close().then(() => child.stop()) };
}

function connect(sdk: Sdk, { patienceMs }: HostOptions, child: Child, port: number): GrpcWire {
  const { UNAVAILABLE, CANCELLED, DEADLINE_EXCEEDED, INTERNAL } = sdk.grpc().status;
  return grpcWire(sdk, {
    address: `127.0.0.1:${port}`,
    patienceMs,
    explain: async (error, call) => {
      if (error.code === DEADLINE_EXCEEDED) return unanswered(child, call);
      if (error.code === INTERNAL) return lost(call, error.details);
      if (error.code !== UNAVAILABLE && error.code !== CANCELLED) return undefined;
      // The connection breaks a moment before the end of the process is known.
      await Promise.race([child.exited, delay(DEATH_MS, undefined, { ref: false })]);
      return dead(child);
    },
  });
}
