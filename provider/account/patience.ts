/** Looks again and again for what a lagging list may show late. */
import { setTimeout as sleep } from "node:timers/promises";

export const DEFAULT_PATIENCE_MS = 15_000;

/** `LANDFORM_PATIENCE_MS`. A word that is no number is no word: without patience a run makes twice what a list shows late. */
export function patienceIn(env: NodeJS.ProcessEnv): number {
  const word = env["LANDFORM_PATIENCE_MS"]?.trim() ?? "";
  const ms = word === "" ? Number.NaN : Number(word);
  return Number.isFinite(ms) && ms >= 0 ? ms : DEFAULT_PATIENCE_MS;
}

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 2_000;
/** What the API can't delete is looked for so many times as long: a second one would stay for good. */
export const TIMES_FOR_GOOD = 5;

/** The pauses between looks: doubling, capped, and together as long as the patience. */
function* pauses(patienceMs: number): Generator<number> {
  let left = patienceMs;
  for (let wait = FIRST_WAIT_MS; left > 0; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const pause = Math.min(wait, left);
    left -= pause;
    yield pause;
  }
}

/** `signal` ends it with its reason. */
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
