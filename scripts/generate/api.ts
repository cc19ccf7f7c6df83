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

interface Operation {
  readonly operationId: string;
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

export async function apiTypesSource(): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(specification, withoutConditions), {
    immutable: true,
    silent: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
  });
  return `${NOTICE}\n${astToString(nodes)}`;
}

const METHODS = ["get", "post", "patch", "delete"];

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
  const body = requestBody?.$ref === undefined ? requestBody : components.requestBodies[nameIn(requestBody.$ref)];
  return requiredIn(body?.content?.["application/json"].schema ?? {}).filter((field) => field.endsWith("_id"));
}

/** Returns the fields of each record as the client reads them. They allow for differences between implementations of the specification. */
export function fieldsSource(): string {
  const records = Object.entries(components.schemas).flatMap(([name, schema]) => {
    const properties = propertiesOf(schema);
    if (!("id" in properties)) return [];
    const fields = Object.entries(properties).map(([field, property]) => `  ${field}: ${reader(field, property)},`);
    return [`export const ${name} = {`, ...fields, "};", ""];
  });
  const events = resolve({ $ref: "#/components/schemas/EventType" }).enum ?? [];
  return [
    NOTICE,
    'import { z } from "zod";',
    'import { anything, decoded, flagOr, id, listOf, nullableNumber, nullableObject, nullableText, text } from "../wire.ts";',
    "",
    ...records,
    `export const eventTypes = ${JSON.stringify(events)} as const;`,
    "",
  ].join("\n");
}

function reader(field: string, property: Schema): string {
  const schema = resolve(property);
  if (field === "id") return "id";
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
