/** What keeps a save from being applied and goes away by itself: then it is tried again. */
import { LockedError } from "../../engine/index.ts";
import { LandformApi, NetworkError, ServerError, TimeoutError } from "../../provider/api/index.ts";
import { anchorOf } from "../../provider/definition/guide.ts";
import type { StackOptions } from "../../stack/options.ts";
import { accountOf } from "../../stack/project/settings.ts";
import type { Failure, Report } from "../../stack/report/model.ts";

/** `locked`: another run holds the stack. `service`: the service can't be reached, or is in trouble itself. */
export type Obstacle = "locked" | "service";

export const OBSTACLE_TEXTS: Record<Obstacle, string> = {
  locked: "Tried again until it is free.",
  service: "Tried again once the service answers.",
};

const SERVICE = [NetworkError, TimeoutError, ServerError];
const SERVICE_CODES: ReadonlySet<string> = new Set(SERVICE.map(({ name }) => anchorOf(name)));

export function obstacleIn(error: unknown): Obstacle | undefined {
  if (error instanceof LockedError) return "locked";
  return SERVICE.some((one) => error instanceof one) ? "service" : undefined;
}

/** Nothing where something else is wrong, too: that has to be mended, and the save that mends it is tried anyway. */
export function obstacleOf({ result, failures }: Pick<Report, "result" | "failures">): Obstacle | undefined {
  if (result !== "failed" || failures.length === 0) return undefined;
  if (failures.every(({ cause }) => cause === "locked")) return "locked";
  return failures.every(isOfService) ? "service" : undefined;
}

function isOfService({ cause, step }: Failure): boolean {
  return cause === "operation" && step !== undefined && SERVICE_CODES.has(step.code);
}

const LOOK_MS = 3_000;

/** Whether the service is there again; also where that can't be asked, and only a run can tell. */
export async function isServiceThere(options: StackOptions): Promise<boolean> {
  let api: LandformApi | undefined;
  try {
    api = new LandformApi({ ...(await accountOf(options)), timeoutMs: LOOK_MS });
    await api.account.me();
    return true;
  } catch (error) {
    return obstacleIn(error) !== "service";
  } finally {
    await api?.close();
  }
}
