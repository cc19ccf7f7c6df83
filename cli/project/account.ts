/** The account that a command without an operation speaks to: that of the environment, else that of the stack. */
import { LandformApi, resolveConfig } from "../../provider/api/index.ts";
import type { StackOptions } from "../options.ts";
import { openStack } from "./open.ts";
import { readableSecrets } from "./secrets.ts";

export async function withAccount<T>(options: StackOptions, work: (api: LandformApi) => Promise<T>): Promise<T> {
  const api = new LandformApi(resolveConfig(process.env, await stackSettings(options)));
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}

/** What the stack's configuration says, where there is a project. */
export async function stackSettings({ C, stack }: StackOptions): Promise<Record<string, unknown>> {
  const folder = await openStack(C, stack).catch(() => undefined);
  const keys = folder?.config.keys().filter((key) => key.startsWith("landform:")) ?? [];
  if (folder === undefined || keys.length === 0) return {};
  // What only Pulumi can decrypt is for the environment to say.
  const secrets = await readableSecrets(folder);
  const open = (key: string) => secrets !== undefined || typeof folder.config.record()[key] === "string";
  return Object.fromEntries(
    keys.filter(open).map((key) => [key.slice("landform:".length), folder.config.get(key, secrets)]),
  );
}
