/**
 * `defaults`: what the entries of a section have where they don't say it themselves. Maps are filled up key by key; a list, a
 * reference or a value that stands for another is one whole.
 */
import { isMap, isScalar, Pair, YAMLMap, type Node } from "yaml";
import { shapeOf } from "../../provider/definition/schema-walk.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { fieldsOf } from "../language/fields.ts";
import { forms } from "../language/forms.ts";
import { layerForms } from "../language/layers.ts";
import type { MapEntry, Reader } from "../source/reader.ts";

/** The value of an entry with what it doesn't say. */
export function withDefaults(
  value: Node | null,
  defaults: readonly MapEntry[],
  reader: Reader,
  definition: AnyDefinition | undefined,
): Node | null {
  if (defaults.length === 0 || !(value === null || isMap(value) || isEmpty(value))) return value;
  const own = isMap(value) ? reader.entries(value) : [];
  return filled(own, defaults, reader, value, definition?.schema);
}

function filled(
  own: readonly MapEntry[],
  more: readonly MapEntry[],
  reader: Reader,
  around: Node | null,
  schema: unknown,
): YAMLMap {
  const map = new YAMLMap<Node, Node | null>();
  map.range = around?.range;
  const inherited = new Map(more.map((entry) => [entry.key, entry]));
  const shape = shapeOf(schema);
  for (const entry of own) {
    const other = inherited.get(entry.key);
    inherited.delete(entry.key);
    const field = shape.type === "object" ? fieldsOf(shape.object).get(entry.key) : undefined;
    const below = shape.type === "map" ? shape.value : field?.schema;
    const joins = field?.reference === undefined && other && isPlain(entry.value, below) && isPlain(other.value, below);
    const value = joins
      ? filled(
          reader.entries(entry.value as YAMLMap),
          reader.entries(other.value as YAMLMap),
          reader,
          entry.value,
          below,
        )
      : entry.value;
    map.items.push(new Pair(entry.keyNode, value));
  }
  for (const entry of inherited.values()) map.items.push(new Pair(entry.keyNode, entry.value));
  return map;
}

/** A map of fields or keys, and none that stands for something else. */
function isPlain(node: Node | null, schema: unknown): boolean {
  const { type } = shapeOf(schema);
  if (!isMap(node) || (schema !== undefined && type !== "object" && type !== "map")) return false;
  const names = node.items.map(({ key }) => (isScalar(key) ? String(key.value) : ""));
  return !names.some((name) => Object.hasOwn(forms, name) || Object.hasOwn(layerForms, name));
}

function isEmpty(node: Node): boolean {
  return isScalar(node) && node.value === null;
}
