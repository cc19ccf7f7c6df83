/** Reads schema/api.yaml (or a served document) as typed operations with every reference followed. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export interface Schema {
  type?: "string" | "number" | "integer" | "boolean" | "object" | "array";
  nullable?: boolean;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  default?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  description?: string;
  "x-json"?: string;
  "x-not-shown"?: string;
}

export interface Parameter {
  name: string;
  in: "query" | "path";
  required?: boolean;
  description?: string;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  tags: string[];
  /** The key needs any one of these. Empty: no key is needed. */
  scopes: string[];
  needsKey: boolean;
  pathShown: boolean;
  parameters: Parameter[];
  body?: { required: boolean; schema: Schema };
  /** The responses by status. */
  responses: Record<string, { schema?: Schema; errorCodes: string[] }>;
}

type Media = { content?: Record<string, { schema: Schema }> };
interface RawOperation {
  operationId: string;
  tags: string[];
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: Media & { required?: boolean };
  responses: Record<string, Media & { "x-error-codes"?: string[] }>;
  "x-scopes": string[];
}
type PathItem = Partial<Record<"get" | "post" | "patch" | "delete", RawOperation>> & {
  parameters?: Parameter[];
  "x-not-shown"?: string;
};
export interface OpenapiDocument {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, Schema> };
}

export const apiYamlPath = new URL("../../schema/api.yaml", import.meta.url);

/** Returns schema/api.yaml with every $ref replaced by its target. */
export const loadDocument = (): OpenapiDocument => dereference(parse(readFileSync(apiYamlPath, "utf8")));

/** Replaces every local $ref. The document has no recursive schema. */
export function dereference(document: unknown): OpenapiDocument {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow);
    if (typeof value !== "object" || value === null) return value;
    const ref: unknown = (value as Record<string, unknown>).$ref;
    if (typeof ref === "string") return follow(pointer(document, ref));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, follow(inner)]));
  };
  return follow(document) as OpenapiDocument;
}

function pointer(document: unknown, ref: string): unknown {
  return ref
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, key) => {
      const next = (value as Record<string, unknown>)[key];
      if (next === undefined) throw new Error(`Nothing at ${ref}`);
      return next;
    }, document);
}

export const operationsOf = (document: OpenapiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    (["get", "post", "patch", "delete"] as const).flatMap((method) => {
      const raw = item[method];
      return raw ? [operation(path, item, method, raw)] : [];
    }),
  );

function operation(path: string, item: PathItem, method: string, raw: RawOperation): Operation {
  const body = raw.requestBody?.content?.["application/json"];
  return {
    id: raw.operationId,
    method: method.toUpperCase() as Operation["method"],
    path,
    tags: raw.tags,
    scopes: raw["x-scopes"],
    needsKey: raw.security?.length !== 0,
    pathShown: item["x-not-shown"] === undefined,
    parameters: [...(item.parameters ?? []), ...(raw.parameters ?? [])],
    body: body && { required: raw.requestBody?.required === true, schema: body.schema },
    responses: Object.fromEntries(
      Object.entries(raw.responses).map(([status, response]) => [
        status,
        {
          schema: response.content?.["application/json"]?.schema,
          errorCodes: response["x-error-codes"] ?? [],
        },
      ]),
    ),
  };
}

/** Returns the properties and required names of an object schema, with those of its allOf parts. */
export function objectFields(schema: Schema): { properties: Record<string, Schema>; required: string[] } {
  const parts = [schema, ...(schema.allOf ?? [])].map((part) =>
    part === schema ? { properties: part.properties ?? {}, required: part.required ?? [] } : objectFields(part),
  );
  return {
    properties: Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, Schema>,
    required: [...new Set(parts.flatMap((part) => part.required))],
  };
}
