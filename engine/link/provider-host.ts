/** Serves the providers of one provider resource, in processes that start when they are needed. Tests without processes replace this module. */
import type { Json } from "../model/types.ts";
import { isObject } from "../model/values.ts";
import { LightProcess } from "./light-process.ts";
import { createProviderClient, type ProviderClient } from "./provider-client.ts";
import { startSdkHost } from "./sdk-host.ts";
import { type HostOptions, moduleReference, type ProviderIdentity, type Wire } from "./wire.ts";

export interface ProviderHost {
  readonly client: ProviderClient;
  close(): Promise<void>;
}

/** Starts a light host for the first provider that needs one. It loads the likely modules while the program loads. */
export function beginHost(options: HostOptions): LightProcess | undefined {
  const { modules = [] } = options;
  return modules.length === 0 ? undefined : new LightProcess(options, modules);
}

export function startHost(options: HostOptions, identity: ProviderIdentity, waiting?: LightProcess): ProviderHost {
  let light: LightProcess | undefined;
  let sdk: Promise<Wire> | undefined;
  const lightHost = (): LightProcess => {
    if (light === undefined) {
      light = waiting ?? new LightProcess(options);
      light.configure(identity);
    }
    return light;
  };
  const sdkHost = (): Promise<Wire> => (sdk ??= startSdkHost(options, identity));
  const client = createProviderClient({
    call: async (method, urn, asked) => {
      const maps = Object.values<Json>({ ...asked }).filter(isObject);
      const isExport = maps.some((map) => moduleReference(map["__provider"]) !== undefined);
      const wire = isExport ? lightHost() : await sdkHost();
      return wire.call(method, urn, asked);
    },
  });
  return {
    client,
    close: async () => {
      const started = await sdk?.catch(() => undefined);
      await Promise.all([light?.close(), started?.close()]);
    },
  };
}
