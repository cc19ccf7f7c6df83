/** How the account is reached that a lookup asks: the program's own (environment, then stack configuration), or another. */
import { accountConfig, resolveConfig, type ApiConfig } from "../api/index.ts";

export interface LookupAccount {
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
  readonly timeoutMs?: number;
  readonly maxConcurrency?: number;
  readonly requestsPerSecond?: number;
}

const SETTINGS = ["baseUrl", "apiKey", "timeoutMs", "maxConcurrency", "requestsPerSecond"];

/** `setting`: of the stack's configuration, by its name below `landform:`. */
export function lookupConfig(
  env: NodeJS.ProcessEnv,
  setting: (name: string) => string | undefined,
  account: LookupAccount | undefined,
): ApiConfig {
  if (account === undefined)
    return resolveConfig(env, Object.fromEntries(SETTINGS.map((name) => [name, setting(name)])));
  const { apiKeyEnv, ...settings } = account;
  return accountConfig(env, apiKeyEnv, settings);
}
