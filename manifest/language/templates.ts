/**
 * The content keys of templates, as `landform templates keys TEMPLATE --probe` found them. The API doesn't list them, so a file beside the program
 * keeps them. The file is committed, so that everybody's `validate --online` knows the keys.
 */
import { landform } from "../../provider/values/command-line.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isMap } from "../../provider/values/json.ts";
import { readKeptFile } from "../source/folder.ts";

export const KEYS_FILE = "landform.keys.json";

/** The use of `templates keys TEMPLATE --probe`. */
export const PROBES = `makes a draft from it, reads its keys, deletes it again, and keeps them in ${KEYS_FILE}.`;

const templateKeys = z.strictObject({
  /** Name of the template, for people who read the file. */
  name: z.string(),
  keys: z.array(z.string()),
  /** The placeholders without a value, each with the keys that hold it: none if it stands elsewhere on the page. */
  variables: z.record(z.string(), z.array(z.string())),
  /** The day of the reading, ISO-8601. */
  readAt: z.string(),
});
export type TemplateKeys = z.output<typeof templateKeys>;

const format = z.strictObject({ landformKeys: z.literal(1), templates: z.record(z.string(), templateKeys) });

export function readKeysFile(folder: string): ReadonlyMap<string, TemplateKeys> {
  const remedy = `\`${landform("templates keys", "TEMPLATE", "--probe")}\` writes it anew once it is removed`;
  return new Map(Object.entries(readKeptFile(join(folder, KEYS_FILE), format, remedy)?.templates ?? {}));
}

/** Adds a template or replaces its keys. Sorts them, so that a diff shows the new ones. */
export function writeKeysFile(folder: string, id: string, keys: TemplateKeys): void {
  const templates = [...new Map([...readKeysFile(folder), [id, keys] as const])].sort(([a], [b]) => (a < b ? -1 : 1));
  const content = { landformKeys: 1, templates: Object.fromEntries(templates) };
  writeFileSync(join(folder, KEYS_FILE), `${JSON.stringify(content, undefined, 2)}\n`);
}

export const TYPES_FILE = "landform.templates.d.ts";

const HEADER = `// Written by \`${landform("templates types")}\` from landform.keys.json: commit both. \`${landform("templates types", "--check")}\` tells when it is behind.
import "landform";

// prettier-ignore
declare module "landform" {
  interface Templates {`;

export function typesSource(templates: ReadonlyMap<string, TemplateKeys>): string {
  const each = [...templates].flatMap(([id, { name, keys, variables }]) => [
    `    /** ${name.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */`,
    `    ${JSON.stringify(id)}: {`,
    `      content:${oneOf(keys)};`,
    `      variables:${oneOf(Object.keys(variables))};`,
    "    };",
  ]);
  return `${[HEADER, ...each, "  }", "}"].join("\n")}\n`;
}

/** Writes one name a line, so that a diff shows which ones changed. */
function oneOf(names: readonly string[]): string {
  return names.length === 0 ? " never" : names.map((name) => `\n        | ${JSON.stringify(name)}`).join("");
}

export const TEMPLATES_SCHEMA_FILE = "landform.templates.schema.json";

type Schema = Record<string, unknown>;

/** `base`: the schema of the package. The result checks entries with content and a template against the template's keys. */
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
  const known = { enum: [...templates.keys()], description: "Templates whose keys are known, and any other." };
  const choices = { anyOf: [known, properties["template"]] };
  const before = Array.isArray(definition["allOf"]) ? (definition["allOf"] as unknown[]) : [];
  return {
    ...definition,
    properties: { ...properties, template: choices },
    allOf: [...before, ...[...templates].map(([id, keys]) => heldAgainst(id, keys))],
  };
}

/** Limits a map of content to these keys, also as one of several layers. It doesn't check forms that stand for a map (a file, a folder). */
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
    then: {
      properties: {
        content,
        variables: { properties: anything(Object.keys(variables)), required: Object.keys(variables) },
      },
    },
  };
}
