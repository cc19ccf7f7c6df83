/** The resource classes as TypeScript: typed arguments and outputs, each with the description of its schema. */
import { z } from "zod";
import type { AnyDefinition } from "../../provider/define.ts";
import { registry } from "../../provider/registry.ts";

const HEADER = `/** Generated from provider/registry.ts by "npm run generate"; a change belongs into the definition of the resource. */
import * as pulumi from "@pulumi/pulumi";
import { registry } from "../registry.ts";
import { registration, shortStacks } from "./resource.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Any JSON value, with outputs anywhere inside. */
export type JsonInput = pulumi.Input<null | boolean | number | string | JsonInput[] | { [key: string]: JsonInput }>;
`;

export function classesSource(): string {
  return [HEADER, ...Object.entries(registry).map(([kind, definition]) => resourceSource(kind, definition))].join("\n");
}

function resourceSource(kind: string, definition: AnyDefinition): string {
  const { type, doc, inputs, outputs, schema } = definition;
  const nested: string[] = [];
  const args = shapeOf(schema);
  const required = Object.values(shapeOf(inputs)).some((schema) => !isOptional(schema));
  const members = Object.entries(args).map(
    ([key, schema]) =>
      `${jsDoc(describe(schema))}${key}${isOptional(schema) ? "?" : ""}: ${inputType(schema, `${type}${pascal(key)}`, nested)};`,
  );
  const fields = { ...shapeOf(inputs), ...shapeOf(outputs) };
  const outputsText = Object.entries(fields).map(
    ([key, schema]) =>
      `${jsDoc(describe(schema))}declare readonly ${key}: pulumi.Output<${outputType(schema)}${!(key in outputs.shape) && isOptional(schema) ? " | undefined" : ""}>;`,
  );
  return `
${nested.join("\n")}
/** Arguments of {@link ${type}}. */
export interface ${type}Args {
  ${members.join("\n  ")}
}

${jsDoc(doc)}export class ${type} extends pulumi.CustomResource {
  ${outputsText.join("\n  ")}

  constructor(name: string, args: ${type}Args${required ? "" : " = {}"}, options?: pulumi.CustomResourceOptions) {
    const restoreStacks = shortStacks();
    try {
      super(...registration(registry.${kind}, name, args, options));
    } finally {
      restoreStacks();
    }
  }
}
`;
}

function inputType(schema: z.ZodType, name: string, nested: string[]): string {
  const inner = bare(schema);
  return inner instanceof z.ZodLazy ? "JsonInput" : `pulumi.Input<${inputShape(inner, name, nested)}>`;
}

function inputShape(schema: z.ZodType, name: string, nested: string[]): string {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) {
    const members = Object.entries(shapeOf(inner)).map(
      ([key, item]) =>
        `${jsDoc(describe(item))}${key}${isOptional(item) ? "?" : ""}: ${inputType(item, `${name}${pascal(key)}`, nested)};`,
    );
    const interfaceName = `${name}Args`;
    nested.push(`export interface ${interfaceName} {\n${members.join("\n")}\n}\n`);
    return interfaceName;
  }
  if (inner instanceof z.ZodArray) return `${inputType(inner.element as z.ZodType, name, nested)}[]`;
  if (inner instanceof z.ZodRecord) return `Record<string, ${inputType(inner.valueType as z.ZodType, name, nested)}>`;
  if (inner instanceof z.ZodUnion) {
    return inner.options
      .map((option, index) =>
        inputShape(option as z.ZodType, `${name}${index === 0 ? "" : pascal(firstKey(option))}`, nested),
      )
      .join(" | ");
  }
  return scalar(inner);
}

function outputType(schema: z.ZodType): string {
  const inner = bare(schema);
  if (inner instanceof z.ZodObject) {
    return `{ ${Object.entries(shapeOf(inner))
      .map(([key, item]) => `${key}${isOptional(item) ? "?" : ""}: ${outputType(item)}`)
      .join("; ")} }`;
  }
  if (inner instanceof z.ZodArray) return `(${outputType(inner.element as z.ZodType)})[]`;
  if (inner instanceof z.ZodRecord) return `Record<string, ${outputType(inner.valueType as z.ZodType)}>`;
  if (inner instanceof z.ZodUnion) return inner.options.map((option) => outputType(option as z.ZodType)).join(" | ");
  if (inner instanceof z.ZodNullable) return `${outputType(inner.unwrap() as z.ZodType)} | null`;
  return scalar(inner);
}

function scalar(schema: z.ZodType): string {
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => JSON.stringify(option)).join(" | ");
  if (schema instanceof z.ZodString) return "string";
  if (schema instanceof z.ZodNumber) return "number";
  if (schema instanceof z.ZodBoolean) return "boolean";
  if (schema instanceof z.ZodUnknown) return "unknown";
  if (schema instanceof z.ZodLazy) return "Json";
  throw new Error(`no TypeScript for a schema of type ${schema.type}`);
}

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? bare(schema.unwrap() as z.ZodType) : schema;
}

function isOptional(schema: z.ZodType): boolean {
  return schema instanceof z.ZodOptional;
}

function describe(schema: z.ZodType): string {
  return schema.description ?? bare(schema).description ?? "";
}

function jsDoc(text: string): string {
  return text === "" ? "" : `/** ${text} */\n`;
}

function pascal(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

function firstKey(schema: unknown): string {
  return schema instanceof z.ZodObject ? (Object.keys(schema.shape)[0] ?? "") : "";
}

/** Zod types the shape of a general object as any. */
function shapeOf(schema: z.ZodObject): Record<string, z.ZodType> {
  return schema.shape;
}
