/** A call of an operation from beginning to end: located, built, sent, and its answer checked against its schema. */
import { z } from "zod";
import { answerWording } from "../messages/wording.ts";
import type { Call, CallInput, Decoder } from "./caller.ts";
import type { CheckedConfig } from "./config.ts";
import { MissingOperationError } from "./errors.ts";
import type { CallSite } from "./call-site.ts";
import { explain, explainShape, explainUndone } from "./explain.ts";
import { type Failure, isUnknownRoute } from "./failure.ts";
import { createLocator } from "./locator.ts";
import { type Operation, operations } from "./operations.ts";
import { refuseWrites } from "./read-only.ts";
import { buildRequest, type WireRequest } from "./request.ts";
import type { Sender, Sent } from "./sender.ts";
import { denialIn } from "./undone.ts";

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
    const about = { origin, timeoutMs, maxBytes, keyVariable: apiKey.variable };
    const site = () => describeSite(operation, request, sent, about);
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

function describeSite(
  { effect, lists, scopes }: Operation,
  { method, path }: WireRequest,
  sent: Sent,
  limits: Pick<CallSite, "origin" | "timeoutMs" | "maxBytes" | "keyVariable">,
): CallSite {
  const committed = effect !== "read" && (sent.ok || sent.mayHaveReached);
  return {
    method,
    path,
    effect,
    lists,
    scopes,
    ...limits,
    attempts: sent.attempts,
    outcome: committed ? "unknown" : "refused",
  };
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

/** Shorter texts are no secrets, and taking them out would tear words apart. */
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
  const url = URL.canParse(secret) ? new URL(secret) : undefined;
  const parts =
    url === undefined ? [] : [`${url.pathname}${url.search}`, url.search.slice(1), ...url.searchParams.values()];
  return [secret, ...parts].flatMap((text) => [text, encodeURIComponent(text)]).filter((text) => text !== "");
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`))
    .join("");
}
