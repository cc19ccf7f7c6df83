/**
 * Reads an object, or finds that it is gone. One answer never proves that: a replica that lags, or a proxy, may not know the object. If the
 * id is not found, the search of the kind is asked for exactly that id. While the two contradict each other, both are asked again, with
 * patience.
 */
import { type LandformApi, NotFoundError } from "../api/index.ts";
import { type Collection, type Identified, LookupError } from "../definition/collection.ts";
import { UnconfirmedAbsenceError } from "../messages/errors.ts";
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

export async function recordOf<Row extends Identified>(
  collection: Collection<Row>,
  api: LandformApi,
  id: string,
  patienceMs: number,
): Promise<Row | undefined> {
  let contradiction: UnconfirmedAbsenceError | undefined;
  const end = await patientLook(async () => {
    const { row, why } = await recordOrWhy(collection.read(api, id));
    if (why === undefined) return { row };
    const shown = collection.find && (await orGone(collection.find(api, id)));
    if (shown === undefined) return { row: undefined };
    const seconds = Math.round(patienceMs / 1000);
    const when = seconds > 0 ? ` after ${seconds} s` : "";
    contradiction = new UnconfirmedAbsenceError(`${why}, and yet its search shows ${collection.what} ${id}${when}`);
    return undefined;
  }, patienceMs);
  if (end === undefined && contradiction) throw contradiction;
  return end?.row;
}

/** Returns the service's own "not found" as a value. It asks once, and waits for nothing. */
export async function orGone<T>(reading: Promise<T>): Promise<T | undefined> {
  return (await recordOrWhy(reading)).row;
}

type Read<T> = { readonly row: T; readonly why?: undefined } | { readonly row: undefined; readonly why: string };

async function recordOrWhy<T>(reading: Promise<T>): Promise<Read<T>> {
  try {
    return { row: await reading };
  } catch (error) {
    if (error instanceof NotFoundError) return { row: undefined, why: error.brief };
    if (error instanceof LookupError) return { row: undefined, why: error.message };
    throw error;
  }
}
