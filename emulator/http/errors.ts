import type { NotShown } from "../not-shown.ts";

/** The reason of a refusal. `answerOf` gives its answer on the wire. */
export type Reason =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "no_route"
  | "wrong_method"
  | "project_in_use"
  | "page_without_site"
  | "page_not_ready"
  | "slug_taken"
  | "paid_plan"
  | "rejected_hook"
  | "too_large"
  | "rate_limited";

/** A refused call. The message tells the caller the error and the next step. */
export class Refusal extends Error {
  readonly reason: Reason;
  readonly kind: string | undefined;
  readonly headers: Record<string, string>;

  constructor(reason: Reason, message: string, more: { kind?: string; headers?: Record<string, string> } = {}) {
    super(message);
    this.name = "Refusal";
    this.reason = reason;
    this.kind = more.kind;
    this.headers = more.headers ?? {};
  }
}

export function invalid(message: string): Refusal {
  return new Refusal("invalid", message);
}

/** `kind` is the word in the error code: `page` makes `page_not_found`. */
export function notFound(kind: string, id: string): Refusal {
  return new Refusal("not_found", `There is no ${kind.replaceAll("_", " ")} with the id "${abbreviate(id)}".`, {
    kind,
  });
}

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: { error: string; message: string };
}

export function answerOf(error: unknown, notShown: NotShown): ErrorAnswer {
  if (!(error instanceof Refusal)) {
    const message = `The emulator failed: ${error instanceof Error ? error.message : String(error)}`;
    return { status: 500, headers: {}, body: { error: "internal_error", message } };
  }
  const [status, code] = wire(error, notShown);
  return { status, headers: error.headers, body: { error: code, message: error.message } };
}

function wire(refusal: Refusal, notShown: NotShown): [status: number, code: string] {
  switch (refusal.reason) {
    case "invalid":
      return [notShown.invalidRequestStatus, "invalid_request"];
    case "unauthorized":
      return [401, "unauthorized"];
    case "forbidden":
      return [403, "forbidden"];
    case "not_found":
      return [notShown.notFoundStatus, notFoundCode(refusal.kind ?? "", notShown)];
    case "no_route":
      return [404, "not_found"];
    case "wrong_method":
      return [405, "method_not_allowed"];
    case "project_in_use":
      return [409, "project_in_use"];
    case "page_without_site":
      return [400, "page_has_no_site"];
    case "page_not_ready":
      return [notShown.unreadyStatus, "page_not_ready"];
    case "slug_taken":
      return [notShown.duplicateSlugStatus, "slug_taken"];
    case "paid_plan":
      return [notShown.paidPlanStatus, "paid_plan_required"];
    case "rejected_hook":
      return [notShown.rejectedHookStatus, "invalid_target_url"];
    case "too_large":
      return [notShown.tooLargeStatus, "body_too_large"];
    case "rate_limited":
      return [429, "rate_limited"];
  }
}

function notFoundCode(kind: string, notShown: NotShown): string {
  return kind === "page" || notShown.notFoundCodes === "by-kind" ? `${kind}_not_found` : "not_found";
}

function abbreviate(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
