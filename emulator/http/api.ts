import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { altered, sendPadded, sendSlowly } from "../faults/altered.ts";
import { authorize } from "./auth.ts";
import type { Contract, Operation } from "./contract.ts";
import { answerOf } from "./errors.ts";
import { commits, type Fault, type Faults } from "../faults/faults.ts";
import { html, json, parseJson, readBody, type Reply, send, sendHalf, target } from "./http.ts";
import type { NotShown } from "../not-shown.ts";
import { handlersOf } from "../operations/index.ts";
import type { Handler } from "../operations/operation.ts";
import { RateLimiter } from "./rate-limit.ts";
import { type Match, Router } from "./router.ts";
import type { Service } from "../records/service.ts";
import { Validator } from "./validate.ts";

/** A call in the request log. */
export interface RequestRecord {
  method: string;
  /** The path below the base address, with the query. */
  path: string;
  /** Path template, or "" if there is none. */
  route: string;
  /** 0 if the connection was cut without an answer. */
  status: number;
  body: unknown;
  at: string;
}

/** The most calls that the log keeps. */
const logged = 200_000;

/** Handles the calls below the base address: routes, keys, validation, handlers, answers, and the faults in between. */
export class Api {
  readonly requests: RequestRecord[] = [];
  readonly #service: Service;
  readonly #faults: Faults;
  readonly #latency: number;
  readonly #router: Router;
  readonly #validator: Validator;
  readonly #handlers: Map<string, Handler>;
  readonly #limiter = new RateLimiter();

  constructor(contract: Contract, service: Service, faults: Faults, latency: number) {
    this.#service = service;
    this.#faults = faults;
    this.#latency = latency;
    this.#router = new Router(contract, service.notShown);
    this.#validator = new Validator(contract, service.notShown);
    this.#handlers = handlersOf(contract);
  }

  /** `base` is the part of the path before the routes. */
  async handle(request: IncomingMessage, response: ServerResponse, base: string): Promise<void> {
    const record = this.#log(request, base);
    if (this.#latency > 0) await pause(this.#latency);
    const body = await readBody(request, this.#service.notShown.maxBodyBytes).catch((error: unknown) => error);
    const match = this.#match(record);
    if (!(match instanceof Error)) record.route = match.route;
    const path = record.path.split("?")[0] ?? "";
    const operation = match instanceof Error ? undefined : match.operation;
    const fault = this.#faults.take({ method: record.method, route: record.route, path, operation });
    const carriedOut = fault === undefined || commits(fault);
    const reply = carriedOut ? await this.#answer(request, record, match, body) : undefined;
    if (fault?.phase === "slow") await pause(fault.delayMs ?? 1000);
    record.status = await deliver(response, reply, fault, target(request).search);
  }

  #log(request: IncomingMessage, base: string): RequestRecord {
    const path = (request.url ?? "").slice(base.length);
    const at = new Date().toISOString();
    const record: RequestRecord = { method: request.method ?? "", path, route: "", status: 0, body: undefined, at };
    this.requests.push(record);
    if (this.requests.length > logged) this.requests.shift();
    return record;
  }

  #match({ method, path }: RequestRecord): Match | Error {
    try {
      return this.#router.match(method, path.split("?")[0] ?? "");
    } catch (error) {
      return error as Error;
    }
  }

  async #answer(request: IncomingMessage, record: RequestRecord, match: Match | Error, body: unknown): Promise<Reply> {
    const { notShown } = this.#service;
    try {
      if (match instanceof Error) throw match;
      const { operation, params } = match;
      this.#admit(request, operation);
      const result: unknown = await this.#run(request, record, { operation, params }, body);
      return json(operation.creates ? notShown.createdStatus : 200, dressed(result, notShown));
    } catch (error) {
      const { status, body: told, headers } = answerOf(error, notShown);
      return json(status, told, headers);
    } finally {
      this.#service.commit();
    }
  }

  #admit(request: IncomingMessage, operation: Operation): void {
    if (operation.open) return;
    const key = this.#service.keys.authenticate(request.headers.authorization);
    this.#limiter.admit(key.id, this.#service.notShown.rateLimitPerSecond);
    authorize(key, request.socket.remoteAddress ?? "", operation.scopes);
  }

  #run(
    request: IncomingMessage,
    record: RequestRecord,
    { operation, params }: Pick<Match, "operation" | "params">,
    body: unknown,
  ): unknown {
    const handler = this.#handlers.get(operation.id);
    if (handler === undefined) throw new Error(`The operation ${operation.id} has no handler.`);
    if (operation.body !== undefined) {
      if (!Buffer.isBuffer(body)) throw body;
      record.body = parseJson(body, request.headers["content-type"]);
      this.#validator.body(operation, record.body);
    }
    const query = this.#validator.query(operation, target(request).search);
    return handler(this.#service, { params, query, body: record.body } as never);
  }
}

/** Waits, unless the process has nothing else to do. */
function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}

/** Sends the answer, or the fault's version of it. Returns the status that the caller sees. */
async function deliver(
  response: ServerResponse,
  reply: Reply | undefined,
  fault: Fault | undefined,
  query: URLSearchParams,
): Promise<number> {
  const headers = { ...fault?.headers, ...(fault?.retryAfter !== undefined && { "Retry-After": fault.retryAfter }) };
  if (fault?.phase === "reset") {
    response.socket?.resetAndDestroy();
    return 0;
  }
  if (fault?.phase === "html") {
    const page = html(fault.status ?? 200, "<!doctype html><title>Please wait</title><h1>One moment, please</h1>");
    return sent(response, { ...page, headers });
  }
  if (fault?.phase === "status") {
    const status = fault.status ?? 500;
    const message = "The emulator was told to fail here.";
    return sent(response, json(status, { error: codeOf(status), message }, headers));
  }
  if (reply === undefined || fault?.phase === "after") {
    response.destroy();
    return 0;
  }
  if (fault?.phase === "altered") return sendAltered(response, reply, fault, query);
  if (fault?.phase !== "truncate") return sent(response, reply);
  sendHalf(response, reply);
  return reply.status;
}

async function sendAltered(
  response: ServerResponse,
  reply: Reply,
  fault: Fault,
  query: URLSearchParams,
): Promise<number> {
  const changed = altered(reply, fault, Number(query.get("page") ?? 0));
  if (fault.bytesPerSecond !== undefined) await sendSlowly(response, changed, fault.bytesPerSecond);
  else if (fault.padTo !== undefined) await sendPadded(response, changed, fault.padTo);
  else send(response, changed);
  return changed.status;
}

function codeOf(status: number): string {
  if (status === 429) return "rate_limited";
  return (STATUS_CODES[status] ?? "fault").toLowerCase().replace(/\W+/g, "_");
}

function sent(response: ServerResponse, reply: Reply): number {
  send(response, reply);
  return reply.status;
}

/** `extraFields`: records have fields that nobody promised. `nullDates`: records don't say when they were made or changed. */
function dressed(result: unknown, notShown: NotShown): unknown {
  const { extraFields, nullDates } = notShown;
  if (!extraFields && !nullDates) return result;
  if (Array.isArray(result)) return result.map((record) => dressed(record, notShown));
  if (typeof result !== "object" || result === null) return result;
  const dates = ["created_at", "updated_at", "published_at"].filter((field) => nullDates && field in result);
  return {
    ...result,
    ...Object.fromEntries(dates.map((field) => [field, null])),
    ...(extraFields && { locale: "en", revision: 7, _links: { self: null }, labels: [] }),
  };
}
