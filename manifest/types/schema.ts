/** The JSON Schema of landform.yaml with what is known of templates in it: for editors. Pure. */
import { isMap } from "../../provider/values/json.ts";
import type { TemplateKeys } from "../online/keys-file.ts";

export const TEMPLATES_SCHEMA_FILE = "landform.templates.schema.json";

type Schema = Record<string, unknown>;

/** `base`: the schema that the package brings. Entries that take content and a template are held against its keys. */
export function schemaWithTemplates(base: unknown, templates: ReadonlyMap<string, TemplateKeys>): string {
  const { definitions, ...rest } = base as Schema & { definitions: Readonly<Record<string, Schema>> };
  const known = Object.entries(definitions).map(([name, definition]) => {
    const properties: unknown = definition["properties"];
    const takes = isMap(properties) && "content" in properties && "template" in properties;
    return [name, takes ? withTemplates(definition, templates) : definition] as const;
  });
  return `${JSON.stringify({ ...rest, definitions: Object.fromEntries(known) }, undefined, 2)}\n`;
}

function withTemplates(definition: Schema, templates: ReadonlyMap<string, TemplateKeys>): Schema {
  const properties = definition["properties"] as Schema;
  const choices = { anyOf: [templateNames(templates), properties["template"]] };
  const before = Array.isArray(definition["allOf"]) ? (definition["allOf"] as unknown[]) : [];
  return {
    ...definition,
    properties: { ...properties, template: choices },
    allOf: [...before, ...[...templates].map(([id, keys]) => heldAgainst(id, keys))],
  };
}

function templateNames(templates: ReadonlyMap<string, TemplateKeys>): Schema {
  return { enum: [...templates.keys()], description: "Templates whose keys are known, and any other." };
}

/** A map of content has these keys alone, also as one of several layers. What stands for a map (a file, a folder) is not looked into. */
function heldAgainst(id: string, { keys, variables }: TemplateKeys): Schema {
  const anything = (names: readonly string[]): Schema => Object.fromEntries(names.map((name) => [name, {}]));
  const map = {
    if: { type: "object", not: { anyOf: [{ required: ["file"] }, { required: ["folder"] }] } },
    then: { properties: anything(keys), propertyNames: { enum: [...keys] } },
  };
  const content = { ...map, items: map };
  const template = { anyOf: [{ const: id }, { type: "object", properties: { id: { const: id } }, required: ["id"] }] };
  return {
    if: { type: "object", properties: { template }, required: ["template"] },
    then: { properties: { content, variables: { properties: anything(variables), required: [...variables] } } },
  };
}
