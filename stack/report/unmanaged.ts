/** What is no longer declared, and stays as it is: the definition of a kind says what is cleared instead. Pure. */
import { type PropertyMap, isRecord, nameOf } from "../../engine/index.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { definitionOf } from "../../provider/kinds/registry.ts";
import type { Field } from "./model.ts";
import { shortName } from "./steps.ts";
import type { Told } from "./told.ts";
import { fieldsBetween } from "./values.ts";

/** Marks the fields of a resource that stay. `inputs` are what the program declares now. */
export function withStaying(fields: readonly Field[], type: string, inputs: PropertyMap = {}): Field[] {
  const definition = definitionOf(type);
  if (!definition) return [...fields];
  return fields.map((field) => (isStaying(field, definition, inputs) ? { ...field, stays: true } : field));
}

function isStaying(field: Field, definition: AnyDefinition, inputs: PropertyMap): boolean {
  const { kind, path, replaces } = field;
  const [input, key, ...inside] = path.map(String);
  if (kind !== "delete" || replaces === true || input === undefined) return false;
  const { onChange, cleared, perKey, removalReplaces, merges } = definition.rule(input);
  // It said how to work (adoptId, reuse): nothing of it is in the account.
  if (onChange === "none") return false;
  const value = inputs[input];
  if (value === undefined) return cleared === undefined && removalReplaces !== true;
  if (perKey !== true || key === undefined || !isRecord(value)) return false;
  const own = value[key];
  return own === undefined || (inside.length > 0 && inside.length <= 2 && merges?.(own) === true);
}

/** Of resources that a run leaves as they are: a line each. */
export function stayingNotes(all: Iterable<Told>): string[] {
  return [...all].flatMap(({ urn, steps }) => {
    const step = steps.get("same");
    if (step?.old === undefined || step.new === undefined) return [];
    const type = shortName(step.type);
    const fields = withStaying(fieldsBetween(step.old.inputs, step.new.inputs), type, step.new.inputs);
    const names = fields.flatMap(({ stays, path }) => (stays === true ? [path.join(".")] : []));
    if (names.length === 0) return [];
    const verb = names.length === 1 ? "stays as it is, and is" : "stay as they are, and are";
    return [
      `${type} ${nameOf(urn)}: ${names.join(", ")} ${verb} no longer managed, since the code no longer declares it`,
    ];
  });
}
