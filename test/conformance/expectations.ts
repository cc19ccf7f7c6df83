/** The specification's promises about an answer, and nothing more. */
import { expect } from "vitest";
import { results } from "../schema/records.ts";
import type { Answer } from "./target.ts";

export type Fields = Record<string, unknown> & { id: string };

/** Fields that only some answers have, by the specification. */
const conditional: Readonly<Record<string, readonly string[]>> = {
  Account: ["plan"],
  SiteCreated: ["custom_domain_instructions"],
  BuilderNode: ["summary"],
  Funnel: ["page_ids", "steps"],
  Video: ["duration"],
  Lead: ["is_completed", "answers"],
  QuizPage: ["status"],
  TemplatedQuizPage: ["status"],
  PageMetadataResult: ["tags"],
};

/** Expects any 2xx with a JSON body. */
export function ok(answer: Answer): unknown {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(200);
  expect(answer.status, answer.text).toBeLessThan(300);
  expect(answer.contentType).toContain("application/json");
  expect(answer.body, "a JSON body").toBeDefined();
  return answer.body;
}

/** Expects a 2xx whose body is the named record. */
export const record = (name: string, answer: Answer): Fields => fields(name, ok(answer));

/** Expects a 2xx whose body is an array of the named records. */
export function list(name: string, answer: Answer): Fields[] {
  const body = ok(answer);
  expect(Array.isArray(body), "a top-level array").toBe(true);
  return (body as unknown[]).map((item) => fields(name, item));
}

/** Expects a refusal with the error body. It checks status and code if the specification shows them. */
export function refused(answer: Answer, expected: { status?: number; code?: string } = {}): void {
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
  expect(answer.status, answer.text).toBeLessThan(500);
  if (expected.status !== undefined) expect(answer.status, answer.text).toBe(expected.status);
  expect(answer.contentType).toContain("application/json");
  const { error, message } = fields("Error", answer.body);
  expect(error).not.toBe("");
  expect(message).not.toBe("");
  if (expected.code !== undefined) expect(error).toBe(expected.code);
}

export function text(value: unknown): string {
  expect(value).toBeTypeOf("string");
  return value as string;
}

export const inside = (value: unknown): unknown => JSON.parse(text(value));

function fields(name: string, value: unknown): Fields {
  expect(value, name).toBeTypeOf("object");
  expect(value, name).not.toBeNull();
  const found = value as Fields;
  for (const field of (results[name] ?? "").split("; ")) {
    const [key = "", type = ""] = field.replace("!", "").split(" ");
    const mayBeAbsent = type.includes("null") || conditional[name]?.includes(key) === true;
    if (found[key] === undefined && mayBeAbsent) continue;
    expect(matches(type, found[key]), `${name}.${key} is ${JSON.stringify(found[key])}, not ${type}`).toBe(true);
  }
  return found;
}

function matches(type: string, value: unknown): boolean {
  return type.split("|").some((one) => {
    if (one === "untyped") return true;
    if (one === "null") return value === null;
    if (one === "array") return Array.isArray(value);
    if (one === "true") return value === true;
    if (one === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
    if (one === "json") return typeof value === "string" && isJson(value);
    if (one === "string" || one === "number" || one === "boolean") return typeof value === one;
    return value === one;
  });
}

function isJson(value: string): boolean {
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
