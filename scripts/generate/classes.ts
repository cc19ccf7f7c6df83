/** Generates the resource classes as TypeScript: typed arguments and outputs, each with the description of its schema. */
import type { z } from "zod";
import type { AnyDefinition } from "../../provider/definition/define.ts";
import { registry } from "../../provider/kinds/registry.ts";
import {
  descriptionOf,
  fieldNames,
  isNullable,
  isOptional,
  shapeOf,
  type SchemaShape,
} from "../../provider/definition/schema-walk.ts";

const HEADER = `/** Generated from provider/kinds/registry.ts by "npm run generate"; a change belongs into the definition of the resource. */
import * as pulumi from "@pulumi/pulumi";
import { registry } from "../kinds/registry.ts";
import type { Fitting } from "./known-templates.ts";
import { registration, type Registration, settle, shortStacks } from "./resource.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Any JSON value, with outputs anywhere inside. */
export type JsonInput = pulumi.Input<null | boolean | number | string | JsonInput[] | { [key: string]: JsonInput }>;
`;

export function classesSource(): string {
  const kinds = Object.entries<AnyDefinition>(registry).filter(([, { gathers }]) => gathers === undefined);
  return [HEADER, ...kinds.map(([kind, definition]) => resourceSource(kind, definition))].join("\n");
}

function resourceSource(kind: string, definition: AnyDefinition): string {
  const { type, doc, inputs, outputs, schema } = definition;
  const nested: string[] = [];
  const args = fieldsOf(schema);
  const required = Object.values(fieldsOf(inputs)).some((schema) => !isOptional(schema));
  const members = Object.entries(args).map(
    ([key, schema]) =>
      `${jsDoc(descriptionOf(schema))}${key}${isOptional(schema) ? "?" : ""}: ${inputType(schema, `${type}${pascal(key)}`, nested)};`,
  );
  const fields = { ...fieldsOf(inputs), ...fieldsOf(outputs) };
  // Content is checked against the keys of its template, if those are known.
  const fits = "content" in inputs.shape && !required;
  const given = fits ? "given" : "args";
  const takes = fits
    ? `args?: Fitting<${type}Args, TemplateId, JsonInput>`
    : `args: ${type}Args${required ? "" : " = {}"}`;
  const outputsText = Object.entries(fields).map(
    ([key, schema]) =>
      `${jsDoc(descriptionOf(schema))}declare readonly ${key}: pulumi.Output<${outputType(schema)}${!(key in outputs.shape) && isOptional(schema) ? " | undefined" : ""}>;`,
  );
  return `
${nested.join("\n")}
/** Arguments of {@link ${type}}. */
export interface ${type}Args {
  ${members.join("\n  ")}
}

${jsDoc(doc)}export class ${type}${fits ? "<TemplateId extends string = string>" : ""} extends pulumi.CustomResource {
  ${outputsText.join("\n  ")}

  constructor(name: string, ${takes}, options?: pulumi.CustomResourceOptions) {
    ${fits ? `const given = (args ?? {}) as ${type}Args;\n    ` : ""}const restoreStacks = shortStacks();
    let own: Registration;
    try {
      own = registration(registry.${kind}, name, ${given}, options);
      super(...own.call);
    } finally {
      restoreStacks();
    }
    settle(this, registry.${kind}, ${given}, own);
  }
}
`;
}

function inputType(schema: z.ZodType, name: string, nested: string[]): string {
  return shapeOf(schema).type === "json" ? "JsonInput" : `pulumi.Input<${inputShape(schema, name, nested)}>`;
}

/** `others`: fields of the other alternatives, which an object of this alternative doesn't have. */
function inputShape(schema: z.ZodType, name: string, nested: string[], others: readonly string[] = []): string {
  const shape = shapeOf(schema);
  if (shape.type === "object") {
    const members = Object.entries(shape.fields).map(
      ([key, item]) =>
        `${jsDoc(descriptionOf(item))}${key}${isOptional(item) ? "?" : ""}: ${inputType(item, `${name}${pascal(key)}`, nested)};`,
    );
    const absent = others.filter((key) => !(key in shape.fields)).map((key) => `${key}?: undefined;`);
    const interfaceName = `${name}Args`;
    nested.push(`export interface ${interfaceName} {\n${[...members, ...absent].join("\n")}\n}\n`);
    return interfaceName;
  }
  if (shape.type === "list") return `${inputType(shape.element, name, nested)}[]`;
  if (shape.type === "map") return `Record<string, ${inputType(shape.value, name, nested)}>`;
  if (shape.type === "union") {
    const all = shape.options.flatMap(fieldNames);
    return shape.options
      .map((option, index) =>
        inputShape(option, `${name}${index === 0 ? "" : pascal(fieldNames(option)[0] ?? "")}`, nested, all),
      )
      .join(" | ");
  }
  return leafType(shape);
}

function outputType(schema: z.ZodType): string {
  const type = outputShape(shapeOf(schema));
  return isNullable(schema) ? `${type} | null` : type;
}

function outputShape(shape: SchemaShape): string {
  if (shape.type === "object") {
    const members = Object.entries(shape.fields).map(
      ([key, item]) => `${key}${isOptional(item) ? "?" : ""}: ${outputType(item)}`,
    );
    return `{ ${members.join("; ")} }`;
  }
  if (shape.type === "list") return `(${outputType(shape.element)})[]`;
  if (shape.type === "map") return `Record<string, ${outputType(shape.value)}>`;
  return shape.type === "union" ? shape.options.map(outputType).join(" | ") : leafType(shape);
}

export function leafType(shape: SchemaShape): string {
  switch (shape.type) {
    case "choice":
      return shape.options.map((option) => JSON.stringify(option)).join(" | ");
    case "text":
      return "string";
    case "json":
      return "Json";
    default:
      return shape.type;
  }
}

function jsDoc(text: string): string {
  return text === "" ? "" : `/** ${text} */\n`;
}

function pascal(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

/** Zod types the shape of a general object as any. */
function fieldsOf(schema: z.ZodObject): Record<string, z.ZodType> {
  return schema.shape;
}
