/** Every class of fault for a call that changes something. */
import type { Fault } from "../../emulator/index.ts";

export interface FaultClass {
  readonly name: string;
  readonly fault: Omit<Fault, "method" | "path">;
  /** The further calls that meet the fault: all, or those that need the call's scope. */
  readonly reach?: "everything from now on" | "the call's scope" | "no connection from now on";
  /** A fault on every later list, so that the search for the new object is hard. */
  readonly lists?: Omit<Fault, "method" | "path">;
  /** The time before lists show a new object. */
  readonly lagMs?: number;
  /** The call's deadline, if the fault is a missing answer. */
  readonly timeoutMs?: number;
  /** The distance of the date in Retry-After. */
  readonly retryAtMs?: number;
}

const PATIENT_MS = 40_000;
const NEVER_MS = 1_000_000;

const statuses = [500, 502, 503, 504].flatMap((status): FaultClass[] => [
  { name: `${status} before`, fault: { phase: "status", status } },
  { name: `${status} after commit`, fault: { phase: "status", status, commit: true } },
]);

const throttled = Object.entries({
  "no Retry-After": undefined,
  seconds: "2",
  "the past": "Sun, 06 Nov 1994 08:49:37 GMT",
  garbage: "soon, perhaps",
  "a day": "86400",
}).map(([what, retryAfter]): FaultClass => ({
  name: `429 with ${what}`,
  fault: { phase: "status", status: 429, ...(retryAfter !== undefined && { retryAfter }) },
}));
const throttledUntil: FaultClass = {
  name: "429 with a date",
  fault: { phase: "status", status: 429 },
  retryAtMs: 3_000,
};

const lists: FaultClass[] = [
  { name: "answer lost, lists fail", fault: { phase: "after" }, lists: { phase: "status", status: 500 } },
  { name: "answer lost, lists are empty", fault: { phase: "after" }, lists: { phase: "altered", list: "empty" } },
  { name: "answer lost, lists shift", fault: { phase: "after" }, lists: { phase: "altered", list: "shifted" } },
  { name: "answer lost, lists have no end", fault: { phase: "after" }, lists: { phase: "altered", list: "endless" } },
  { name: "answer lost, lists lag 5 s", fault: { phase: "after" }, lagMs: 5_000 },
  { name: "answer lost, lists lag 60 s", fault: { phase: "after" }, lagMs: 60_000 },
];

export const faultClasses: readonly FaultClass[] = [
  { name: "connections refused from now on", fault: { phase: "before" }, reach: "no connection from now on" },
  { name: "cut before", fault: { phase: "before" } },
  { name: "reset before", fault: { phase: "reset" } },
  { name: "cut after commit", fault: { phase: "after" } },
  { name: "reset after commit", fault: { phase: "reset", commit: true } },
  { name: "time-out after commit", fault: { phase: "slow", delayMs: NEVER_MS }, timeoutMs: PATIENT_MS },
  { name: "truncated body", fault: { phase: "truncate" } },
  ...statuses,
  ...throttled,
  throttledUntil,
  { name: "HTML page, not done", fault: { phase: "html" } },
  { name: "HTML page of a proxy, done", fault: { phase: "html", status: 502, commit: true } },
  { name: "HTML page with 200, done", fault: { phase: "html", commit: true } },
  { name: "wrong content type", fault: { phase: "altered", contentType: "text/plain" } },
  { name: "empty body", fault: { phase: "altered", empty: true } },
  { name: "missing id", fault: { phase: "altered", omit: ["id", "page_id", "quiz_id", "funnel_id", "product_id"] } },
  { name: "null dates", fault: { phase: "altered", set: { created_at: null, updated_at: null, published_at: null } } },
  {
    name: "additional fields",
    fault: { phase: "altered", set: { locale: "en", revision: 7, _links: { self: null } } },
  },
  { name: "301", fault: { phase: "status", status: 301, headers: { Location: "https://elsewhere.example/" } } },
  { name: "401 from now on", fault: { phase: "status", status: 401 }, reach: "everything from now on" },
  { name: "403 for its scope", fault: { phase: "status", status: 403 }, reach: "the call's scope" },
  { name: "64 MB body", fault: { phase: "altered", padTo: 64 * 1024 * 1024 } },
  { name: "a byte a second", fault: { phase: "altered", bytesPerSecond: 1 }, timeoutMs: 10_000 },
  ...lists,
];
