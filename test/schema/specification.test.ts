/** schema/api.yaml against the hand-made transcript of the prose specification, both ways. */
import { describe, expect, test } from "vitest";
import { type Operation, type Parameter, type Schema, loadDocument, objectFields, operationsOf } from "./openapi.ts";
import { inputs, results } from "./records.ts";
import { errors, eventTypes, operations, scopes } from "./specification.ts";

const document = loadDocument();
const described = operationsOf(document);
const schemas = document.components.schemas;

/** Returns a schema in the notation of the transcript, which follows the field's name. */
function notation(schema: Schema): string {
  const base = typeNotation(schema);
  const shortest = schema.minLength === undefined ? "" : ` [${schema.minLength}..]`;
  const range = schema.minimum === undefined ? "" : ` [${schema.minimum}..${schema.maximum ?? ""}]`;
  const fallback = schema.default === undefined ? "" : ` =${String(schema.default)}`;
  return `${base}${shortest}${range}${fallback}`;
}

function typeNotation(schema: Schema): string {
  if (schema.oneOf) return schema.oneOf.map(typeNotation).join("|");
  if (schema.enum) return schema.enum.join("|");
  const type = schema["x-json"] === undefined ? (schema.type ?? "untyped") : "json";
  return schema.nullable ? `${type}|null` : type;
}

function fieldsNotation(schema: Schema, markRequired: boolean): string[] {
  const { properties, required } = objectFields(schema);
  return Object.entries(properties)
    .map(([name, property]) => `${name}${markRequired && required.includes(name) ? "!" : ""} ${notation(property)}`)
    .sort();
}

const queryNotation = (parameters: Parameter[]): string[] =>
  parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, required, schema }) => `${name}${required ? "!" : ""} ${notation(schema)}`)
    .sort();

const split = (text: string): string[] => (text === "" ? [] : text.split("; ").sort());

function find(id: string): Operation {
  const operation = described.find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`schema/api.yaml has no operation ${id}`);
  return operation;
}

function success(operation: Operation): Schema {
  const [status] = Object.keys(operation.responses).filter((key) => key.startsWith("2"));
  const schema = operation.responses[status ?? ""]?.schema;
  if (!schema) throw new Error(`${operation.id} has no success schema`);
  return schema;
}

test("both name the same 57 operations", () => {
  expect(operations).toHaveLength(57);
  expect(described.map((operation) => operation.id).sort()).toEqual(operations.map((row) => row.id).sort());
});

describe.each(operations)("$id", (row) => {
  test("method, path, scopes and query", () => {
    const { method, path, pathShown, scopes: anyOf, parameters, needsKey } = find(row.id);
    expect({ method, path, pathShown }).toEqual({ method: row.method, path: row.path, pathShown: row.pathShown });
    expect([...anyOf].sort()).toEqual([...row.scopes].sort());
    expect(needsKey).toBe(row.scopes.length > 0);
    expect(queryNotation(parameters)).toEqual(split(row.query));
  });

  test("path parameters are those of the template", () => {
    const named = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = find(row.id).parameters.filter((parameter) => parameter.in === "path");
    expect(declared.map((parameter) => parameter.name)).toEqual(named);
    expect(declared.every((parameter) => parameter.required)).toBe(true);
  });

  test("body and result are the named records", () => {
    const operation = find(row.id);
    expect(operation.body?.schema).toEqual(row.body === undefined ? undefined : schemas[row.body]);
    expect(operation.body?.required).toBe(row.body === undefined ? undefined : true);
    const schema = success(operation);
    const [, name, array] = /^(\w+)(\[\])?$/.exec(row.result) ?? [];
    expect(array ? schema.items : schema).toEqual(schemas[name ?? ""]);
    expect(schema.type === "array").toBe(array !== undefined);
  });

  test("every refusal the specification names is answered with the error record", () => {
    const { responses, needsKey } = find(row.id);
    expect("401" in responses && "403" in responses).toBe(needsKey);
    for (const [status, response] of Object.entries(responses)) {
      if (status.startsWith("2")) continue;
      expect(response.schema).toEqual(schemas.Error);
      expect(response.errorCodes, `${row.id} ${status}`).not.toEqual([]);
    }
  });
});

test.each(Object.entries(results))("result %s has the transcript's fields", (name, fields) => {
  expect(fieldsNotation(schemas[name] ?? {}, name === "Error")).toEqual(split(fields));
});

test.each(Object.entries(inputs))("input %s has the transcript's fields", (name, fields) => {
  expect(fieldsNotation(schemas[name] ?? {}, true)).toEqual(split(fields));
});

test("every schema is in the transcript, save parts of others and what is not shown", () => {
  const parts = [
    "Timestamp",
    "PageStatus",
    "FromTemplate",
    "FunnelPages",
    "ProductType",
    "ProductFields",
    "ProductVariant",
  ];
  const loose = ["AccountCounts", "Event", "EventType", "OpenapiDocument"];
  const transcribed = [...Object.keys(results), ...Object.keys(inputs)];
  expect(Object.keys(schemas).sort()).toEqual([...transcribed, ...parts, ...loose].sort());
});

test("every scope guards an operation, and there are no others", () =>
  expect([...new Set(described.flatMap((operation) => operation.scopes))].sort()).toEqual([...scopes].sort()));

test("event types", () => expect(schemas.EventType?.enum).toEqual([...eventTypes]));

test("every shown error of the table can be answered by some operation", () => {
  const answered = described.flatMap(({ responses }) =>
    Object.entries(responses).map(([status, { errorCodes }]) => ({ status: Number(status), errorCodes })),
  );
  for (const { status, code, condition } of errors) {
    const found = answered.some(
      (answer) =>
        answer.status >= 400 &&
        (status === undefined || answer.status === status) &&
        (code === undefined || answer.errorCodes.includes(code)),
    );
    expect(found, condition).toBe(true);
  }
});
