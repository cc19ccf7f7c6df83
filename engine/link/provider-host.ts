/**
 * What serves the dynamic providers of one provider resource: the light host those that are exports of modules, the SDK's
 * own host those that a program serialized. Each is a process that is started when something first needs it.
 */
import { type HostOptions, moduleReference, propertiesOf, type ProviderIdentity, type Wire } from "./wire.ts";
import { LightProcess } from "./light-process.ts";
import { createProviderClient, type ProviderClient } from "./provider-client.ts";
import { startSdkHost } from "./sdk-host.ts";

export interface ProviderHost {
  readonly client: ProviderClient;
  close(): Promise<void>;
}

/** A light host for whoever needs one first, which loads what is likely to be wanted while the program does. */
export function beginHost(options: HostOptions): LightProcess | undefined {
  const { modules = [] } = options;
  return modules.length === 0 ? undefined : new LightProcess(options, modules);
}

/** `waiting`: one that was begun. */
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
      const texts = propertiesOf(asked).map((map) => map["__provider"]);
      const wire = texts.some((text) => moduleReference(text) !== undefined) ? lightHost() : await sdkHost();
      return wire.call(method, urn, asked);
    },
    close: () => Promise.resolve(),
  });
  return {
    client,
    close: async () => {
      const started = await sdk?.catch(() => undefined);
      await Promise.all([light?.close(), started?.close()]);
    },
  };
}
