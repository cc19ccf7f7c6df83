/** What a manifest takes from outside when no process runs it. */
import type { Diagnostic } from "../../../manifest/index.ts";
import type { Outside } from "../../../manifest/run/outside-values.ts";
import { LandformApi } from "../../../provider/api/index.ts";
import { lookupId } from "../../../provider/lookups/index.ts";
import { lookupConfig } from "../../../provider/pulumi/settings-in-force.ts";
import type { RunFacts } from "../../../provider/pulumi/run-facts.ts";

export interface Surroundings {
  /** What was found in the manifest, and is not wrong. */
  readonly warnings: readonly Diagnostic[];
  readonly env: NodeJS.ProcessEnv;
  readonly project: string;
  readonly stack: string;
  readonly config: { readonly values: Readonly<Record<string, string>>; readonly secretKeys: readonly string[] };
  /** What updates leave as it is, by type and id. */
  readonly steady?: RunFacts["steady"];
}

export function openOutside({ env, project, stack, config }: Surroundings): {
  outside: Outside;
  close: () => Promise<unknown>;
} {
  const clients = new Map<string, LandformApi>();
  const setting = (name: string): string | undefined => config.values[`landform:${name}`];
  const outside: Outside = {
    env,
    stack,
    config: (key) => {
      const full = key.includes(":") ? key : `${project}:${key}`;
      const value = config.values[full];
      return value === undefined ? undefined : { value, secret: config.secretKeys.includes(full) };
    },
    lookup: (what, name, account) => {
      const key = JSON.stringify(account ?? null);
      const client = clients.get(key) ?? new LandformApi(lookupConfig(env, setting, account));
      clients.set(key, client);
      return lookupId(what, client, { name });
    },
  };
  return { outside, close: () => Promise.all([...clients.values()].map((client) => client.close())) };
}
