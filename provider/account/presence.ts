/**
 * Reads an object, or finds that it is gone. One answer never proves that: a replica that lags, or a proxy, may not know the object. If the
 * id is not found, the search of the kind is asked for exactly that id. While the two contradict each other, both are asked again, with
 * patience.
 */
import { NotFoundError, type LandformApi } from "../api/index.ts";
import { LookupError, type Collection, type Identified } from "../definition/collection.ts";
import { UnconfirmedAbsenceError } from "../messages/errors.ts";
import { patientLook } from "./patience.ts";

/** Returns the record; undefined only if both the read by id and the search say that it is gone. */
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
    contradiction = shownStill(collection, id, why, patienceMs);
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

function shownStill({ what }: { readonly what: string }, id: string, why: string, patienceMs: number) {
  const seconds = Math.round(patienceMs / 1000);
  return new UnconfirmedAbsenceError(
    `${why}, and yet its search shows ${what} ${id}${seconds > 0 ? ` after ${seconds} s` : ""}`,
  );
}
