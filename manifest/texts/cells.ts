/** Values of a manifest that stand in data files. */
import type { Spot } from "../declarations/model.ts";
import type { Place } from "../source/file.ts";

const WHOLE = /^["']?\$\{each[^{}]*\}["']?$/;

/** The cell that holds the whole of a value; undefined where none does. */
export function cellOf({ place, by, from = [] }: Spot): Place | undefined {
  if (by) return place;
  const [cell, ...more] = from;
  return cell && more.length === 0 && WHOLE.test(place.file.text.slice(place.start, place.end)) ? cell : undefined;
}
