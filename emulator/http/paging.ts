import type { NotShown } from "../not-shown.ts";

export interface Window {
  limit?: number;
  /** Zero-based index of the page. */
  page?: number;
  /** Number of records to skip. Videos use it instead of `page`. */
  skip?: number;
}

/** Returns the requested part of a list or search. */
export function windowOf<T>(records: readonly T[], { limit = 50, page = 0, skip = page * limit }: Window): T[] {
  return records.slice(skip, skip + limit);
}

export function ordered<T>(records: readonly T[], order: NotShown["listOrder"]): T[] {
  return order === "oldest-first" ? [...records] : records.toReversed();
}

/** Searches the fields of a record for a text, ignoring case. */
export function matches(query: string | undefined, ...fields: (string | null | undefined)[]): boolean {
  if (query === undefined) return true;
  const wanted = query.trim().toLowerCase();
  return fields.some((field) => field?.toLowerCase().includes(wanted) ?? false);
}

/** Tells if the record has the value of the filter, or if there is no filter. */
export function equals(filter: unknown, value: unknown): boolean {
  return filter === undefined || filter === value;
}

/** Applies `limitAboveMaximum` to a query before it is validated. */
export function clampLimit(query: Record<string, unknown>, maximum: number, notShown: NotShown): void {
  const limit = query["limit"];
  if (notShown.limitAboveMaximum === "clamp" && typeof limit === "number" && limit > maximum) query["limit"] = maximum;
}
