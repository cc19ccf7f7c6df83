/** Error answers of the service: which cause a status and a code stand for, and what to do about it. Pure. */
import {
  type ApiError,
  ConflictError,
  type ErrorDetails,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  PlanRequiredError,
  RateLimitedError,
  ServerError,
  UnauthorizedError,
} from "./errors.ts";
import type { CallSite, Describe } from "./call-site.ts";
import { shortened } from "../messages/texts.ts";
import type { Refusal } from "./failure.ts";

export function explainRefusal(refusal: Refusal, site: CallSite, describe: Describe): ApiError {
  const { status, code } = refusal;
  const what = `the service answered ${status}${code === undefined ? "" : ` ${code}`}${quoted(refusal.message)}`;
  const withRemedy = (remedy: string): ErrorDetails => describe(what, remedy, { status, code });
  const scopes = scopesOf(site);

  if (status === 429) return rateLimited(refusal, what, describe);
  if (status >= 500) return new ServerError(withRemedy("Run it again later."));
  if (status === 401) {
    return new UnauthorizedError(
      withRemedy(`The key is missing, unknown, expired or revoked: set ${site.keyVariable} to one with ${scopes}.`),
    );
  }
  if (meansPlan(refusal)) {
    return new PlanRequiredError(withRemedy("Upgrade the account's plan, or use a key of another account."));
  }
  if (status === 403) {
    return new ForbiddenError(
      withRemedy(`The key needs ${scopes}, and its IP list, if it has one, must allow this machine's address.`),
    );
  }
  if (meansNotFound(refusal) && site.lists && !namesThing(refusal)) {
    return new InvalidRequestError(
      withRemedy(
        "Run it again later. If it stays, check that the base URL is the API's and that no proxy answers in its place.",
      ),
    );
  }
  if (meansNotFound(refusal)) {
    return new NotFoundError(
      withRemedy("It was deleted, or the id belongs to another account: refresh, or correct the id."),
    );
  }
  if (status === 409) return new ConflictError(withRemedy(remedyForConflict(code)));
  return new InvalidRequestError(withRemedy("Correct what the service names."));
}

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
 * The specification shows neither the status of `page_not_found` nor the codes of other kinds, so either is enough. A code
 * like `missing_field` is about the request: only a missing thing counts.
 */
function meansNotFound({ status, code }: Refusal): boolean {
  const words = lettersOf(code);
  return [404, 410].includes(status) || /notfound|doesnotexist|nosuch/.test(words) || missingThing.test(words);
}

const thing = /project|site|page|quiz|funnel|video|product|lead|hook|subscription|template|node/;
const missingThing = new RegExp(`(${thing.source}|record|resource|object)missing$`);

/** Of a list, "not found" without the word for what is missing is of the list itself: that says of no object that it isn't there. */
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
