/**
 * Tells if a key may make calls of a kind, without changing anything: by a read, or by a write to an object that cannot exist. It never
 * makes calls that create, so a scope that only these need stays unproven.
 */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Call, type CallInput, type Operation, type OperationName, operations } from "./operations.ts";
import { ApiError, ForbiddenError, NotFoundError } from "./errors.ts";

/** `unproven`: no harmless call would tell, or its answer doesn't tell. */
export type Permission = "granted" | "refused" | "unproven";

/** The sets of scopes that an answer of the service has proven. */
export type Proven = Set<string>;

/** Notes what each answer proves, so that nobody asks about it. */
export function noting(call: Call, proven: Proven): Call {
  return async (name, schema, input) => {
    const answer = await call(name, schema, input);
    proven.add(setOf(operations[name].scopes));
    return answer;
  };
}

/** Tells if the key has any one of the scopes. */
export async function permission(call: Call, scopes: readonly string[], proven: Proven): Promise<Permission> {
  if (proven.has(setOf(scopes))) return "granted";
  const name = harmless(scopes);
  if (name === undefined) return "unproven";
  try {
    await call(name, z.unknown(), aboutNothing(operations[name]));
    return "granted";
  } catch (error) {
    if (isRefusal(error)) return "refused";
    return error instanceof NotFoundError ? "granted" : "unproven";
  }
}

/** Tells if a read alone can prove the scopes. */
export function isProvenByReading(scopes: readonly string[]): boolean {
  const name = harmless(scopes);
  return name !== undefined && operations[name].method === "GET";
}

function setOf(scopes: readonly string[]): string {
  return [...scopes].sort().join();
}

const GENTLEST: readonly Operation["method"][] = ["GET", "DELETE", "PATCH", "POST"];

/** Returns the gentlest call that needs just these scopes. */
function harmless(scopes: readonly string[]): OperationName | undefined {
  const wanted = setOf(scopes);
  const fitting = (Object.keys(operations) as OperationName[]).filter((name) => {
    const operation = operations[name];
    return setOf(operation.scopes) === wanted && operation.unlisted !== true && isHarmless(operation);
  });
  const [gentlest] = fitting.sort(
    (a, b) => GENTLEST.indexOf(operations[a].method) - GENTLEST.indexOf(operations[b].method),
  );
  return gentlest;
}

function isHarmless({ method, path, effect, names = [] }: Operation): boolean {
  return method === "GET" || (effect === "idempotent" && (path.includes("{") || names.length > 0));
}

function aboutNothing({ method, path, names = [] }: Operation): CallInput {
  const nothing = `landform-asks-${randomUUID()}`;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  if (inPath.length > 0) return { ids: Object.fromEntries(inPath.map((name) => [name, nothing])) };
  if (method === "GET") return { query: { limit: 1 } };
  return { body: Object.fromEntries(names.map((name) => [name, nothing])) };
}

/** Tells if the error refuses the key. Any other error says nothing about the key: services answer such calls in many ways. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const code = (error.code ?? "").toLowerCase();
  if (error instanceof ForbiddenError) return !/not.?found/.test(code);
  return /(missing|insufficient|required|lacks?).?scope|scope.?(missing|required|insufficient)/.test(code);
}
