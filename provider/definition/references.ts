/** Inputs that are ids of other objects say so themselves, and name the collections. */
import { z } from "zod";
import { withoutWrapping } from "./schema-walk.ts";

interface Target {
  /** The words of the collections that the id may be found in. */
  readonly to: readonly [string, ...string[]];
}

const targets = z.registry<Target>();

/** Returns the schema of an id of another object. */
export function idOf(...to: [string, ...string[]]): z.ZodString {
  return z.string().min(1).register(targets, { to });
}

/** Returns the words of the collections that an input refers to; empty if it is no reference. */
export function refersTo(schema: unknown): readonly string[] {
  return targets.get(withoutWrapping(schema))?.to ?? [];
}
