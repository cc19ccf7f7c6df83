/** From a failure to the error that a user reads: its class by cause, its message by method, path and remedy. Pure. */
import {
  type ApiError,
  MalformedResponseError,
  NetworkError,
  NotDoneError,
  RedirectError,
  ResponseTooLargeError,
  TimeoutError,
} from "./errors.ts";
import type { Failure } from "./failure.ts";
import type { CallSite, Describe } from "./call-site.ts";
import type { Effect } from "./operations.ts";
import { explainRefusal } from "./refusals.ts";

export function explain(failure: Failure, site: CallSite): ApiError {
  const describe = describer(site);
  switch (failure.kind) {
    case "unsent":
      return neverConnected(failure.cause, site, describe);
    case "lost":
      return connectionLost(failure.cause, describe);
    case "timeout":
      return timedOut(failure.sent, site, describe);
    case "too-large":
      return tooLarge(failure.status, site, describe);
    case "redirect":
      return redirected(failure, describe);
    case "garbled":
      return garbled(failure, describe);
    case "refusal":
      return explainRefusal(failure, site, describe);
  }
}

/** A record that departs from the shape that the specification promises: `at` says where. */
export function explainShape(at: string, detail: string, status: number, site: CallSite): MalformedResponseError {
  const place = at === "" ? "the answer as a whole" : at;
  const details = describer(site)(
    `the answer is not what the specification promises, at ${place}: ${detail}`,
    "Compare the service's /openapi.json with this version of landform, and report the difference.",
    { status },
  );
  return new MalformedResponseError({ ...details, at });
}

/** A field that says whether a write was done says no. */
export function explainUndone(field: string, status: number, site: CallSite): NotDoneError {
  const what = `the service answered ${status} with ${field}: false, which says that it was not done`;
  return new NotDoneError(
    describer({ ...site, outcome: "refused" })(what, "Run again: it goes on from here.", { status }),
  );
}

function neverConnected(cause: Error, { origin }: CallSite, describe: Describe): NetworkError {
  const what = `could not connect to ${origin}: ${reasonOf(cause)}`;
  return new NetworkError(describe(what, "Check the base URL and the network.", { cause }));
}

function connectionLost(cause: Error, describe: Describe): NetworkError {
  const what = `the connection was lost before the whole answer had come: ${reasonOf(cause)}`;
  return new NetworkError(describe(what, "Check the network.", { cause }));
}

function timedOut(sent: boolean, { timeoutMs }: CallSite, describe: Describe): TimeoutError {
  const what = `no ${sent ? "complete answer" : "connection"} within ${timeoutMs / 1000} s`;
  return new TimeoutError(describe(what, "Run it again later, or raise LANDFORM_TIMEOUT_MS."));
}

function tooLarge(status: number, { maxBytes }: CallSite, describe: Describe): ResponseTooLargeError {
  const what = `the answer is larger than the ${maxBytes} bytes that are read`;
  return new ResponseTooLargeError(describe(what, "Ask for fewer records in one call.", { status }));
}

function redirected(
  { status, location }: { status: number; location: string | undefined },
  describe: Describe,
): RedirectError {
  const host = location === undefined ? "nowhere" : (URL.parse(location)?.host ?? "another path of the same host");
  const what = `the service redirects (${status}) to ${host}, where the key is not sent`;
  return new RedirectError(describe(what, "Set the base URL to the address of the API itself.", { status }));
}

function garbled(
  { status, looksLike }: { status: number; looksLike: string },
  describe: Describe,
): MalformedResponseError {
  const what = `expected JSON and got ${looksLike}, with status ${status}`;
  const remedy = "Check that the base URL is the API's and that no proxy answers in its place.";
  return new MalformedResponseError(describe(what, remedy, { status }));
}

function describer({ method, path, outcome, attempts, effect }: CallSite): Describe {
  const tries = attempts > 1 ? `, after ${attempts} attempts` : "";
  const caution = outcome === "unknown" ? ` ${cautions[effect]}` : "";
  return (what, remedy, more) => ({ method, path, what: what + tries, remedy: remedy + caution, outcome, ...more });
}

const cautions: Record<Effect, string> = {
  read: "",
  idempotent: "The service may have done it all the same; running it again does no harm.",
  create: "The service may have done it all the same: look for the object before creating it again.",
};

/** Codes of Node.js, of its TLS and of undici, in words. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the other side closed it",
  EPIPE: "the other side closed it",
  UND_ERR_SOCKET: "the other side closed it",
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the name of the host could not be looked up",
  ETIMEDOUT: "nothing answers there",
  UND_ERR_CONNECT_TIMEOUT: "nothing answers there",
  EHOSTUNREACH: "there is no way to that address",
  ENETUNREACH: "there is no way to that address",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is signed by nobody that is trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is signed by nobody that is trusted here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is signed by nobody that is trusted here",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
};

function reasonOf(cause: Error): string {
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  if (code === undefined) return cause.message;
  const words = REASONS[code] ?? cause.message.replace(/\.$/, "");
  return code.startsWith("UND_ERR") ? words : `${words} (${code})`;
}
