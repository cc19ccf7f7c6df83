/** Which inputs of an entry are text to a person. */
import { refersTo } from "../../provider/definition/references.ts";
import { schemaBelow, shapeOf } from "../../provider/definition/schema-walk.ts";
import { Deferred, type Tree } from "../declarations/model.ts";

export interface FoundText {
  readonly path: readonly PropertyKey[];
  readonly value: string;
}

/** Neither ids nor choices. */
export function textsIn(tree: Tree | undefined, schema: unknown, path: readonly PropertyKey[]): FoundText[] {
  if (tree instanceof Deferred || tree === undefined || tree === null) return [];
  if (typeof tree === "string") {
    const isText = refersTo(schema).length === 0 && shapeOf(schema).type !== "choice" && path[0] !== "adoptId";
    return isText ? [{ path, value: tree }] : [];
  }
  if (Array.isArray(tree))
    return tree.flatMap((item, index) => textsIn(item, schemaBelow(schema, index), [...path, index]));
  if (typeof tree !== "object") return [];
  return Object.entries(tree).flatMap(([key, item]) => textsIn(item, schemaBelow(schema, key), [...path, key]));
}
