/** The address of the API ends with its version. People leave that out. */
import { type ApiConfig, ForbiddenError, LandformApi, UnauthorizedError } from "../../provider/api/index.ts";

/** Says so if there is no API at the address of the settings, but one below it. */
export async function otherAddress(config: Pick<ApiConfig, "baseUrl" | "apiKey">): Promise<string | undefined> {
  const versioned = `${config.baseUrl}/v1`;
  if (/\/v\d+$/.test(config.baseUrl) || !(await answers({ ...config, baseUrl: versioned }))) return undefined;
  return `the API is at ${versioned}, not at ${config.baseUrl}. Set LANDFORM_BASE_URL (or landform:baseUrl) to ${versioned}`;
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
