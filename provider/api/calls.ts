/** Calls an operation from beginning to end: locates it, builds and sends the request, and checks the answer against its schema. */
import { landform } from "../values/command-line.ts";
import { z } from "zod";
import { answerWording } from "../values/wording.ts";
import {
  type Call,
  type CallInput,
  type Decoder,
  type Effect,
  type Method,
  type Operation,
  operations,
} from "./operations.ts";
import { type CheckedConfig, isOn, READ_ONLY_VARIABLE } from "./config.ts";
import { MissingOperationError, PathError, ReadOnlyError } from "./errors.ts";
import { type CallSite, denialIn, explain, explainShape, explainUndone } from "./explain.ts";
import {
  type Failure,
  fullBudget,
  isThrottling,
  isUnknownRoute,
  mayHaveReached,
  readExchange,
  type Reading,
  refunded,
  repetition,
} from "./failure.ts";
import { createLocator } from "./discovery.ts";
import { faultOfId } from "./wire.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { HttpClient } from "./client.ts";
import { Gate } from "./gate.ts";

const openApiDocument = z.looseObject({ paths: z.record(z.string(), z.unknown()) });
const openApiMaxBytes = 64 * 1024 * 1024;

export function createCall(config: CheckedConfig, sender: Sender): Call {
  const { origin, pathname } = new URL(config.baseUrl);
  const locate = createLocator(() => call("getOpenapi", openApiDocument), pathname === "/" ? "" : pathname);

  async function call<T>(name: Parameters<Call>[0], schema: Decoder<T>, input: CallInput = {}): Promise<T> {
    const operation: Operation = operations[name];
    const withKey = operation.scopes.length > 0;
    const maxBytes = withKey ? config.maxResponseBytes : openApiMaxBytes;
    const location = await locate(name);
    const request = buildRequest(location.target, input);
    refuseWrites(operation, request);
    const sent = await sender.send(request, { effect: operation.effect, withKey, maxBytes });
    const { timeoutMs, apiKey } = config;
    const { method, path } = request;
    const { effect, lists, scopes } = operation;
    const isCommitted = effect !== "read" && (sent.ok || sent.mayHaveReached);
    const site = (): CallSite => ({
      ...{ method, path, effect, lists, scopes, origin, timeoutMs, maxBytes, keyVariable: apiKey.variable },
      ...{ attempts: sent.attempts, outcome: isCommitted ? "unknown" : "refused" },
    });
    if (!sent.ok) {
      const failure = redact(sent.failure, [apiKey.reveal(), ...(input.secrets ?? [])]);
      throw location.guess !== undefined && isUnknownRoute(failure, kindsOf(input))
        ? missingOperation(location.guess, site())
        : explain(failure, site());
    }
    const parsed = schema.safeParse(sent.value, { error: answerWording });
    const denial = denialIn(operation, parsed.success ? parsed.data : sent.value);
    if (denial !== undefined) throw explainUndone(denial, sent.status, site());
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw explainShape(formatPath(issue?.path ?? []), issue?.message ?? "", sent.status, site());
  }

  return call;
}

/** At a path that was only guessed, a plain "not found" says nothing about the object. */
function missingOperation(guess: string, { method, path }: CallSite): MissingOperationError {
  return new MissingOperationError({
    method,
    path,
    what: `the service offers no such operation: its /openapi.json ${guess}, and this path is unknown to it`,
    remedy: "Do this in the app, or ask the service's operator for the operation.",
    outcome: "refused",
  });
}

/** `productId` is the id of a product. */
const kindsOf = ({ ids = {} }: CallInput): string[] => Object.keys(ids).map((name) => name.replace(/Id$/, ""));

/** Shorter texts are no secrets, and hiding them would tear words apart. */
const shortestSecret = 8;

function redact(failure: Failure, secrets: readonly string[]): Failure {
  if (failure.kind !== "refusal") return failure;
  const hidden = secrets
    .flatMap(spellings)
    .filter(({ length }) => length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  const clean = (text: string | undefined): string | undefined =>
    hidden.reduce((rest, secret) => rest?.replaceAll(secret, "[secret]"), text);
  return { ...failure, code: clean(failure.code), message: clean(failure.message) };
}

/** A service may repeat a secret as it stands in a URL, or a URL without its host. */
function spellings(secret: string): string[] {
  const url = URL.parse(secret);
  const parts = url ? [`${url.pathname}${url.search}`, url.search.slice(1), ...url.searchParams.values()] : [];
  return [secret, ...parts].flatMap((text) => [text, encodeURIComponent(text)]);
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`))
    .join("");
}

export interface Target {
  readonly method: Method;
  readonly path: string;
  /** Ids that this service takes in the query or the body instead of the path. */
  readonly idsIn?: { readonly place: "query" | "body"; readonly names: Readonly<Record<string, string>> };
}

export interface WireRequest {
  readonly method: Method;
  /** Below the base URL, without the query. Messages show it. */
  readonly path: string;
  /** With its question mark, or empty. */
  readonly query: string;
  readonly body: string | undefined;
}

export function buildRequest(target: Target, input: CallInput): WireRequest {
  const ids = input.ids ?? {};
  for (const [name, id] of Object.entries(ids)) {
    const fault = faultOfId(id);
    if (fault !== undefined) throw pathError(target, `${name} ${fault}`);
  }
  const names = Object.entries(target.idsIn?.names ?? {});
  const moved = Object.fromEntries(names.map(([name, wireName]) => [wireName, ids[name] ?? ""]));
  const query = target.idsIn?.place === "query" ? { ...input.query, ...moved } : input.query;
  const body = target.idsIn?.place === "body" ? { ...input.body, ...moved } : input.body;
  return {
    method: target.method,
    path: fillPath(target, ids),
    query: encodeQuery(query ?? {}),
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** Fills ids into a path, and checks its shape: a URL parser would eat a segment for `..`, and name another resource (`DELETE /pages/..`). */
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

function pathError({ method, path }: Target, what: string): PathError {
  const remedy = "Nothing was sent. Use ids exactly as the service returned them.";
  return new PathError({ method, path, what, remedy, outcome: "refused" });
}

function encodeQuery(query: NonNullable<CallInput["query"]>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return parameters.size === 0 ? "" : `?${parameters.toString()}`;
}

function refuseWrites({ effect }: Operation, { method, path }: WireRequest): void {
  if (!isOn(READ_ONLY_VARIABLE) || effect === "read") return;
  throw new ReadOnlyError({
    method,
    path,
    what: `not sent, because ${READ_ONLY_VARIABLE} is on and this call changes the account`,
    remedy: `Unset ${READ_ONLY_VARIABLE}, and run ${landform("up")}. ci plan and ci drift set it by themselves.`,
    outcome: "refused",
  });
}

// Sends one request until it is answered or given up: through the gate, with the deadline, repeated where that is safe. Only the headers that a
// sender closes over hold the key.

interface SendOptions {
  readonly effect: Effect;
  readonly withKey: boolean;
  readonly maxBytes: number;
}

type Sent =
  | { readonly ok: true; readonly status: number; readonly value: unknown; readonly attempts: number }
  | {
      readonly ok: false;
      readonly failure: Failure;
      readonly attempts: number;
      /** True when any of the attempts may have been committed. */
      readonly mayHaveReached: boolean;
    };

type Sender = ReturnType<typeof createSender>;

export function createSender(config: CheckedConfig) {
  const { origin, pathname } = new URL(config.baseUrl);
  const prefix = pathname === "/" ? "" : pathname;
  const http = new HttpClient(origin, config.maxConcurrency);
  const gate = new Gate(config.maxConcurrency, config.requestsPerSecond);
  const openHeaders = { accept: "application/json", "user-agent": "landform" };
  const keyHeaders = { ...openHeaders, authorization: `Bearer ${config.apiKey.reveal()}` };
  let budget = fullBudget;

  function prepare({ method, path, query, body }: WireRequest, { withKey, maxBytes }: SendOptions) {
    const given = withKey ? keyHeaders : openHeaders;
    const headers = body === undefined ? given : { ...given, "content-type": "application/json" };
    const request = { method, path: prefix + path + query, headers, body, maxBytes };
    return async (timeoutMs: number): Promise<Reading> =>
      readExchange(await http.exchange({ ...request, timeoutMs }), method, Date.now());
  }

  async function send(request: WireRequest, options: SendOptions): Promise<Sent> {
    const attempt = prepare(request, options);
    let permit = await gate.enter("fresh");
    const deadline = performance.now() + config.timeoutMs;
    let reached = false;
    for (let number = 1; ; number++) {
      const reading = await attempt(deadline - performance.now());
      if (reading.ok) {
        gate.leave(permit, "succeeded");
        budget = refunded(budget);
        return { ...reading, attempts: number };
      }
      reached ||= mayHaveReached(reading.failure);
      const givenUp: Sent = { ...reading, attempts: number, mayHaveReached: reached };
      const remainingMs = deadline - performance.now();
      const next = repetition({ number, effect: options.effect, remainingMs, budget }, reading.failure);
      const throttled = isThrottling(reading.failure);
      if (throttled && next) gate.pause(next.delayMs);
      gate.leave(permit, throttled ? "throttled" : "failed");
      if (!next) return givenUp;

      budget -= next.cost;
      await sleep(next.delayMs);
      permit = await gate.enter("repeated");
      if (performance.now() >= deadline) {
        gate.leave(permit, "failed");
        return givenUp;
      }
    }
  }

  return { send, close: () => http.close() };
}
