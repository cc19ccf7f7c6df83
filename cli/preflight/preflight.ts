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
import type { Change, Failure } from "../report/model.ts";
import { foreseen, missingReferences, renamedInPlace } from "./checks.ts";

export interface Preflight {
  failures: Failure[];
  warnings: string[];
}

export async function preflight(options: StackOptions, changes: readonly Change[]): Promise<Preflight> {
  const warnings = renamedInPlace(changes);
  const config = resolveConfig(process.env, await stackSettings(options));
  const api = new LandformApi(config);
  try {
    const refused = await refusalOfKey(api, config);
    if (refused !== undefined) return { failures: [{ cause: "program", message: refused }], warnings };
    const found = await Promise.all([missingReferences(api, changes), foreseen(api, changes)]);
    return { failures: found.flat(), warnings };
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return { failures: [], warnings: [...warnings, `the account could not be asked whether this can work: ${reason}`] };
  } finally {
    await api.close();
  }
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
