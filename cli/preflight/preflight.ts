/** Before anything is sent: whether the account answers, whether it takes the key, and whether the plan can work at all. */
import {
  ConfigurationError,
  ForbiddenError,
  LandformApi,
  MalformedResponseError,
  NotFoundError,
  UnauthorizedError,
  type ApiConfig,
  type CheckedConfig,
} from "../../provider/api/index.ts";
import { configWith, UnreadableSettingError } from "../project/account.ts";
import type { StackSettings } from "../project/settings.ts";
import type { Failure } from "../report/model.ts";
import {
  foreseen,
  foreseenDeletions,
  goneObjects,
  missingReferences,
  renamedInPlace,
  type PlannedChanges,
} from "./checks.ts";
import { ask, askByReading, lacking } from "./scopes.ts";

export interface Preflight {
  failures: Failure[];
  warnings: string[];
  /** Scopes that nothing has proven. */
  unproven: string[];
  /** URNs of what the plan deletes, and the API can't delete as things stand. */
  staying: string[];
}

export async function preflight(
  settings: StackSettings,
  planned: PlannedChanges,
  scopes: readonly string[],
): Promise<Preflight> {
  const warnings = renamedInPlace(planned.changes);
  try {
    return { warnings, ...(await asked(configFor(settings), planned, scopes)) };
  } catch (error) {
    if (error instanceof ConfigurationError && !(error instanceof UnreadableSettingError)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    warnings.push(`the account could not be asked whether this can work: ${reason}`);
    return { failures: [], warnings, unproven: [...scopes], staying: [] };
  }
}

async function asked(
  config: CheckedConfig,
  planned: PlannedChanges,
  scopes: readonly string[],
): Promise<Omit<Preflight, "warnings">> {
  const api = new LandformApi(config);
  try {
    const refused = await refusalOfKey(api, config);
    if (refused !== undefined) return { failures: [failed(refused)], unproven: [...scopes], staying: [] };
    const byReading = await askByReading(api, scopes);
    const { unproven } = byReading;
    if (byReading.refused.length > 0) return { failures: [failed(lacking(byReading.refused))], unproven, staying: [] };
    const { changes } = planned;
    const [missing, gone, others, deletions] = await Promise.all([
      missingReferences(api, changes),
      goneObjects(api, changes),
      foreseen(api, planned),
      foreseenDeletions(api, changes),
    ]);
    return { failures: [...missing, ...gone, ...others, ...deletions.failures], unproven, staying: deletions.staying };
  } finally {
    await api.close();
  }
}

/** Those of the scopes that the key lacks, asked by calls that change nothing. None can be asked with a key that can't be read. */
export async function lackingScopes(settings: StackSettings, scopes: readonly string[]): Promise<string[]> {
  if (settings.unreadable.length > 0) return [];
  const api = new LandformApi(configFor(settings));
  try {
    return (await ask(api, scopes)).refused;
  } finally {
    await api.close();
  }
}

/** A look must not keep anybody waiting as long as a write may. */
const TIMEOUT_MS = 15_000;

function configFor(settings: StackSettings): CheckedConfig {
  const config = configWith(settings);
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
