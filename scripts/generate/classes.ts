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
import { registration, settle } from "./resource.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Any JSON value, with outputs anywhere inside. */
export type JsonInput = pulumi.Input<null | boolean | number | string | JsonInput[] | { [key: string]: JsonInput }>;
`;

export function classesSource(): string {
  const kinds = Object.entries<AnyDefinition>(registry).filter(([, { gathers }]) => gathers === undefined);
  const written: Written = { nested: new Map(), args: [] };
  return [HEADER, ...kinds.map(([kind, definition]) => resourceSource(kind, definition, written))].join("\n");
}

/** The interfaces so far. Kinds that are alike share them. */
interface Written {
  /** Names by their members. */
  readonly nested: Map<string, string>;
  readonly args: { readonly name: string; readonly members: readonly (readonly [key: string, text: string])[] }[];
}

function resourceSource(kind: string, definition: AnyDefinition, written: Written): string {
  const { type, doc, inputs, outputs, schema } = definition;
  const nested = new Interfaces(written.nested);
  const args = fieldsOf(schema);
  const required = Object.values(fieldsOf(inputs)).some((schema) => !isOptional(schema));
  const members = Object.entries(args).map(([key, schema]): [string, string] => [
    key,
    `${jsDoc(descriptionOf(schema))}${key}${isOptional(schema) ? "?" : ""}: ${inputType(schema, `${type}${pascal(key)}`, nested)};`,
  ]);
  const argsText = argsSource(`${type}Args`, members, written.args);
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
${nested.added.join("\n")}
/** Arguments of {@link ${type}}. */
${argsText}

${jsDoc(doc)}export class ${type}${fits ? "<TemplateId extends string = string>" : ""} extends pulumi.CustomResource {
  ${outputsText.join("\n  ")}

  constructor(name: string, ${takes}, options?: pulumi.CustomResourceOptions) {
    ${fits ? `const given = (args ?? {}) as ${type}Args;\n    ` : ""}const own = registration(registry.${kind}, name, ${given}, options);
    super(...own.call);
    settle(this, registry.${kind}, ${given}, own);
  }
}
`;
}

/** Returns the interface of a kind's arguments. It extends that of another kind which has all of its members but few. */
function argsSource(name: string, members: Written["args"][number]["members"], written: Written["args"]): string {
  const texts = new Set(members.map(([, text]) => text));
  const alike = written.find((one) => 2 * one.members.filter(([, text]) => texts.has(text)).length > members.length);
  const shared = new Set(alike?.members.map(([, text]) => text));
  const others = alike?.members.flatMap(([key, text]) => (texts.has(text) ? [] : [JSON.stringify(key)])) ?? [];
  const own = members.flatMap(([, text]) => (shared.has(text) ? [] : [text]));
  written.push({ name, members });
  const base = alike && ` extends Omit<${alike.name}, ${others.join(" | ") || "never"}>`;
  return `export interface ${name}${base ?? ""} {\n  ${own.join("\n  ")}\n}`;
}

/** The interfaces of objects in arguments. */
class Interfaces {
  readonly #known: Map<string, string>;
  readonly added: string[] = [];

  constructor(known: Map<string, string>) {
    this.#known = known;
  }

  /** Returns the name of an interface with these members. */
  of(name: string, members: string): string {
    const known = this.#known.get(members);
    if (known !== undefined) return known;
    this.#known.set(members, name);
    this.added.push(`export interface ${name} {\n${members}\n}\n`);
    return name;
  }
}

function inputType(schema: z.ZodType, name: string, nested: Interfaces): string {
  return shapeOf(schema).type === "json" ? "JsonInput" : `pulumi.Input<${inputShape(schema, name, nested)}>`;
}

/** `others`: fields of the other alternatives, which an object of this alternative doesn't have. */
function inputShape(schema: z.ZodType, name: string, nested: Interfaces, others: readonly string[] = []): string {
  const shape = shapeOf(schema);
  if (shape.type === "object") {
    const members = Object.entries(shape.fields).map(
      ([key, item]) =>
        `${jsDoc(descriptionOf(item))}${key}${isOptional(item) ? "?" : ""}: ${inputType(item, `${name}${pascal(key)}`, nested)};`,
    );
    const absent = others.filter((key) => !(key in shape.fields)).map((key) => `${key}?: undefined;`);
    return nested.of(`${name}Args`, [...members, ...absent].join("\n"));
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
