/** The word of a request's people that its merge may delete more than the limit: everybody who reviews it sees the label. */
import type { CiEnvironment } from "./environment.ts";
import { asked } from "./forge/standing.ts";
import { forgeOf } from "./tell.ts";

export const ALLOW_DELETES = "landform:allow-deletes";

export async function allowsDeletes(environment: CiEnvironment): Promise<true | undefined> {
  const { change } = environment;
  const forge = forgeOf(environment);
  if (change === undefined || forge === undefined) return undefined;
  const now = await asked(() => forge.change(change.number));
  return "answer" in now && now.answer?.labels.includes(ALLOW_DELETES) === true ? true : undefined;
}
