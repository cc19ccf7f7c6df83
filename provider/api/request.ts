/** From an operation and its input to what goes over the wire. Pure. */
import { faultOfId } from "./id-fault.ts";
import type { CallInput } from "./caller.ts";
import { PathError } from "./errors.ts";
import type { Method } from "./operations.ts";

/** Where an operation is found. */
export interface Target {
  readonly method: Method;
  readonly path: string;
  /** Ids that this service takes in the query or the body instead of the path. */
  readonly idsIn?: { readonly place: "query" | "body"; readonly names: Readonly<Record<string, string>> };
}

export interface WireRequest {
  readonly method: Method;
  /** Below the base URL, without the query: what messages show. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  readonly body: string | undefined;
}

export function buildRequest(target: Target, input: CallInput): WireRequest {
  const ids = input.ids ?? {};
  for (const [name, id] of Object.entries(ids)) refuseFaultyId(target, name, id);
  const moved = movedIds(target, ids);
  const query = target.idsIn?.place === "query" ? { ...input.query, ...moved } : input.query;
  const body = target.idsIn?.place === "body" ? { ...input.body, ...moved } : input.body;
  return {
    method: target.method,
    path: fillPath(target, ids),
    query: encodeQuery(query ?? {}),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/**
 * `encodeURIComponent` leaves `.` and `..` as they are, and a URL parser then eats a segment: an id could name another
 * resource, `DELETE /pages/..`. So those are refused, and the path is checked once more against its template.
 */
function fillPath(target: Target, ids: Readonly<Record<string, string>>): string {
  const template = target.path;
  if (!template.includes("{")) return template;
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""));
  const segments = new URL(path, "http://localhost").pathname.split("/");
  if (segments.length !== template.split("/").length || segments.slice(1).includes("")) {
    throw pathError(target, "the ids change the shape of the path");
  }
  return path;
}

function refuseFaultyId(target: Target, name: string, id: string): void {
  const fault = faultOfId(id);
  if (fault !== undefined) throw pathError(target, `${name} ${fault}`);
}

function pathError({ method, path }: Target, what: string): PathError {
  const remedy = "Use ids exactly as the service returned them; nothing was sent.";
  return new PathError({ method, path, what, remedy, outcome: "refused" });
}

function encodeQuery(query: NonNullable<CallInput["query"]>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

function movedIds(target: Target, ids: Readonly<Record<string, string>>): Record<string, string> {
  const names = Object.entries(target.idsIn?.names ?? {});
  return Object.fromEntries(names.map(([name, wireName]) => [wireName, ids[name] ?? ""]));
}
