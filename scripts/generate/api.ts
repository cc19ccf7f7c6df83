/** The client's knowledge of the service, from schema/api.yaml: operations, and the types of their inputs and records. */
import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { parse } from "yaml";

const SPECIFICATION = new URL("../../schema/api.yaml", import.meta.url);
const NOTICE = '/** Generated from schema/api.yaml by "npm run generate". */';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly "x-json"?: string;
  readonly required?: readonly string[];
  readonly content?: { readonly "application/json": { readonly schema: Schema } };
}

interface Parameter {
  readonly $ref?: string;
  readonly in?: string;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly "x-scopes": readonly string[];
  readonly "x-not-shown"?: string;
  readonly requestBody?: Schema;
}

type PathItem = Readonly<Record<string, Operation>> & { readonly "x-not-shown"?: string };

interface Specification {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly requestBodies: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Schema>>;
  };
}

const specification = parse(readFileSync(SPECIFICATION, "utf8")) as Specification;
const { paths, components } = specification;

/** Drops `anyOf` beside `properties`, which says which fields must be there. No type can say that: it would accept anything. */
function withoutConditions(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("properties" in value && "anyOf" in value)) return value;
  const { anyOf, ...rest } = value;
  return rest;
}

const METHODS = ["get", "post", "patch", "delete"];

const USED_TYPES = new Set(["components", "operations"]);

/** Returns the types of what the client sends. What the service answers is read field by field, with the readers of the records. */
export async function apiTypesSource(): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(inputsAlone(), withoutConditions), {
    immutable: true,
    silent: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
  });
  const printed = astToString(nodes.filter((node) => "name" in node && USED_TYPES.has(nameOf(node.name))));
  return `${NOTICE}\n${printed.replaceAll(/^ +readonly \w+\??: never;\n/gm, "")}`;
}

function nameOf(name: unknown): string {
  return (name as { readonly text?: string } | undefined)?.text ?? "";
}

/** Returns the document without answers, and without the schemas that only answers use. */
function inputsAlone(): unknown {
  const inputs = Object.entries(paths).map(([path, item]): [string, unknown] => {
    const operations = METHODS.flatMap((method): [string, unknown][] => {
      const { operationId, parameters = [], requestBody } = item[method] ?? {};
      const query = parameters
        .map((parameter) => parameterOf(parameter))
        .filter((parameter) => parameter.in === "query");
      if (query.length === 0 && !requestBody) return [];
      return [
        [method, { operationId, parameters: query, requestBody: requestBody && bodyOf(requestBody), responses: {} }],
      ];
    });
    return [path, Object.fromEntries(operations)];
  });
  const used = Object.fromEntries(inputs) as unknown;
  return { ...specification, paths: used, components: { schemas: schemasIn(used) } };
}

/** Returns the schemas that a part of the document names, directly or through others. */
function schemasIn(part: unknown, found: Record<string, Schema> = {}): Record<string, Schema> {
  for (const name of namesIn(part)) {
    const schema = components.schemas[name];
    if (!schema || name in found) continue;
    found[name] = schema;
    schemasIn(schema, found);
  }
  return found;
}

export function operationsSource(): string {
  const entries = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const unlisted = /^The path /.test(operation["x-not-shown"] ?? item["x-not-shown"] ?? "");
      const scopes = JSON.stringify(operation["x-scopes"]);
      const ids = method === "get" ? [] : idsInBody(operation);
      const names = ids.length > 0 ? `, names: ${JSON.stringify(ids)}` : "";
      const more = `${names}${unlisted ? ", unlisted: true" : ""}`;
      return [
        `  ${operation.operationId}: { method: "${method.toUpperCase()}", path: "${path}", scopes: ${scopes}${more} },`,
      ];
    }),
  );
  return [NOTICE, "export const described = {", ...entries, "} as const;", ""].join("\n");
}

/** Returns the ids in a body that a call needs to name its objects. */
function idsInBody({ requestBody }: Operation): string[] {
  const schema = requestBody && bodyOf(requestBody).content?.["application/json"].schema;
  return requiredIn(schema ?? {}).filter((field) => field.endsWith("_id"));
}

function bodyOf(body: Schema): Schema {
  return body.$ref === undefined ? body : (components.requestBodies[nameIn(body.$ref)] ?? {});
}

function parameterOf(parameter: Parameter): Parameter {
  return parameter.$ref === undefined ? parameter : (components.parameters[nameIn(parameter.$ref)] ?? {});
}

/** The records that an operation answers with, alone or in a list. A list's record is one of these, too. */
const ANSWERED = new Set(Object.values(components.responses).flatMap(({ content }) => namesIn(content)));

function namesIn(part: unknown): string[] {
  const found = JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [...found].map(([, name = ""]) => name);
}

/** Returns the fields of each record as the client reads them. They allow for differences between implementations of the specification. */
export function fieldsSource(): string {
  const records = Object.entries(components.schemas).flatMap(([name, schema]) => {
    const properties = propertiesOf(schema);
    if (!("id" in properties) || !ANSWERED.has(name)) return [];
    const fields = Object.entries(properties).map(([field, property]) => `  ${field}: ${reader(field, property)},`);
    return [`export const ${name} = {`, ...fields, "};", ""];
  });
  const events = resolve({ $ref: "#/components/schemas/EventType" }).enum ?? [];
  return [
    NOTICE,
    'import { z } from "zod";',
    'import { anything, count, decoded, flagOr, id, listOf, nullableNumber, nullableObject, nullableText, text } from "../wire.ts";',
    "",
    ...records,
    `export const eventTypes = ${JSON.stringify(events)} as const;`,
    "",
  ].join("\n");
}

function reader(field: string, property: Schema): string {
  const schema = resolve(property);
  if (field === "id") return "id";
  if (field.endsWith("_id")) return "nullableText";
  if (field.endsWith("_count") && schema.type === "number") return "count";
  if (schema["x-json"] !== undefined) return "decoded";
  switch (schema.type) {
    case "string":
      return schema.nullable === true ? "nullableText" : "text";
    case "boolean":
      return "flagOr(false)";
    case "number":
    case "integer":
      return "nullableNumber";
    case "array":
      return "listOf(z.unknown())";
    case "object":
      return "nullableObject";
    default:
      return "anything";
  }
}

function propertiesOf(schema: Schema): Record<string, Schema> {
  const { properties = {}, allOf = [] } = resolve(schema);
  return Object.assign({}, ...allOf.map(propertiesOf), properties) as Record<string, Schema>;
}

function requiredIn(schema: Schema): readonly string[] {
  const { required = [], allOf = [] } = resolve(schema);
  return [...allOf.flatMap(requiredIn), ...required];
}

function resolve(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolve(components.schemas[nameIn(schema.$ref)] ?? {});
}

function nameIn(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}
