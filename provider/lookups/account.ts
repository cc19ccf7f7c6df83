import type { Account, Counts, LandformApi } from "../api/index.ts";
import { shown, type Shown } from "./find.ts";

/** The account that the API key belongs to. */
export async function getAccount(api: LandformApi): Promise<Shown<Account>> {
  return shown(await api.account.me());
}

/** Counts of what is in the account, under the names that the service gives them. */
export function getCounts(api: LandformApi): Promise<Counts> {
  return api.analytics.counts();
}
