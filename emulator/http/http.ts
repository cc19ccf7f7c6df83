import type { IncomingMessage, ServerResponse } from "node:http";
import { invalid, Refusal } from "./errors.ts";

/** The deepest JSON that is accepted, so that no walk over it can exhaust the stack. */
const maxDepth = 100;

/** Returns the query, and the path as it was sent, which a URL parser would have tidied. */
export function target(request: IncomingMessage): { path: string; search: URLSearchParams } {
  const [path = "/", query = ""] = (request.url ?? "/").split(/\?(.*)/s, 2);
  return { path, search: new URLSearchParams(query) };
}

/** Reads the whole body. It also reads a body that is too large to its end, so that the caller sees the refusal. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) {
    throw new Refusal("too_large", `The body has ${size} bytes, and the service takes at most ${maxBytes}.`);
  }
  return Buffer.concat(chunks);
}

export function parseJson(body: Buffer, contentType: string | undefined): unknown {
  if (contentType?.split(";")[0]?.trim().toLowerCase() !== "application/json") {
    throw invalid(`The body must be sent with Content-Type: application/json, and is ${contentType ?? "without one"}.`);
  }
  if (body.length === 0) throw invalid("The body is empty. Send a JSON object.");
  const value = parse(body);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid("The body must be a JSON object.");
  }
  return value;
}

function parse(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (isDeep(value)) throw new Error(`it is nested deeper than ${maxDepth} levels`);
    return value;
  } catch (error) {
    throw invalid(`The body is not JSON: ${(error as Error).message}.`);
  }
}

function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((entry): unknown[] =>
      typeof entry === "object" && entry !== null ? Object.values(entry) : [],
    );
  }
  return false;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  type: string;
  text: string;
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers, type: "application/json; charset=utf-8", text: JSON.stringify(body) };
}

export function html(status: number, text: string): Reply {
  return { status, type: "text/html; charset=utf-8", text };
}

export function send(response: ServerResponse, reply: Reply): void {
  writeHead(response, reply);
  response.end(reply.text);
}

/** Announces the whole answer, sends half of it, and cuts the connection. */
export function sendHalf(response: ServerResponse, reply: Reply): void {
  writeHead(response, reply);
  const bytes = Buffer.from(reply.text);
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
  response.socket?.destroySoon();
}

function writeHead(response: ServerResponse, { status, headers, type, text }: Reply): void {
  response.writeHead(status, {
    ...headers,
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
}
