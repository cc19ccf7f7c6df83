/** The account that a command without an operation speaks to: that of the environment, else that of the stack. */
import { ConfigurationError, LandformApi, resolveConfig, type CheckedConfig } from "../../provider/api/index.ts";
import type { StackOptions } from "../options.ts";
import { openStack } from "./open.ts";
import { NO_SETTINGS, settingsOf, type StackSettings } from "./settings.ts";

export async function withAccount<T>(options: StackOptions, work: (api: LandformApi) => Promise<T>): Promise<T> {
  const api = new LandformApi(await accountOf(options));
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}

/** The client's settings of the environment, and of the stack where there is a project. */
export async function accountOf(options: StackOptions): Promise<CheckedConfig> {
  return configWith(await stackSettings(options));
}

/** What the stack's configuration says, where there is a project. */
export async function stackSettings({ C, stack }: StackOptions): Promise<StackSettings> {
  const folder = await openStack(C, stack).catch(() => undefined);
  return folder === undefined ? NO_SETTINGS : settingsOf(folder);
}

/** A setting that is missing because nobody here can decrypt it is told as that. */
export function configWith({ values, unreadable }: StackSettings): CheckedConfig {
  try {
    return resolveConfig(process.env, values);
  } catch (error) {
    const [key] = unreadable;
    if (key === undefined || !(error instanceof ConfigurationError)) throw error;
    throw new UnreadableSettingError(key);
  }
}

/** A secret of the stack that Pulumi alone can decrypt, and Pulumi is not here, or can't either. */
export class UnreadableSettingError extends ConfigurationError {
  constructor(key: string) {
    super(
      key,
      "is a secret that only Pulumi can decrypt, and it could not be asked",
      "Make `pulumi config` work for this stack, or set the variable of that setting (LANDFORM_API_KEY for the key).",
    );
  }
}
