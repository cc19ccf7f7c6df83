/**
 * A receiver of webhooks: checks the token, reads the event, drops repeated deliveries, and answers as the service
 * expects. It takes a standard `Request` and gives a `Response`, so it runs wherever those do; `nodeListener` is for node:http.
 */
import type { EventType } from "../api/index.ts";
import { readEvent, type HookEvent } from "./events.ts";
import { rememberEvents, type SeenEvents } from "./seen.ts";
import { hasToken } from "./token.ts";

export type HookHandlers = {
  readonly [Type in EventType]?: (event: HookEvent<Type>) => unknown;
};

export interface ReceiverOptions {
  /** `deliveryToken` of the hook; several for several hooks, or while one replaces another. Left out: none is asked for. */
  readonly token?: string | readonly string[];
  /** What is done with an event. One that fails is answered with 500 and handled again when it is delivered again. */
  readonly on: HookHandlers;
  /** In memory, unless given. */
  readonly seen?: SeenEvents;
  /** Told of what a handler throws; written to standard error, unless given. */
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
  /** A second delivery that comes while the first is handled waits for it, and shares its end. */
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

/** Undefined where there is more. */
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
