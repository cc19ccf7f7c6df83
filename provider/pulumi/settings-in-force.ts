/** The settings for a provider: variables, then stack configuration. A program's own provider (`Account`) names its key's variable. */
import {
  accountConfig,
  ConfigurationError,
  resolveConfig,
  type ApiConfig,
  type CheckedConfig,
  type StackConfig,
} from "../api/index.ts";
import type { ForeignEditsPolicy } from "../messages/foreign-edits.ts";
import { yesOrNo } from "../api/config.ts";
import { DEFAULT_WAIT_MS } from "../seen/look.ts";

/** A setting of the stack, or of the provider. */
export type Get = (key: string) => unknown;

export function configInForce(get: Get, env: NodeJS.ProcessEnv): CheckedConfig {
  const stack = stackConfig((setting) => get(`landform:${setting}`));
  const keyVariable = get("landform:apiKeyEnv");
  if (typeof keyVariable !== "string") return resolveConfig(env, stack);
  return accountConfig(env, keyVariable, stack);
}

const SETTINGS = ["baseUrl", "apiKey", "timeoutMs", "maxConcurrency", "requestsPerSecond"];

/** `setting` reads the stack's configuration, by the name below `landform:`. */
function stackConfig(setting: Get): StackConfig {
  return Object.fromEntries(SETTINGS.map((name) => [name, setting(name)]));
}

/** Returns the stack's decision about drafts of others. */
export function foreignEditsInForce(get: Get, env: NodeJS.ProcessEnv): ForeignEditsPolicy | undefined {
  const { named, value } = said("LANDFORM_FOREIGN_EDITS", "landform:foreignEdits", get, env);
  if (value === undefined || value === "hold" || value === "include") return value;
  throw new ConfigurationError(named, "is neither hold nor include", "Set it to one of the two.");
}

/** The setting for looks at publications. `strict`: a publication that is not seen fails the command. */
export type VerifyWord = "true" | "strict";

export function isVerifySaid(get: Get, env: NodeJS.ProcessEnv): boolean {
  return said("LANDFORM_VERIFY", "landform:verify", get, env).value !== undefined;
}

export function verifyInForce(get: Get, env: NodeJS.ProcessEnv): VerifyWord | undefined {
  const { named, value } = said("LANDFORM_VERIFY", "landform:verify", get, env);
  if (value === "strict") return value;
  const isYes = yesOrNo(value);
  if (isYes !== undefined) return isYes ? "true" : undefined;
  throw new ConfigurationError(named, "is not true, false or strict", "Set it to one of them.");
}

export function verifyWaitInForce(get: Get, env: NodeJS.ProcessEnv): number {
  const { named, value = DEFAULT_WAIT_MS } = said("LANDFORM_VERIFY_WAIT_MS", "landform:verifyWaitMs", get, env);
  const number = Number(value);
  if (Number.isFinite(number) && number >= 0) return number;
  const remedy = "Set it to milliseconds, such as 60000.";
  throw new ConfigurationError(named, "is not a number that Landform can use", remedy);
}

/** Returns the setting and the name of its place: the variable goes before the stack. */
function said(variable: string, key: string, get: Get, env: NodeJS.ProcessEnv): { named: string; value: unknown } {
  const ofRun = env[variable] || undefined;
  const value = ofRun ?? get(key) ?? undefined;
  return { named: ofRun === undefined ? key : variable, value: value === "" ? undefined : value };
}

/** The account that a lookup asks: the program's own (environment, then stack configuration), or another one. */
export interface LookupAccount extends Omit<ApiConfig, "apiKey" | "maxResponseBytes"> {
  readonly apiKeyEnv: string;
}

export function lookupConfig(
  env: NodeJS.ProcessEnv,
  setting: (name: string) => string | undefined,
  account: LookupAccount | undefined,
): ApiConfig {
  if (account === undefined) return resolveConfig(env, stackConfig(setting));
  const { apiKeyEnv, ...settings } = account;
  return accountConfig(env, apiKeyEnv, settings);
}
