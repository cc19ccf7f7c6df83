/** Looks again and again for an object that a lagging list may show late. */
import { setTimeout as sleep } from "node:timers/promises";

export const DEFAULT_PATIENCE_MS = 15_000;

/** Reads `LANDFORM_PATIENCE_MS`. Text that is no number counts as not set: without patience a run makes an object twice if a list shows it late. */
export function patienceIn(env: NodeJS.ProcessEnv): number {
  const word = env["LANDFORM_PATIENCE_MS"]?.trim() ?? "";
  const ms = word === "" ? Number.NaN : Number(word);
  return Number.isFinite(ms) && ms >= 0 ? ms : DEFAULT_PATIENCE_MS;
}

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;
/** The search for an object that the API can't delete takes this many times as long: a second one would stay for good. */
export const TIMES_FOR_GOOD = 5;

/** The pauses between looks. Each is twice as long as the one before, up to a cap; together they last as long as the patience. */
function* pauses(patienceMs: number): Generator<number> {
  let left = patienceMs;
  for (let wait = FIRST_WAIT_MS; left > 0; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const pause = Math.min(wait, left);
    left -= pause;
    yield pause;
  }
}

/** `signal` ends the looks with its reason. */
export async function patientLook<T>(
  look: () => Promise<T | undefined>,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const found = await look();
  if (found !== undefined) return found;
  for (const pause of pauses(patienceMs)) {
    await sleep(pause, undefined, { signal });
    const later = await look();
    if (later !== undefined) return later;
  }
  return undefined;
}

/** Hardly any call takes longer. */
const LONGEST_CALL_MS = 1_000;

export async function pause(patienceMs: number): Promise<void> {
  await sleep(Math.min(LONGEST_CALL_MS, patienceMs));
}
