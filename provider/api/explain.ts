/** Turns a failure into the error that a user reads: its class by cause, its message by method, path and remedy. Pure. */
import {
  type ApiError,
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  InvalidRequestError,
  MalformedResponseError,
  NetworkError,
  NotDoneError,
  NotFoundError,
  type Outcome,
  PlanRequiredError,
  RateLimitedError,
  RedirectError,
  ResponseTooLargeError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
} from "./errors.ts";
import type { Failure, Refusal } from "./failure.ts";
import type { Effect, Operation } from "./operations.ts";
import { isMap } from "../values/json.ts";
import { shortened } from "../values/wording.ts";

export function explain(failure: Failure, site: CallSite): ApiError {
  const describe = describer(site);
  switch (failure.kind) {
    case "unsent": {
      const what = `could not connect to ${site.origin}: ${reasonOf(failure.cause)}`;
      return new NetworkError(describe(what, "Check the base URL and the network.", { cause: failure.cause }));
    }
    case "lost": {
      const what = `the connection was lost before the whole answer had come: ${reasonOf(failure.cause)}`;
      return new NetworkError(describe(what, "Check the network.", { cause: failure.cause }));
    }
    case "timeout": {
      const what = `the service ${failure.sent ? "gave no complete answer" : "took no connection"} within ${site.timeoutMs / 1000} s`;
      return new TimeoutError(describe(what, "Run it again later, or raise LANDFORM_TIMEOUT_MS."));
    }
    case "too-large": {
      const what = `the answer is larger than the ${site.maxBytes} bytes that are read`;
      return new ResponseTooLargeError(
        describe(what, "Ask for fewer records in one call.", { status: failure.status }),
      );
    }
    case "redirect": {
      const { status, location } = failure;
      const host = location === undefined ? "nowhere" : (URL.parse(location)?.host ?? "another path of the same host");
      const what = `the service redirects (${status}) to ${host}, where the key is not sent`;
      return new RedirectError(describe(what, "Set the base URL to the address of the API itself.", { status }));
    }
    case "garbled": {
      const { status, looksLike } = failure;
      const remedy = "Check that the base URL is the API's and that no proxy answers in its place.";
      return new MalformedResponseError(
        describe(`the service answered ${status} with ${looksLike}, not with the API's JSON`, remedy, { status }),
      );
    }
    case "refusal":
      return explainRefusal(failure, site, describe);
  }
}

/** Explains a record that departs from the shape in the specification: `at` says where. */
export function explainShape(at: string, detail: string, status: number, site: CallSite): MalformedResponseError {
  const place = at === "" ? "the answer as a whole" : at;
  const details = describer(site)(
    `the answer is not what the specification promises, at ${place}: ${detail}`,
    "Compare the service's /openapi.json with this version of landform, and report the difference.",
    { status },
  );
  return new MalformedResponseError({ ...details, at });
}

/** Explains an answer in which a field says that the write was not done. */
export function explainUndone(field: string, status: number, site: CallSite): NotDoneError {
  const what = `the service answered ${status} with ${field}: false, which says that it was not done`;
  return new NotDoneError(
    describer({ ...site, outcome: "refused" })(what, "Run again: the next run goes on from here.", { status }),
  );
}

function describer({ method, path, outcome, attempts, effect }: CallSite): Describe {
  const tries = attempts > 1 ? `, after ${attempts} attempts` : "";
  const caution = outcome === "unknown" ? ` ${cautions[effect]}` : "";
  return (what, remedy, more) => ({ method, path, what: what + tries, remedy: remedy + caution, outcome, ...more });
}

const cautions: Record<Effect, string> = {
  read: "",
  idempotent: "The service may have done it; running it again does no harm.",
  create: "The service may have done it: look for the object before you create it again.",
};

/** Where several addresses were tried, Node.js gives the code alone. */
function reasonOf(cause: Error): string {
  return cause.message !== "" || !("code" in cause) ? cause.message : String(cause.code);
}

/** Explains error answers of the service: the cause that a status and a code stand for, and the remedy. Pure. */
function explainRefusal(refusal: Refusal, site: CallSite, describe: Describe): ApiError {
  const { status, code } = refusal;
  const what = `the service answered ${status}${code === undefined ? "" : ` ${code}`}${quoted(refusal.message)}`;
  const withRemedy = (remedy: string): ErrorDetails => describe(what, remedy, { status, code });
  const scopes = scopesOf(site);

  if (status === 429) return rateLimited(refusal, what, describe);
  if (status >= 500) return new ServerError(withRemedy("Run it again later."));
  if (status === 401) {
    return new UnauthorizedError(withRemedy(`Set ${site.keyVariable} to a valid key with ${scopes}.`));
  }
  if (meansPlan(refusal)) {
    return new PlanRequiredError(withRemedy("Upgrade the account's subscription, or use a key of another account."));
  }
  if (status === 403) {
    const remedy = `The key needs ${scopes}, and its IP list, if it has one, must allow this machine's address.`;
    return new ForbiddenError(withRemedy(remedy));
  }
  if (meansNotFound(refusal) && site.lists && !namesThing(refusal)) {
    const remedy =
      "Run it again later. If it stays, check that the base URL is the API's and that no proxy answers in its place.";
    return new InvalidRequestError(withRemedy(remedy));
  }
  if (meansNotFound(refusal)) {
    const remedy =
      site.path === OWN_ACCOUNT
        ? "Check that the base URL is the API's, with its version at the end: https://HOST/v1."
        : "It was deleted, or the id belongs to another account: refresh, or correct the id.";
    return new NotFoundError(withRemedy(remedy));
  }
  if (status === 409) return new ConflictError(withRemedy(remedyForConflict(code)));
  return new InvalidRequestError(withRemedy("Correct what the service names."));
}

/** The call that names no object: every key has its account, so it is the address that is wrong. */
const OWN_ACCOUNT = "/me";

function rateLimited(refusal: Refusal, what: string, describe: Describe): RateLimitedError {
  const { status, code, retryAfterMs } = refusal;
  const asked = retryAfterMs === undefined ? "" : `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  const remedy = "Wait, then run it again with a lower LANDFORM_MAX_CONCURRENCY or LANDFORM_REQUESTS_PER_SECOND.";
  return new RateLimitedError({ ...describe(what + asked, remedy, { status, code }), retryAfterMs });
}

function remedyForConflict(code: string | undefined): string {
  if (code === "project_in_use") return "Delete or move the pages, products, sites and funnels of the project first.";
  return "Resolve what the service names, then run it again.";
}

/**
 * The specification shows neither the status of `page_not_found` nor the codes of other kinds, so one of the two is enough. A code like
 * `missing_field` is about the request: only a missing thing counts.
 */
function meansNotFound({ status, code }: Refusal): boolean {
  const words = lettersOf(code);
  return [404, 410].includes(status) || /notfound|doesnotexist|nosuch/.test(words) || missingThing.test(words);
}

const thing = /project|site|page|quiz|funnel|video|product|lead|hook|subscription|template|node/;
const missingThing = new RegExp(`(${thing.source}|record|resource|object)missing$`);

/** If a list answers "not found" and names no missing thing, the list itself is missing. That says nothing about any object. */
function namesThing({ code }: Refusal): boolean {
  return thing.test(lettersOf(code));
}

function lettersOf(code = ""): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function meansPlan({ status, code = "" }: Refusal): boolean {
  const words = code
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return status === 402 || words.some((word) => ["plan", "paid", "payment", "upgrade", "billing"].includes(word));
}

function scopesOf({ scopes }: CallSite): string {
  if (scopes.length === 0) return "access to this operation";
  return scopes.length === 1 ? `the scope ${scopes.join()}` : `one of the scopes ${scopes.join(", ")}`;
}

const longestQuote = 500;

function quoted(message: string | undefined): string {
  const text = (message ?? "").replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (text === "") return "";
  return `: ${shortened(text.length > longestQuote ? text : text.replace(/\.$/, ""), longestQuote)}`;
}

/** Returns the field that says no. Deletions that say no are looked at by their senders, and so are missing keys of content. */
export function denialIn({ effect, method }: Operation, answer: unknown): string | undefined {
  if (effect !== "idempotent" || method === "DELETE" || !isMap(answer)) return undefined;
  const { missing } = answer;
  if (Array.isArray(missing) && missing.length > 0) return undefined;
  return ["success", "updated"].find((field) => answer[field] === false);
}

export interface CallSite extends Pick<Operation, "method" | "path" | "effect" | "lists" | "scopes"> {
  readonly origin: string;
  /** The variable that holds the key. */
  readonly keyVariable: string;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly attempts: number;
  /** Over all attempts. */
  readonly outcome: Outcome;
}

type Describe = (what: string, remedy: string, more?: Partial<ErrorDetails>) => ErrorDetails;
