import { invalid } from "../http/errors.ts";
import type { Service } from "../records/service.ts";

/** A call that the contract has accepted, so a handler can trust the types of query and body. */
export interface Call<Query = unknown, Body = unknown> {
  params: Record<string, string>;
  query: Query;
  body: Body;
}

/** Carries out an operation and returns its answer. It throws a refusal before it changes anything. */
export type Handler = (service: Service, call: Call<never, never>) => unknown;

/** Handlers by operationId. */
export type Operations = Record<string, Handler>;

export interface Deleted {
  success: true;
  id: string;
  deleted: true;
}

export function deleted(id: string): Deleted {
  return { success: true, id, deleted: true };
}

/** Reads a value that may come as itself or as a string of JSON. */
export function fromJson<T>(value: T | string, field: string, shape: "an object" | "an array"): T {
  const parsed: unknown = typeof value === "string" ? parse(value, field) : value;
  const fits = shape === "an array" ? Array.isArray(parsed) : isObject(parsed);
  if (!fits) throw invalid(`The body is wrong: ${field} must be ${shape}, or ${shape} as a string of JSON.`);
  return parsed as T;
}

function parse(text: string, field: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`The body is wrong: ${field} is a string that is not JSON: ${(error as Error).message}.`);
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
