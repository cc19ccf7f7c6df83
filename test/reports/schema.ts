/** Checks reports against schema/report.schema.json, which may not leave anything out. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";

const file = join(import.meta.dirname, "../../schema/report.schema.json");
const validate = new Ajv({ allErrors: true }).compile(closed(JSON.parse(readFileSync(file, "utf8"))) as object);

/** Returns the errors, and the fields that the schema doesn't name. */
export function problemsOf(report: unknown): string[] {
  validate(JSON.parse(JSON.stringify(report)));
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(" "),
  );
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in inner && inner["type"] === "object" ? { additionalProperties: false, ...inner } : inner;
}
