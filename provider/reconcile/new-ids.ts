/** The values that an undo puts back may have ids of objects that the same undo makes anew. They follow to the new objects. */
import type { AnyDefinition } from "../definition/define.ts";
import { refersTo, schemaBelow } from "../definition/schema-walk.ts";
import { objectKey, resourceKeyIn } from "../ledger/identity.ts";
import { isMap, type Json, type JsonMap, mapEach } from "../values/json.ts";
import type { RunContext } from "./run-context.ts";

/** The objects that a run has made, by the OWN of their resources. */
export class MadeObjects {
  readonly #ids = new Map<string, string>();

  note(identity: string | undefined, id: string): void {
    if (identity !== undefined) this.#ids.set(resourceKeyIn(identity), id);
  }

  of(own: string): string | undefined {
    return this.#ids.get(own);
  }
}

export function withNewIds(definition: AnyDefinition, run: RunContext, values: JsonMap): JsonMap {
  const { successors } = run.settings.restore ?? {};
  if (successors === undefined) return values;
  const made = run.part(MadeObjects);
  const renewed = (value: Json, schema: unknown): Json => {
    if (typeof value === "string") {
      const [own] = refersTo(schema).flatMap((kind) => successors[objectKey({ kind }, value)] ?? []);
      return (own === undefined ? undefined : made.of(own)) ?? value;
    }
    if (Array.isArray(value)) return value.map((item, index) => renewed(item, schemaBelow(schema, index)));
    return isMap(value) ? mapEach(value, (item, key) => renewed(item, schemaBelow(schema, key))) : value;
  };
  return mapEach(values, (value, field) => renewed(value, schemaBelow(definition.inputs, field)));
}
