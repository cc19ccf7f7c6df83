/** A server that answers by a test's script, request by request, and remembers the requests. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ApiError, LandformApi, type ApiConfig } from "../../provider/api/index.ts";

export interface Seen {
  readonly method: string;
  /** The path below /v1, with the query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

export type Step = (request: Seen, response: ServerResponse) => void;

export const testKey = "lf_live_3f9c0a1b2c3d4e5f";

export async function startScriptedServer(port = 0) {
  const seen: Seen[] = [];
  const apis: LandformApi[] = [];
  let steps: Step[] = [json(200, [])];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const path = (request.url ?? "").replace(/^\/v1/, "");
      const entry = { method: request.method ?? "", path, headers: request.headers, body };
      seen.push(entry);
      const step = steps.length > 1 ? steps.shift() : steps[0];
      step?.(entry, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    seen,
    /** Each step answers one of the next requests. The last step answers all that follow. */
    script: (...next: Step[]): void => {
      steps = next;
      seen.length = 0;
    },
    api: (config?: Partial<ApiConfig>): LandformApi => {
      const api = new LandformApi({ baseUrl: `${origin}/v1`, apiKey: testKey, ...config });
      apis.push(api);
      return api;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await Promise.all([...apis.map((api) => api.close()), new Promise((resolve) => server.close(resolve))]);
    },
  };
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Step {
  return (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
  };
}

export const refusal = (status: number, error: string, message = "", headers: Record<string, string> = {}): Step =>
  json(status, { error, message }, headers);

export function html(status: number): Step {
  return (_, response) => {
    response.writeHead(status, { "content-type": "text/html" }).end("<!doctype html><title>Proxy</title>");
  };
}

/** Ends the connection without a byte of an answer. */
export const cut: Step = (_, response) => {
  response.socket?.destroy();
};

/** Sends half of the announced body, then ends the connection. */
export function truncated(value: unknown): Step {
  return (_, response) => {
    const body = JSON.stringify(value);
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.write(body.slice(0, body.length / 2), () => response.socket?.destroy());
  };
}

/** Sends a complete answer that ends in the middle of its JSON. */
export function halfJson(value: unknown): Step {
  return (_, response) => {
    const body = JSON.stringify(value);
    response.writeHead(200, { "content-type": "application/json" }).end(body.slice(0, body.length / 2));
  };
}

/** Never answers. */
export const silence: Step = () => undefined;

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** Returns the error of a call, which has to fail with one of the client's own. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(() => undefined).catch((reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw new Error("the call did not fail", { cause: error });
}

export async function collect<T>(records: AsyncIterable<T>): Promise<T[]> {
  const got: T[] = [];
  for await (const record of records) got.push(record);
  return got;
}
