/** Before anything is sent: whether the account answers, whether it takes the key, and whether the plan can work at all. */
import {
  ConfigurationError,
  ForbiddenError,
  LandformApi,
  MalformedResponseError,
  NotFoundError,
  resolveConfig,
  UnauthorizedError,
  type ApiConfig,
} from "../../provider/api/index.ts";
import type { StackOptions } from "../options.ts";
import { stackSettings } from "../project/account.ts";
import type { Failure } from "../report/model.ts";
import { foreseen, missingReferences, renamedInPlace, type PlannedChanges } from "./checks.ts";
import { ask, askByReading, lacking } from "./scopes.ts";

export interface Preflight {
  failures: Failure[];
  warnings: string[];
  /** Scopes that nothing has proven. */
  unproven: string[];
}

export async function preflight(
  options: StackOptions,
  planned: PlannedChanges,
  scopes: readonly string[],
): Promise<Preflight> {
  const { changes } = planned;
  const warnings = renamedInPlace(changes);
  const config = await settingsFor(options);
  const api = new LandformApi(config);
  try {
    const refused = await refusalOfKey(api, config);
    if (refused !== undefined) return { failures: [failed(refused)], warnings, unproven: [...scopes] };
    const asked = await askByReading(api, scopes);
    if (asked.refused.length > 0) {
      return { failures: [failed(lacking(asked.refused))], warnings, unproven: asked.unproven };
    }
    const found = await Promise.all([missingReferences(api, changes), foreseen(api, planned)]);
    return { failures: found.flat(), warnings, unproven: asked.unproven };
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(`the account could not be asked whether this can work: ${reason}`);
    return { failures: [], warnings, unproven: [...scopes] };
  } finally {
    await api.close();
  }
}

/** Those of the scopes that the key lacks, asked by calls that can't change anything. */
export async function lackingScopes(options: StackOptions, scopes: readonly string[]): Promise<string[]> {
  const api = new LandformApi(await settingsFor(options));
  try {
    return (await ask(api, scopes)).refused;
  } finally {
    await api.close();
  }
}

/** A look must not keep anybody waiting as long as a write may. */
const TIMEOUT_MS = 15_000;

async function settingsFor(options: StackOptions): Promise<ApiConfig> {
  const config = resolveConfig(process.env, await stackSettings(options));
  return { ...config, timeoutMs: Math.min(config.timeoutMs, TIMEOUT_MS) };
}

function failed(message: string): Failure {
  return { cause: "program", message };
}

/** Why the key or the address can't be right; undefined where they are, or where the key may not ask. */
async function refusalOfKey(
  api: LandformApi,
  config: Pick<ApiConfig, "baseUrl" | "apiKey">,
): Promise<string | undefined> {
  try {
    await api.account.me();
    return undefined;
  } catch (error) {
    if (error instanceof ForbiddenError) return undefined;
    if (error instanceof UnauthorizedError) return error.message;
    const wrongPlace = error instanceof NotFoundError || error instanceof MalformedResponseError;
    if (!wrongPlace) throw error;
    const versioned = `${config.baseUrl}/v1`;
    if (!/\/v\d+$/.test(config.baseUrl) && (await answers({ ...config, baseUrl: versioned }))) {
      return `there is no API at ${config.baseUrl}, and there is one at ${versioned}. Set LANDFORM_BASE_URL (or landform:baseUrl) to that`;
    }
    throw error;
  }
}

async function answers(config: ApiConfig): Promise<boolean> {
  const api = new LandformApi(config);
  try {
    await api.account.me();
    return true;
  } catch (error) {
    return error instanceof ForbiddenError || error instanceof UnauthorizedError;
  } finally {
    await api.close();
  }
}
