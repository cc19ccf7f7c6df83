/**
 * Sends one request and returns one exchange: the only import of undici. It uses HTTP/1.1 over a pool of kept-alive connections. It follows
 * no redirects, uses no proxies and repeats nothing. It limits the time and the size of the answer. An exchange never throws: its outcome
 * is a value that says if the service can have seen the request.
 */
import { createRequire } from "node:module";
import type * as net from "node:net";
import type * as Undici from "undici";
import type { Dispatcher, Pool } from "undici";
import type { Method } from "./operations.ts";

export interface ExchangeRequest {
  readonly method: Method;
  /** With the base URL's prefix and the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** A larger body is cut there instead of being an error. */
  readonly cut?: true;
  /** Default: the bytes are UTF-8. */
  readonly decode?: (bytes: Buffer, headers: Answer["headers"]) => string;
}

export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export type Exchange =
  | Answer
  /** No connection was made, so nothing was sent. */
  | { readonly kind: "unsent"; readonly cause: Error }
  /** The connection was lost before the whole answer had come. */
  | { readonly kind: "lost"; readonly cause: Error }
  | { readonly kind: "timeout"; readonly sent: boolean }
  | { readonly kind: "too-large"; readonly status: number };

/** Resolves the host of a connection, or refuses it. */
export type HostLookup = net.LookupFunction;

export class HttpClient {
  readonly #pool: Pool;

  /** undici takes longer to load than the rest of a command that sends nothing, so it is loaded when a client is made. */
  constructor(origin: string, connections: number, lookup?: HostLookup) {
    const undici = createRequire(import.meta.url)("undici") as typeof Undici;
    const connect = lookup === undefined ? {} : { connect: { lookup } };
    this.#pool = new undici.Pool(origin, {
      connections,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      ...connect,
    });
  }

  exchange(request: ExchangeRequest): Promise<Exchange> {
    return new Promise((resolve) => {
      const { method, path, headers, body } = request;
      this.#pool.dispatch({ method, path, headers, body }, new ExchangeHandler(request, resolve));
    });
  }

  /** Waits for the requests under way, then closes the connections. */
  close(): Promise<void> {
    return this.#pool.close();
  }
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (exchange: Exchange) => void;
  readonly #request: ExchangeRequest;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Answer["headers"] = {};
  #settled = false;

  constructor(request: ExchangeRequest, resolve: (exchange: Exchange) => void) {
    this.#resolve = resolve;
    this.#request = request;
    this.#timer = setTimeout(() => {
      this.#abandon({ kind: "timeout", sent: this.#controller !== undefined });
    }, request.timeoutMs);
  }

  /** undici calls this right before it writes the request to a connection. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) controller.abort(new Error("the call has ended"));
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Answer["headers"]): void {
    this.#status = status;
    this.#headers = headers;
    const { maxBytes, cut } = this.#request;
    if (cut !== true && Number(headers["content-length"] ?? 0) > maxBytes) this.#abandon({ kind: "too-large", status });
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    const { maxBytes, cut } = this.#request;
    if (this.#size <= maxBytes) this.#chunks.push(chunk);
    else if (cut !== true) this.#abandon({ kind: "too-large", status: this.#status });
    else {
      this.#chunks.push(chunk.subarray(0, chunk.length - (this.#size - maxBytes)));
      this.#abandon(this.#answer());
    }
  }

  onResponseEnd(): void {
    this.#settle(this.#answer());
  }

  #answer(): Answer {
    const bytes = Buffer.concat(this.#chunks);
    const body = this.#request.decode?.(bytes, this.#headers) ?? bytes.toString("utf8");
    return { kind: "answer", status: this.#status, headers: this.#headers, body };
  }

  onResponseError(_: Dispatcher.DispatchController, cause: Error): void {
    this.#settle({ kind: this.#controller === undefined ? "unsent" : "lost", cause });
  }

  #abandon(exchange: Exchange): void {
    this.#settle(exchange);
    this.#controller?.abort(new Error("the call has ended"));
  }

  #settle(exchange: Exchange): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#resolve(exchange);
  }
}
