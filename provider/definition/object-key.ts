/**
 * What an object is known by among all that a run or a state knows. A service need not give ids that are unique beyond the
 * collection that it keeps something in: page 1 and product 1 are two objects. Kinds of one collection share its ids.
 */
export type ObjectKey = `${string} ${string}`;

/** Of a kind's definition: what the ids of its objects are unique among. */
interface Kept {
  readonly kind: string;
  readonly collection?: { readonly what: string } | undefined;
}

export function objectKey({ kind, collection }: Kept, id: string): ObjectKey {
  return `${collection?.what ?? kind} ${id}`;
}
