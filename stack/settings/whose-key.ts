/** Asks whose key it is. */
import {
  ApiError,
  ForbiddenError,
  LandformApi,
  MalformedResponseError,
  NotFoundError,
  UnauthorizedError,
  type ApiConfig,
  type CheckedConfig,
} from "../../provider/api/index.ts";
import { UnknownAccountError, WrongAccountError } from "../../provider/messages/errors.ts";
import { configWith, type StackSettings } from "./settings.ts";

/** The name of the environment's account in `accounts`. */
export const ENVIRONMENT = "";

/** Nobody should wait as long for a look as for a write. */
export const TIMEOUT_MS = 15_000;

/** Returns the account of the environment's key, and the variable that holds the key. Returns undefined where nobody can tell. */
export async function accountOfKey(settings: StackSettings): Promise<{ id: string; variable: string } | undefined> {
  const mine = async (api: LandformApi) => ({ id: (await api.account.me()).id, variable: api.keyVariable });
  return asking(configWith(settings), mine).catch(toldByThePlan);
}

/** Returns the reason why the environment's key doesn't belong to that account. Returns undefined if it does, or if the service can't be asked. */
export async function whyNotOf(account: string, settings: StackSettings): Promise<string | undefined> {
  const config = configWith(settings);
  const whose = async (api: LandformApi) => (await api.account.me()).id;
  return asking(config, async (api) => (await lookAtKey(() => whose(api), api, config, account)).refused).catch(
    toldByThePlan,
  );
}

function toldByThePlan(error: unknown): undefined {
  if (!(error instanceof ApiError)) throw error;
}

export async function asking<Answer>(
  config: CheckedConfig,
  work: (api: LandformApi) => Promise<Answer>,
): Promise<Answer> {
  const api = new LandformApi({ ...config, timeoutMs: Math.min(config.timeoutMs, TIMEOUT_MS) });
  try {
    return await work(api);
  } finally {
    await api.close();
  }
}

interface Key {
  /** Why the key or the address can't be right. Undefined where nothing speaks against them. */
  readonly refused?: string;
  readonly id?: string;
}

/** `whose`: throws a ForbiddenError, or returns undefined, if the key may not ask. */
export async function lookAtKey(
  whose: () => Promise<string | undefined>,
  api: LandformApi,
  config: Pick<ApiConfig, "baseUrl" | "apiKey">,
  recorded: string | undefined,
): Promise<Key> {
  try {
    const id = await whose();
    if (id === undefined) return unknownKey(api, recorded);
    const isOther = recorded !== undefined && id !== recorded;
    return isOther ? { id, refused: new WrongAccountError(recorded, id, api.keyVariable).message } : { id };
  } catch (error) {
    if (error instanceof ForbiddenError) return unknownKey(api, recorded);
    if (error instanceof UnauthorizedError) return { refused: error.message };
    const wrongPlace = error instanceof NotFoundError || error instanceof MalformedResponseError;
    if (!wrongPlace) throw error;
    const refused = await otherAddress(config);
    if (refused !== undefined) return { refused };
    throw error;
  }
}

function unknownKey({ keyVariable }: LandformApi, recorded: string | undefined): Key {
  return recorded === undefined ? {} : { refused: new UnknownAccountError(recorded, keyVariable).message };
}

/** The address of the API ends with its version. People leave that out, and then this says so. */
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
