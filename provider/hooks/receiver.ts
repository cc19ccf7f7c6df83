/**
 * A receiver of webhooks: checks the token, reads the event, drops repeated deliveries, and answers as the service
 * expects. It takes a standard `Request` and gives a `Response`, so it runs wherever those do; `nodeListener` is for node:http.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { EventType, Funnel, Lead, Page, Product, Project, Site } from "../api/index.ts";

export type HookHandlers = {
  readonly [Type in EventType]?: (event: HookEvent<Type>) => unknown;
};

export interface ReceiverOptions {
  /** `deliveryToken` of the hook; several for several hooks, or while one replaces another. Absent: the receiver asks for none. */
  readonly token?: string | readonly string[];
  /** The handlers of events. If one fails, the receiver answers with 500, and handles the event again when the service delivers it again. */
  readonly on: HookHandlers;
  /** Default: in memory. */
  readonly seen?: SeenEvents;
  /** Hears the error that a handler throws. Default: writes it to standard error. */
  readonly onError?: (error: unknown, event: HookEvent) => void;
  /** Largest body in bytes; 1 MiB unless given. */
  readonly maxBytes?: number;
}

export type Receive = (request: Request) => Promise<Response>;

export const MAX_BYTES = 1024 * 1024;

export function hookReceiver(options: ReceiverOptions): Receive {
  const { token, seen = rememberEvents(), maxBytes = MAX_BYTES } = options;
  const tokens = token === undefined ? undefined : [token].flat();
  if (tokens !== undefined && (tokens.length === 0 || tokens.includes(""))) {
    throw new TypeError(
      "token is empty, so nothing could be accepted: give the hook's deliveryToken, or leave token out",
    );
  }
  /** A second delivery that comes while the first is handled waits for it, and shares its answer. */
  const underWay = new Map<string, Promise<Response>>();

  return async (request) => {
    if (request.method !== "POST") return answer(405, "events are sent with POST");
    if (tokens !== undefined && !hasToken(request.url, tokens)) return answer(403, "wrong token");
    const body = await textOf(request, maxBytes);
    if (body === undefined) return answer(413, `the body is larger than ${maxBytes} bytes`);
    const event = readEvent(body);
    if (typeof event === "string") return answer(400, event);
    const { id } = event;
    const work = underWay.get(id) ?? handleOnce(event, options, seen).finally(() => underWay.delete(id));
    underWay.set(id, work);
    return (await work).clone();
  };
}

async function handleOnce(event: HookEvent, options: ReceiverOptions, seen: SeenEvents): Promise<Response> {
  try {
    if (await seen.has(event.id)) return answer(200, "handled before");
    const handle = Object.hasOwn(options.on, event.event_type)
      ? (options.on[event.event_type] as ((event: HookEvent) => unknown) | undefined)
      : undefined;
    if (handle === undefined) return answer(200, "not handled here");
    await handle(event);
    await seen.add(event.id);
    return answer(200, "handled");
  } catch (error) {
    (options.onError ?? toStandardError)(error, event);
    return answer(500, "the handler failed");
  }
}

function toStandardError(error: unknown, { event_type: type, id }: HookEvent): void {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${type} ${id} was not handled: ${why}\n`);
}

function answer(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

/** Returns the body as text; undefined if it is larger. */
async function textOf({ body }: Request, most: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    if (size > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The records that events are about, as far as the service says: an event has an id, a type, and fields of its record. */
interface Subjects {
  "form_lead.created": Lead;
  "quiz_lead.created": Lead;
  "page.created": Page;
  "page.published": Page;
  "product.created": Product;
  "funnel.created": Funnel;
  "site.created": Site;
  "project.created": Project;
}

/** The service shows fields by a sample alone, so none of them is certain. `getHookSample` reads one. */
export type HookEvent<Type extends EventType = EventType> = {
  readonly [One in Type]: {
    /** The same for every delivery of one event. */
    readonly id: string;
    readonly event_type: One;
  } & Readonly<Partial<Omit<Subjects[One], "id">>> &
    Readonly<Record<string, unknown>>;
}[Type];

/** Returns the event, or says in words what is wrong with a body that should be one. */
function readEvent(body: string): HookEvent | string {
  let event: unknown;
  try {
    event = JSON.parse(body);
  } catch {
    return "the body is not JSON";
  }
  if (typeof event !== "object" || event === null || Array.isArray(event)) return "the body is not an object";
  const { id, event_type: type } = event as Record<string, unknown>;
  if ((typeof id !== "string" || id === "") && typeof id !== "number") return "the event has no id";
  if (typeof type !== "string") return "the event has no event_type";
  return { ...event, id: String(id), event_type: type } as HookEvent;
}

/** The parameter of a receiver's URL that carries the token of the subscription (`token: true` of a hook). */
export const TOKEN_PARAMETER = "landform_token";

/** Takes as long for a wrong token as for the right one. */
function hasToken(url: string, accepted: readonly string[]): boolean {
  const given = digest(URL.parse(url)?.searchParams.get(TOKEN_PARAMETER) ?? "");
  return accepted.map((token) => timingSafeEqual(digest(token), given)).includes(true);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Use your own if a receiver is restarted often, or runs on several machines: a table with a unique key does. */
export interface SeenEvents {
  has(id: string): boolean | Promise<boolean>;
  /** Called after the event has been handled. */
  add(id: string): void | Promise<void>;
}

/** Returns a store in memory. It forgets the oldest ids first. */
export function rememberEvents(most = 10_000): SeenEvents {
  const ids = new Set<string>();
  return {
    has: (id) => ids.has(id),
    add: (id) => {
      ids.add(id);
      const [oldest] = ids;
      if (ids.size > most && oldest !== undefined) ids.delete(oldest);
    },
  };
}

/** A receiver on node:http, and on frameworks that take its listeners. */
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
  // The unread rest of a body that is too large must not pass for the next request.
  if (!request.complete) response.setHeader("Connection", "close");
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
}
