/**
 * Makes the JSON Schema of landform.yaml from the inputs of all kinds and the forms of values. Draft 7, which editors (yaml-language-server) read
 * best. A schema can't tell if a reference has a target; "landform check" can.
 */
import { z } from "zod";
import { accountSettings, entryOptions } from "../../manifest/declare/entries.ts";
import { sections } from "../../manifest/language/addresses.ts";
import { fieldsOf } from "../../manifest/language/fields.ts";
import { forms, layerForms } from "../../manifest/language/forms.ts";
import type { Rule } from "../../manifest/check/subject.ts";
import { rules, settingsOf } from "../../manifest/check/settings.ts";
import { levels } from "../../manifest/declare/model.ts";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { registry } from "../../provider/kinds/registry.ts";
import { shapeOf } from "../../provider/definition/schema-walk.ts";
import { objectOf, oneProperty, ref, referenceDefinitions, requiredIn, type Schema } from "./schema-values.ts";

const KEY = { pattern: "^\\S(.*\\S)?$", not: { pattern: "::" } };

export function manifestSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "landform.yaml",
    description: "Landing funnels as code: what Landform keeps in an account of the page builder.",
    type: "object",
    required: ["landform"],
    additionalProperties: false,
    patternProperties: { "^x-": { description: "Anchors of your own, to be referred to with *name or <<: *name." } },
    properties: { ...settings(), ...Object.fromEntries([...sections].map(sectionOf)) },
    // A field that defaults may give is missing only if there are no defaults.
    if: { not: { required: ["defaults"] } },
    then: { properties: Object.fromEntries([...sections].map(wholeSection)) },
    definitions: {
      ...formDefinitions(),
      ...layerDefinitions(),
      ...referenceDefinitions(),
      ...entryDefinitions(),
      options: options(),
      ...eachDefinitions(),
    },
  };
}

export function schemaSource(): string {
  return JSON.stringify(manifestSchema(), null, 2);
}

function settings(): Schema {
  return {
    landform: { const: 1, description: "Version of this format." },
    name: {
      type: "string",
      pattern: "^[\\w.-]{1,100}$",
      description: "Name of the project in Pulumi's state.",
      examples: ["spring-launch"],
    },
    include: {
      type: "array",
      items: { type: "string", minLength: 1 },
      description:
        "Further files of this folder, relative to this one; a * stands for any part of a name. Their entries are added.",
      examples: [["brands/*.yaml", "products.yaml"]],
    },
    defaults: defaults(),
    accounts: section("Further accounts of the service, for entries that name one with account.", {
      ...withEach(objectOf(accountSettings)),
    }),
    copy: {
      description: "Translations.",
      type: ["object", "null"],
      properties: {
        source: { type: "string", pattern: "^[\\w-]+$", description: "Language that everything is translated from." },
      },
      additionalProperties: false,
    },
    lint: {
      description: "Rules of landform check, by id: a level, or a map with a level and what else the rule takes.",
      type: ["object", "null"],
      properties: Object.fromEntries(rules.map((rule) => [rule.id, ruleOf(rule)])),
      additionalProperties: false,
    },
    outputs: section("Outputs of the stack: a name, and the output of a resource that it shows.", {
      type: "string",
      examples: ["pages.offer.url", "sites.main.domain"],
    }),
  };
}

function ruleOf({ about, options }: Rule): Schema {
  const { $schema, ...settings } = z.toJSONSchema(settingsOf(options), { target: "draft-7", io: "input" });
  return { description: about, anyOf: [{ enum: [...levels, false] }, settings] };
}

function sectionOf([name, { definition }]: [string, { definition: AnyDefinition }]): [string, Schema] {
  const markdown = `**${definition.type}**: ${definition.doc}\n\nEach key is a logical name, which other entries refer to.`;
  return [name, { ...section(definition.doc, ref(definition.kind)), markdownDescription: markdown }];
}

function wholeSection([name, { definition }]: [string, { definition: AnyDefinition }]): [string, Schema] {
  return [name, { additionalProperties: wholeObject(definition.schema) }];
}

/** Lists the required fields of an object and of the objects in it. */
function wholeObject(object: z.ZodObject): Schema {
  const inner = [...fieldsOf(object).values()].flatMap(({ name, schema }): [string, Schema][] => {
    const shape = shapeOf(schema);
    const whole = shape.type === "object" ? wholeObject(shape.object) : {};
    return Object.keys(whole).length > 0 ? [[name, whole]] : [];
  });
  const required = requiredIn(object);
  return {
    ...(required.length > 0 ? { type: "object", required } : {}),
    ...(inner.length > 0 ? { properties: Object.fromEntries(inner) } : {}),
  };
}

function section(description: string, entry: Schema): Schema {
  return { description, type: ["object", "null"], propertyNames: KEY, additionalProperties: entry };
}

function entryDefinitions(): Schema {
  return Object.fromEntries(Object.values(registry).map((definition) => [definition.kind, entryOf(definition)]));
}

function entryOf(definition: AnyDefinition): Schema {
  const entry = objectOf(definition.schema, "some");
  const properties = entry["properties"] as Schema;
  const names = [...Object.keys(properties), "account", "options"];
  const ofRow = Object.fromEntries(names.map((name) => [name, ref(`${definition.kind}/properties/${name}`)]));
  return {
    ...entry,
    type: ["object", "null"],
    description: definition.doc,
    properties: {
      each: ref("each"),
      ...properties,
      adoptId: {
        anyOf: [properties["adoptId"], { type: "object", description: "The ids of the rows of each, by their keys." }],
      },
      rows: {
        type: "object",
        description:
          "What single rows of each have of their own, by their keys. Content comes behind that of the entry.",
        additionalProperties: { type: "object", properties: ofRow, additionalProperties: false },
      },
      account: { type: "string", description: "Key of the account that the resource is kept in." },
      options: ref("options"),
    },
  };
}

function options(): Schema {
  const { properties, ...rest } = z.toJSONSchema(entryOptions, { target: "draft-7" });
  delete rest.$schema;
  return { ...rest, properties, description: "What Pulumi is told about this resource." };
}

function formDefinitions(): Schema {
  const names = Object.keys(forms) as (keyof typeof forms)[];
  const each = names.map((name) => {
    const { $schema, ...schema } = z.toJSONSchema(forms[name], { target: "draft-7", io: "input" });
    return [`${name}-form`, name === "literal" ? literal(schema.description) : schema] as const;
  });
  const scalars = names.filter((name) => name !== "literal").map((name) => ref(`${name}-form`));
  return { ...Object.fromEntries(each), expression, value: { anyOf: [ref("expression"), ...scalars] }, json: json() };
}

const expression: Schema = {
  type: "string",
  pattern: "\\$\\{",
  description: "A text that ${each.x}, ${stack} or ${config.x} fill in.",
};

function layerDefinitions(): Schema {
  return Object.fromEntries(
    Object.entries(layerForms).map(([name, form]) => {
      const { $schema, ...schema } = z.toJSONSchema(form, { target: "draft-7", io: "input" });
      return [`${name}-layer`, schema];
    }),
  );
}

/** A map may come from files, and from several in order. */
function eachDefinitions(): Schema {
  const sources = ["file", "items", "matrix"].map((name) => ({ required: [name] }));
  const rows = { type: ["array", "object"] };
  const plain = [{ type: "array" }, { type: "object", not: { anyOf: sources } }];
  const where = {
    type: "object",
    description: "Rows to take: fields, each with a value, a list of values or { not: … }.",
  };
  const key = { type: "string", minLength: 1, description: "The field whose value is the key of a row. Default: key." };
  const chosen = (name: string, schema: Schema, more: Schema): Schema => ({
    ...oneProperty(name, schema),
    properties: { [name]: schema, ...more, where },
  });
  const file = { type: "string", minLength: 1, description: "CSV, JSON or YAML file of the manifest's folder." };
  const matrix = {
    type: "object",
    minProperties: 2,
    additionalProperties: ref("each"),
    description: "Every row of one list with every row of the others.",
  };
  return {
    each: {
      description:
        "Makes one of this entry for each row of a list, a map or a file. Texts take ${each.key} and the fields of the row.",
      anyOf: [chosen("file", file, { key }), chosen("items", rows, { key }), chosen("matrix", matrix, {}), ...plain],
      examples: [
        ["de", "fr"],
        { file: "cities.csv", key: "slug" },
        { matrix: { brand: ["acme", "zen"], locale: ["de", "fr"] } },
      ],
    },
  };
}

function withEach(entry: Schema): Schema {
  return { ...entry, properties: { each: ref("each"), ...(entry["properties"] as Schema) } };
}

function defaults(): Schema {
  const properties = Object.fromEntries(
    [...sections].map(([name, { definition }]) => {
      const fields = Object.keys(entryOf(definition)["properties"] as Schema).filter(
        (field) => field !== "each" && field !== "rows",
      );
      const shared = fields.map((field) => [field, ref(`${definition.kind}/properties/${field}`)] as const);
      const description = `What entries of ${name} have where they don't say it.`;
      return [
        name,
        { description, type: "object", properties: Object.fromEntries(shared), additionalProperties: false },
      ];
    }),
  );
  const description = "What the entries of a section have where they don't say it themselves.";
  return { description, type: "object", properties, additionalProperties: false };
}

function literal(description: string | undefined): Schema {
  const properties = { literal: { description: "Any JSON, taken as it is." } };
  return { description, type: "object", properties, required: ["literal"], additionalProperties: false };
}

/** Allows any JSON. A map with the keys of a form has to be one. */
function json(): Schema {
  const conditions = Object.entries(forms).map(([name, form]) => ({
    if: {
      type: "object",
      required: [name],
      propertyNames: { enum: Object.keys(form.shape) },
    },
    then: ref(`${name}-form`),
  }));
  return { description: "Any JSON.", allOf: conditions };
}
