/** Inputs that are ids of other objects say so themselves, and of what. */
import { z } from "zod";
import { withoutWrapping } from "./schema-walk.ts";

interface Target {
  /** The words of the collections that the id may be found in. */
  readonly to: readonly [string, ...string[]];
}

const targets = z.registry<Target>();

/** The id of another object. */
export function idOf(...to: [string, ...string[]]): z.ZodString {
  return z.string().min(1).register(targets, { to });
}

/** What an input refers to; empty where it is no reference. */
export function refersTo(schema: unknown): readonly string[] {
  return targets.get(withoutWrapping(schema))?.to ?? [];
}

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
