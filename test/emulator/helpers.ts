import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator/index.ts";

export async function start(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

/** Matches any text, and text that contains a part. */
export const anyText = expect.any(String) as unknown;
export const textWith = (part: string): unknown => expect.stringContaining(part);

export type Json = Record<string, unknown>;

export type Answer<T = Json> = { status: number; headers: Headers; body: T };

/** Makes a call of the API, with the full key unless told otherwise; an empty key sends none. */
export async function call<T = Json>(
  { baseUrl, apiKey }: Emulator,
  method: string,
  path: string,
  body?: unknown,
  key = apiKey,
): Promise<Answer<T>> {
  const headers: Record<string, string> = { Connection: "close" };
  if (key !== "") headers["Authorization"] = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(baseUrl + path, { method, headers, body: sent });
  return { status: response.status, headers: response.headers, body: (await response.json()) as T };
}

/** Makes a call that must succeed, and returns the answer's body. */
export async function ok<T = Json>(emulator: Emulator, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await call<T>(emulator, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export const project = { name: "Spring", description: "d".repeat(50), context: "c".repeat(200) };

export const create = async (emulator: Emulator, path: string, body: unknown): Promise<string> =>
  (await ok<{ id: string }>(emulator, "POST", path, body)).id;

/** Makes a page of a template that has a form, ready to publish on a site. */
export async function offerPage(emulator: Emulator, name = "Offer"): Promise<{ pageId: string; siteId: string }> {
  const siteId = await create(emulator, "/sites", { name: "spring.example" });
  const pageId = await create(emulator, "/pages/from-template", { template_id: "tpl-hero", name });
  return { pageId, siteId };
}

export interface Receiver {
  url: string;
  received: { method: string | undefined; headers: IncomingHttpHeaders; body: Json }[];
  status: number;
  silent: boolean;
}

export async function receiver(): Promise<Receiver> {
  const receiver: Receiver = { url: "", received: [], status: 200, silent: false };
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      receiver.received.push({ method: request.method, headers: request.headers, body: JSON.parse(text) as Json });
      if (!receiver.silent) response.writeHead(receiver.status, { Location: `${receiver.url}/elsewhere` }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}
