/**
 * What an object is known by among all that a run or a state knows. A service need not give ids that are unique beyond the
 * collection that it keeps something in: page 1 and product 1 are two objects. Kinds of one collection share its ids.
 */
import type { AnyDefinition } from "./define.ts";

export type ObjectKey = `${string} ${string}`;

export function objectKey({ kind, collection }: Pick<AnyDefinition, "kind" | "collection">, id: string): ObjectKey {
  return `${collection?.what ?? kind} ${id}`;
}
