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
import type * as pulumi from "@pulumi/pulumi";
import { registry } from "../kinds/registry.ts";
import { type Declared, resourceOf, templatedOf } from "./resource-classes.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** Any JSON value, with outputs anywhere inside. */
export type JsonInput = pulumi.Input<null | boolean | number | string | JsonInput[] | { [key: string]: JsonInput }>;
`;

export function classesSource(): string {
  const kinds = Object.entries<AnyDefinition>(registry).filter(([, { gathers }]) => gathers === undefined);
  const written: Written = { nested: new Map(), interfaces: [] };
  return [HEADER, ...kinds.map(([kind, definition]) => resourceSource(kind, definition, written))].join("\n");
}

/** Texts by their names. */
type Members = ReadonlyMap<string, string>;

/** The interfaces so far. Kinds that are alike share them. */
interface Written {
  /** Names by their members. */
  readonly nested: Map<string, string>;
  readonly interfaces: { readonly name: string; readonly members: Members }[];
}

function resourceSource(kind: string, definition: AnyDefinition, written: Written): string {
  const { type, doc, inputs, schema } = definition;
  const nested = new Interfaces(written.nested);
  const required = Object.values(fieldsOf(inputs)).some((schema) => !isOptional(schema));
  const args = mapped(
    fieldsOf(schema),
    (schema, key) => `${key}${isOptional(schema) ? "?" : ""}: ${inputType(schema, `${type}${pascal(key)}`, nested)};`,
  );
  const argsText = interfaceSource(`${type}Args`, args, written);
  // Content is checked against the keys of its template, if those are known.
  const fits = "content" in inputs.shape && !required;
  const types = `${type}, ${type}Args`;
  const made = fits ? `templatedOf<${types}, JsonInput>` : `resourceOf<${types}>`;
  return `
${nested.added.join("\n")}
/** Arguments of {@link ${type}}. */
${argsText}

${jsDoc(doc)}${outputsSource(definition, written)}
export const ${type} = ${made}(registry.${kind});
`;
}

function outputsSource({ type, inputs, outputs }: AnyDefinition, written: Written): string {
  const [given, shown] = [fieldsOf(inputs), fieldsOf(outputs)];
  const members = mapped({ ...given, ...shown }, (schema, key) => {
    const mayMiss = !(key in shown) && isOptional(schema) ? " | undefined" : "";
    return `readonly ${key}: pulumi.Output<${outputType(schema)}${mayMiss}>;`;
  });
  // An output that is no more than a declared input is written once, in the words of the input.
  const declared = Object.keys(given).filter((key) => !(key in shown) && !/\bJson\b/.test(members.get(key) ?? ""));
  return interfaceSource(type, members, written, { of: `${type}Args`, keys: declared });
}

function mapped(fields: Record<string, z.ZodType>, member: (schema: z.ZodType, key: string) => string): Members {
  return new Map(
    Object.entries(fields).map(([key, schema]) => [key, jsDoc(descriptionOf(schema)) + member(schema, key)]),
  );
}

/** The members of a resource that show its arguments. */
interface Showing {
  readonly of: string;
  readonly keys: readonly string[];
}

/** Returns an interface. It extends that of another kind which has all of its members but few. `showing`: for a resource. */
function interfaceSource(name: string, members: Members, { interfaces }: Written, showing?: Showing): string {
  const texts = new Set(members.values());
  const alike = interfaces.find(
    (one) => 2 * textsOf(one.members).filter((text) => texts.has(text)).length > members.size,
  );
  const shared = new Set(alike?.members.values());
  const others = [...(alike?.members ?? [])].flatMap(([key, text]) => (texts.has(text) ? [] : [JSON.stringify(key)]));
  const own = new Map([...members].filter(([, text]) => !shared.has(text)));
  interfaces.push({ name, members });
  const shows = (showing?.keys ?? []).filter((key) => own.delete(key)).map((key) => JSON.stringify(key));
  const omitted = [...(showing ? ["keyof pulumi.CustomResource"] : []), ...others].join(" | ");
  const bases = [
    ...(showing ? ["pulumi.CustomResource"] : []),
    ...(showing && shows.length > 0 ? [`Declared<${showing.of}, ${shows.join(" | ")}>`] : []),
    ...(alike === undefined ? [] : [`Omit<${alike.name}, ${omitted}>`]),
  ];
  const base = bases.length === 0 ? "" : ` extends ${bases.join(", ")}`;
  return `export interface ${name}${base} {\n  ${textsOf(own).join("\n  ")}\n}`;
}

function textsOf(members: Members): string[] {
  return [...members.values()];
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
    const members = Object.entries(shape.fields).map(([key, item]) => {
      const type = inputType(item, `${name}${pascal(key)}`, nested);
      return `${jsDoc(descriptionOf(item))}${key}${isOptional(item) ? "?" : ""}: ${type};`;
    });
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

export function jsDoc(text: string): string {
  return text === "" ? "" : `/** ${text} */\n`;
}

function pascal(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

/** Zod types the shape of a general object as any. */
function fieldsOf(schema: z.ZodObject): Record<string, z.ZodType> {
  return schema.shape;
}
