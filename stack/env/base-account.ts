/** A preview uses projects and sites of its base: in another account their ids are other objects, or none. */
import { recordedAccounts } from "../engines/recorded.ts";
import { UsageError } from "../exit/codes.ts";
import { whyNotOf } from "../checks/preflight.ts";
import { settingsOf } from "../project/settings.ts";
import type { StackSession } from "../run/session.ts";
import type { ReadStack } from "./base.ts";

export async function refuseOtherAccount({ folder }: StackSession, { name, resources }: ReadStack): Promise<void> {
  const own = recordedAccounts({ resources }).find(({ apiKeyEnv }) => apiKeyEnv === undefined);
  const why = own && (await whyNotOf(own.account, await settingsOf(folder)));
  if (why === undefined) return;
  throw new UsageError(
    `${why} (It is asked of ${name}, whose projects and sites the preview uses; --site and --project name others.)`,
  );
}
