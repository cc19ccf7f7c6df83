import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { type Contract, type Operation, resolve, type Schema } from "./contract.ts";
import { invalid } from "./errors.ts";
import type { NotShown } from "../not-shown.ts";
import { clampLimit } from "./paging.ts";

/** Checks queries and bodies against the contract. It compiles validators when they are first needed. */
export class Validator {
  readonly #contract: Contract;
  readonly #notShown: NotShown;

  constructor(contract: Contract, notShown: NotShown) {
    this.#contract = contract;
    this.#notShown = notShown;
  }

  /** Returns the query with its numbers and booleans parsed. */
  query(operation: Operation, search: URLSearchParams): Record<string, unknown> {
    const known = operation.query.filter(({ name }) => search.has(name));
    this.#refuseUnknown(
      "query",
      [...new Set(search.keys())],
      operation.query.map(({ name }) => name),
    );
    const query: Record<string, unknown> = Object.fromEntries(
      known.map(({ name, schema }) => [name, typed(search.get(name) ?? "", schema["type"])]),
    );
    const maximum = operation.query.find(({ name }) => name === "limit")?.schema["maximum"];
    if (typeof maximum === "number") clampLimit(query, maximum, this.#notShown);
    const validate = this.#compile(`${operation.id} query`, () => querySchema(operation));
    if (!validate(query)) throw invalid(`The query is wrong: ${explain(validate.errors ?? [])}`);
    return query;
  }

  body(operation: Operation, body: unknown): void {
    const { body: schema } = operation;
    if (schema === undefined) return;
    const validate = this.#compile(`${operation.id} body`, () => schema);
    if (!validate(body)) throw invalid(`The body is wrong: ${explain(validate.errors ?? [])}`);
    this.#refuseUnknown("body", Object.keys(body as object), this.#fieldsOf(schema));
  }

  #refuseUnknown(part: "body" | "query", given: readonly string[], known: readonly string[]): void {
    const unknown = given.filter((field) => !known.includes(field));
    if (this.#notShown.unknownFields === "ignore" || unknown.length === 0) return;
    throw invalid(`The ${part} has unknown fields: ${unknown.join(", ")}. Known are ${known.join(", ") || "none"}.`);
  }

  #fieldsOf(schema: Schema): string[] {
    const { properties, allOf } = resolve(this.#contract.document, schema) as { properties?: object; allOf?: Schema[] };
    return [...Object.keys(properties ?? {}), ...(allOf ?? []).flatMap((part) => this.#fieldsOf(part))];
  }

  #compile(name: string, schema: () => Schema): ValidateFunction {
    const { ajv, compiled } = validatorsOf(this.#contract);
    const validate = compiled.get(name) ?? ajv.compile(absolute(schema()));
    compiled.set(name, validate);
    return validate;
  }
}

interface Compiled {
  readonly ajv: Ajv;
  readonly compiled: Map<string, ValidateFunction>;
}

/** Compiling takes longer than an emulator's whole start, so the emulators of a process share it. */
const validators = new WeakMap<Contract, Compiled>();

function validatorsOf(contract: Contract): Compiled {
  const found = validators.get(contract) ?? { ajv: ajvFor(contract), compiled: new Map<string, ValidateFunction>() };
  validators.set(contract, found);
  return found;
}

function ajvFor({ document }: Contract): Ajv {
  const formats = { uri: (text: string) => URL.canParse(text), "date-time": true } as const;
  const ajv = new Ajv({ strict: false, allErrors: true, verbose: true, validateSchema: false, formats });
  ajv.addSchema({ $id: "contract", components: document.components });
  return ajv;
}

/** Parses a number or a boolean. Any other text stays for the contract to refuse. */
function typed(text: string, type: unknown): unknown {
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** References in a schema that stands alone lead into the contract. */
function absolute(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as Schema;
}

function querySchema({ query }: Operation): Schema {
  const required = query.filter((parameter) => parameter.required).map(({ name }) => name);
  return { type: "object", required, properties: Object.fromEntries(query.map(({ name, schema }) => [name, schema])) };
}

/** Returns the errors, one sentence a problem. If no alternative fits, one sentence has all reasons. */
function explain(errors: ErrorObject[]): string {
  const choices = errors.filter(({ keyword }) => keyword === "anyOf" || keyword === "oneOf");
  const inside = (error: ErrorObject, choice: ErrorObject): boolean =>
    error !== choice &&
    error.schemaPath.startsWith(choice.schemaPath) &&
    error.instancePath.startsWith(choice.instancePath);
  const outer = errors.filter((error) => !choices.some((choice) => inside(error, choice)));
  const sentences = outer.map((error) => {
    const branches = errors.filter(
      (other) => choices.includes(error) && inside(other, error) && !choices.includes(other),
    );
    return branches.length > 0 ? alternatives(error, branches) : problem(error);
  });
  return `${[...new Set(sentences)].join("; ")}.`;
}

function alternatives(choice: ErrorObject, branches: ErrorObject[]): string {
  if (branches.every(({ keyword }) => keyword === "required")) {
    const names = branches.map(({ params }) => (params as { missingProperty: string }).missingProperty);
    return `${placeOf(choice)} needs at least one of ${names.join(", ")}`;
  }
  if (branches.every(({ keyword, instancePath }) => keyword === "type" && instancePath === choice.instancePath)) {
    const types = branches.map(({ params }) => (params as { type: string }).type);
    return `${placeOf(choice)} must be ${types.join(" or ")}, and is ${typeName(choice.data)}`;
  }
  const deeper = branches.filter(({ instancePath }) => instancePath.length > choice.instancePath.length);
  const telling = choice.keyword === "oneOf" && deeper.length > 0 ? deeper : branches;
  return telling.map(problem).join(", or ");
}

function problem(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  const place = placeOf(error);
  switch (error.keyword) {
    case "required":
      return `${error.instancePath === "" ? "" : `${place}.`}${String(params["missingProperty"])} is required`;
    case "type":
      return `${place} must be ${String(params["type"])}, and is ${typeName(error.data)}`;
    case "enum":
      return `${place} must be one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
    case "minLength":
      return `${place} must have at least ${String(params["limit"])} characters, and has ${Array.from(String(error.data)).length}`;
    case "format":
      return `${place} must be a ${String(params["format"]).toUpperCase()}`;
    default:
      return `${place} ${error.message ?? "does not fit the contract"}`;
  }
}

function placeOf({ instancePath }: ErrorObject): string {
  return instancePath === "" ? "it" : instancePath.slice(1).replaceAll("/", ".");
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `the ${typeof value} ${shorten(JSON.stringify(value))}`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
