/** A receiver on node:http, and on frameworks that take its listeners. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Receive } from "./receiver.ts";

export function nodeListener(receive: Receive): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    void respond(receive, request, response).catch(() => response.destroy());
  };
}

async function respond(receive: Receive, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const body = method === "GET" || method === "HEAD" ? null : (Readable.toWeb(request) as ReadableStream);
  const init: RequestInit & { duplex: "half" } = { method, body, duplex: "half" };
  const answer = await receive(new Request(new URL(url, "http://receiver.invalid"), init));
  const text = await answer.text();
  // What was not read of a body that is too large must not be taken for the next request.
  if (!request.complete) response.setHeader("Connection", "close");
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
}
