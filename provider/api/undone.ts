/** Answers of writes that deny themselves: success by their status, and an explicit false in the field that tells. Pure. */
import type { Operation } from "./operations.ts";

/**
 * The field that says no. A field that is absent proves nothing. A deletion that says no is looked at by who deletes, and
 * content with keys that the page doesn't have is told key by key by who sent it.
 */
export function denialIn({ effect, method }: Operation, answer: unknown): string | undefined {
  if (effect !== "idempotent" || method === "DELETE" || !isRecord(answer)) return undefined;
  const { missing } = answer;
  if (Array.isArray(missing) && missing.length > 0) return undefined;
  return ["success", "updated"].find((field) => answer[field] === false);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
