/** ajv over the schemas of an OpenAPI 3.0 document. */
import { type ValidateFunction, Ajv } from "ajv";
import formats from "ajv-formats";
import type { Schema } from "./openapi.ts";

const ajv = new Ajv({ strict: true, strictRequired: false, strictTypes: false, allErrors: true });
formats.default(ajv);
for (const keyword of ["x-json", "x-not-shown"]) ajv.addKeyword(keyword);

const compiled = new WeakMap<Schema, ValidateFunction>();

/** Returns the errors of the value, one line each; none if it is valid. */
export function violations(schema: Schema, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(schema);
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath || "/"} ${error.message ?? error.keyword}`);
}
