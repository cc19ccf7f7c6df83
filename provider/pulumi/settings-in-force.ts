/**
 * The client's settings for a provider: variables of the environment first, stack configuration second. A provider of its
 * own (`Account`) names the variable of its key, and goes before both.
 */
import { ConfigurationError, resolveConfig, type ApiConfig, type StackConfig } from "../api/index.ts";
import type { ForeignEditsWord } from "../foreign-edits.ts";

/** A setting of the stack, or of the provider. */
export type Get = (key: string) => unknown;

export function configInForce(get: Get, env: NodeJS.ProcessEnv): ApiConfig {
  const stack = stackConfig(get);
  const keyVariable = get("landform:apiKeyEnv");
  if (typeof keyVariable !== "string") return resolveConfig(env, stack);
  return resolveConfig({ LANDFORM_API_KEY: env[keyVariable] }, { ...stack, apiKey: undefined });
}

function stackConfig(get: Get): StackConfig {
  return {
    baseUrl: get("landform:baseUrl"),
    apiKey: get("landform:apiKey"),
    timeoutMs: get("landform:timeoutMs"),
    maxConcurrency: get("landform:maxConcurrency"),
    requestsPerSecond: get("landform:requestsPerSecond"),
  };
}

/** What the stack says about drafts of others. */
export function foreignEditsInForce(get: Get, env: NodeJS.ProcessEnv): ForeignEditsWord | undefined {
  return (
    foreignEditsWord("LANDFORM_FOREIGN_EDITS", env["LANDFORM_FOREIGN_EDITS"]) ??
    foreignEditsWord("landform:foreignEdits", get("landform:foreignEdits"))
  );
}

function foreignEditsWord(name: string, value: unknown): ForeignEditsWord | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (value === "hold" || value === "include") return value;
  throw new ConfigurationError(name, "is neither hold nor include", "Set it to one of the two.");
}
