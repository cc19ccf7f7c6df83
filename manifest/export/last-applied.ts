/**
 * What the last run applied, as the state has it: with it a merge is one of three. What only the code has changed since stays,
 * what only the account has changed is taken in, and what both have changed is shown with both sides and left.
 */
import { isDeepStrictEqual } from "node:util";
import { isMap, type Json, type JsonMap } from "../../provider/values/json.ts";
import { valueAt } from "../../provider/values/paths.ts";
import { deferredIn, type Tree } from "../declarations/model.ts";
import { renderedText } from "./placeholders.ts";

export interface Applied {
  readonly id: string;
  /** As declared. */
  readonly inputs: JsonMap;
  /** As the service answered. */
  readonly outputs: JsonMap;
}

/** By the type and the logical name that Pulumi knows a resource by. Undefined where the state has none. */
export type LastApplied = (type: string, name: string) => Applied | undefined;

/** Whose change a difference is. */
export type ChangedBy = "account" | "code" | "both";

export function changedBy(
  { inputs, outputs }: Applied,
  path: readonly string[],
  declared: Tree | undefined,
  live: Json,
): ChangedBy {
  // What is known only when the program runs is held against nothing.
  if ([...deferredIn(declared)].length > 0) return "account";
  const before = valueAt(inputs, path) as Json | undefined;
  if (isDeepStrictEqual(declared, before)) return "account";
  const seen = [before, valueAt(outputs, path), path[0] === "content" ? renderedOf(before, inputs) : undefined];
  const known = seen.filter((one) => one !== undefined);
  // What nobody had declared, and no answer has shown, the code alone has begun to say.
  return known.length === 0 || known.some((one) => isDeepStrictEqual(one, live)) ? "code" : "both";
}

function renderedOf(before: Json | undefined, { variables }: JsonMap): Json | undefined {
  return isMap(variables) ? renderedText(before, variables) : undefined;
}
