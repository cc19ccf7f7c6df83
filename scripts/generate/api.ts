/** The client's knowledge of the service, from schema/api.yaml: operations, and the types of their inputs and records. */
import { readFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { parse } from "yaml";

const SPECIFICATION = new URL("../../schema/api.yaml", import.meta.url);
const RECORDS = new URL("../../provider/api/records.ts", import.meta.url);
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
  readonly name?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
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
  readonly openapi: string;
  readonly info: unknown;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly requestBodies: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

const specification = parse(readFileSync(SPECIFICATION, "utf8")) as Specification;
const { paths, components } = specification;

/**
 * Drops what no type says: defaults, and `anyOf` beside `properties`, which says which fields must be there. With that, a type would accept
 * anything.
 */
function withoutConditions(key: string, value: unknown): unknown {
  if (key === "default") return undefined;
  if (typeof value !== "object" || value === null || !("properties" in value && "anyOf" in value)) return value;
  const { anyOf, ...rest } = value;
  return rest;
}

const METHODS = ["get", "post", "patch", "delete"];

/** Returns the types of what the client sends. What the service answers is read field by field, with the readers of the records. */
export async function apiTypesSource(): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(inputsAlone(), withoutConditions), {
    immutable: true,
    silent: true,
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
  });
  const printed = astToString(nodes.filter((node) => "name" in node && nameOf(node.name) === "components"));
  return `${NOTICE}\n${printed.replaceAll(/^ +(readonly )?\w+\??: never;\n/gm, "")}`;
}

function nameOf(name: unknown): string {
  return (name as { readonly text?: string } | undefined)?.text ?? "";
}

/** Returns a document of schemas alone: `Bodies` and `Queries` by operation, and the schemas that these name. */
function inputsAlone(): unknown {
  const all = Object.values(paths).flatMap((item) => METHODS.flatMap((method) => item[method] ?? []));
  const bodies = all.flatMap(({ operationId, requestBody }): [string, Schema][] => {
    const schema = requestBody && bodyOf(requestBody).content?.["application/json"].schema;
    return schema ? [[operationId, schema]] : [];
  });
  const queries = all.flatMap(({ operationId, parameters = [] }): [string, Schema][] => {
    const asked = parameters.map((parameter) => parameterOf(parameter)).filter((parameter) => parameter.in === "query");
    const properties = asked.map(({ name = "", schema = {} }): [string, Schema] => [name, schema]);
    const required = asked.flatMap((one) => (one.required === true ? (one.name ?? []) : []));
    return asked.length === 0 ? [] : [[operationId, objectOf(properties, required)]];
  });
  const Bodies = objectOf(bodies);
  const Queries = objectOf(queries);
  const schemas = { ...schemasIn({ Bodies, Queries }), Bodies, Queries };
  return { openapi: specification.openapi, info: specification.info, paths: {}, components: { schemas } };
}

function objectOf(properties: readonly [string, Schema][], required = properties.map(([name]) => name)): Schema {
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/** Returns the schemas that a part of the document names, directly or through others. */
function schemasIn(part: unknown, found: Record<string, Schema> = {}): Record<string, Schema> {
  for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
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

/** Returns the fields of each record that the client reads. They allow for differences between implementations of the specification. */
export function fieldsSource(): string {
  const readers = readFileSync(RECORDS, "utf8");
  const records = Object.entries(components.schemas).flatMap(([name, schema]) => {
    if (!new RegExp(`fields\\.${name}\\b`).test(readers)) return [];
    const fields = Object.entries(propertiesOf(schema)).map(
      ([field, property]) => `  ${field}: ${reader(field, property)},`,
    );
    return [`export const ${name} = {`, ...fields, "};", ""];
  });
  const used = new Set(records.flatMap((line) => [...line.matchAll(/: (\w+)/g)].map(([, reading = ""]) => reading)));
  const events = resolve({ $ref: "#/components/schemas/EventType" }).enum ?? [];
  return [
    NOTICE,
    'import { z } from "zod";',
    `import { ${[...used].sort().join(", ")} } from "../wire.ts";`,
    "",
    ...records,
    `export const eventTypes = ${JSON.stringify(events)} as const;`,
    "",
  ].join("\n");
}

/** Says what was done. If it is missing, the status says so. */
const SAID_BY_STATUS = new Set(["success", "updated", "active"]);

/** An answer may leave out the id of another object: the caller knows it. */
function reader(field: string, property: Schema): string {
  const schema = resolve(property);
  const json = schema["x-json"];
  if (field === "id") return "id";
  if (json !== undefined) return /^The (names|keys)/.test(json) ? "names" : "decoded";
  switch (schema.type) {
    case "string":
      return schema.nullable === true || field.endsWith("_id") ? "nullableText" : "text";
    case "boolean":
      return `flagOr(${String(SAID_BY_STATUS.has(field))})`;
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
