/** Addresses that one page leaves and another takes in the same run: each is down for no longer than one call. Pure. */
import type { Report } from "./model.ts";

/** None where the plan was refused: then nothing moves. */
export function changingHands({ result, impact }: Pick<Report, "result" | "impact">): string[] {
  if (impact === undefined || result !== "succeeded") return [];
  const left = new Set(impact.urls.flatMap(({ url, effect }) => (effect === "delete" ? [url] : [])));
  return impact.urls.flatMap(({ url, effect }) => (effect === "create" && left.has(url) ? [url] : []));
}
