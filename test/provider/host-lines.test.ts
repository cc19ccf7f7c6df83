/** The lines of the provider's host: for a person with plain Pulumi, and with data for the command line. */
import { expect, test } from "vitest";
import { Collector } from "../../stack/report/collect.ts";
import * as api from "../../provider/api/index.ts";
import { explainedBy, failureOf, type StepFailure } from "../../provider/messages/failures.ts";
import {
  failureLine,
  hostLine,
  TYPED_LINES,
  readFailureLine,
  readHostLine,
} from "../../provider/messages/host-lines.ts";
import * as lifecycle from "../../provider/messages/errors.ts";
import { type Notice } from "../../provider/messages/notices.ts";

const about = { kind: "page", id: "p-1" };
const all: { readonly [Code in Notice["code"]]: Notice & { code: Code } } = {
  stays: { code: "stays", ...about, text: "It stays.\n::error::not ours \u001b]52;c;eA==\u0007" },
  "of-kind": {
    code: "of-kind",
    ...about,
    topic: "published",
    text: 'quotes ", ⟦landform {"code":"stays"}⟧, \ud83d, 🧵',
  },
  "carried-on": { code: "carried-on", ...about, name: "Mug ⟧" },
  "removed-leftover": { code: "removed-leftover", ...about, name: "Mug [lf-1] ⟧" },
  "left-behind": { code: "left-behind", ...about },
  "perhaps-a-copy": { code: "perhaps-a-copy", ...about, name: "Mug [lf-1] ⟧ (copy)" },
  "perhaps-orphaned": { code: "perhaps-orphaned", kind: "hook", id: "", name: 'hook "leads"' },
  "second-copy": { code: "second-copy", ...about, duplicateId: "p-2" },
  moved: { code: "moved", ...about, by: "app", paths: [["content", "hero.⟧"], ["name"]] },
  "foreign-edits": {
    code: "foreign-edits",
    ...about,
    name: "Offer",
    outcome: "held-back",
    edits: [
      { kind: "field", at: ["content", "hero.note"], now: 'half \u001b[2J "a" ⟧ thought' },
      { kind: "node", nodeId: "n-1", path: "sections[0]", isNew: false, texts: ["a\nb"] },
    ],
  },
  "seen-live": {
    code: "seen-live",
    ...about,
    name: "Offer",
    url: "https://spring.example/offer",
    ...{ outcome: "old", afterMs: 4_000, keys: ["hero.title ⟧"] },
  },
  "option-left-out": { code: "option-left-out", kind: "page", id: "", name: "offer ⟧", option: "protect" },
  "not-restorable": {
    code: "not-restorable",
    ...about,
    field: "name",
    live: { deep: ["a\nb", "c\u2028d\u2029e\u0085f"] },
  },
};

test.each(Object.values(all))("$code comes back as it was told", (notice) => {
  const line = hostLine(notice, TYPED_LINES);
  expect(line).not.toMatch(/[\n\r\u2028\u2029\p{Cc}]/u);
  const wellFormed = JSON.parse(JSON.stringify(notice), (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  ) as Notice;
  expect(readHostLine(line)?.notice).toEqual(wellFormed);
  expect(`warning: ${readHostLine(line)?.text}`).toBe(hostLine(notice, {}));
});

test("good news is no warning, and a line of others that looks like it is none of ours", () => {
  const seen: Notice = { ...all["seen-live"], outcome: "seen", keys: [] };
  const line = hostLine(seen, TYPED_LINES);
  expect(line).toMatch(/^note: publish: page p-1 \("Offer"\): seen after 4\.0 s/);
  expect(readHostLine(line)?.notice).toEqual(seen);
  expect(readHostLine("note: a program's own")).toBeUndefined();
  const collector = new Collector();
  collector.add({
    sequence: 0,
    timestamp: 0,
    diagnosticEvent: { message: line, color: "never", severity: "info#err" },
  });
  expect([...collector.warnings]).toEqual([]);
  expect(collector.notices).toEqual([seen]);
});

const call = { method: "PATCH", path: "/pages/metadata", status: 403, code: "insufficient_scope" };
const refused = new api.ForbiddenError({
  ...call,
  what: "no ⟧ \ud83d\n::error::",
  remedy: "Give it one.",
  outcome: "refused",
});

/** One of each class, by its name. */
const errors: Record<string, Error> = {
  ...Object.fromEntries(
    Object.entries(api)
      .filter(([name, value]) => /Error$/.test(name) && typeof value === "function")
      .map(([name, value]) => [name, new (value as typeof api.ApiError)({ ...refusedDetails() })]),
  ),
  ConfigurationError: new api.ConfigurationError("LANDFORM_API_KEY", "is not set", "Set it."),
  LifecycleError: new lifecycle.LifecycleError("It went wrong."),
  WrongAccountError: new lifecycle.WrongAccountError("acc-1", "acc-2", "LANDFORM_API_KEY"),
  UnknownAccountError: new lifecycle.UnknownAccountError("acc-1", "LANDFORM_API_KEY"),
  OldStateError: new lifecycle.OldStateError('"a" (page-1)', "page-1"),
  LostAnswerError: new lifecycle.LostAnswerError('page "a"', 15, refused),
  UnfindableError: new lifecycle.UnfindableError('hook "a"', refused),
  UnprovenError: new lifecycle.UnprovenError('page "a"', [{ id: "p-1" }, { id: "p-2", createdAt: "2026-11-22" }]),
  RefusedChangeError: new lifecycle.RefusedChangeError("site s-1", "name", "there is no call for it"),
  PreviewStackError: new lifecycle.PreviewStackError('page "a"', "pr-1", "none"),
  AdoptionError: new lifecycle.AdoptionError("It is somebody else's."),
  ApplyError: new lifecycle.ApplyError("The page has no such key."),
  NotYetSeenError: new lifecycle.NotYetSeenError("PATCH /products", "p-1", ["price"]),
  UnconfirmedAbsenceError: new lifecycle.UnconfirmedAbsenceError(
    "GET /pages/p-1: not found, and yet its search shows it",
  ),
  DeleteError: new lifecycle.DeleteError("It is still there."),
};

function refusedDetails(): api.ErrorDetails {
  return { ...call, what: "it is refused", remedy: "Ask.", outcome: "refused" };
}

test("every class of the lifecycle's errors is among them", () => {
  const classes = Object.keys(lifecycle).filter((name) => name !== "PartialFailure");
  expect(classes.filter((name) => errors[name] === undefined)).toEqual([]);
  expect(Object.keys(errors).length).toBeGreaterThan(classes.length + 10);
});

test.each(Object.entries(errors))("%s comes back as it was told, in part or whole", (name, error) => {
  const partial = new lifecycle.PartialFailure("p-1", {}, error);
  for (const thrown of [error, partial]) {
    const cause = explainedBy(thrown);
    if (cause === undefined) throw new Error(`${name} is not explained`);
    const failure = failureOf("page", cause, thrown.message.toWellFormed());
    const line = failureLine(failure, TYPED_LINES) ?? "";
    expect(line).not.toMatch(/[\n\r\p{Cc}]/u);
    expect(readFailureLine(line)).toEqual(JSON.parse(JSON.stringify(failure)));
    expect(failureLine(failure, {})).toBeUndefined();
    expect(readHostLine(line)).toBeUndefined();
  }
});

test("what Pulumi's host prints of a failure beside its data is told once", () => {
  const collector = new Collector();
  const text = "GET /pages/1: the service answered 500\nRun it again later";
  const failed: StepFailure = { code: "server", kind: "page", text };
  const printed = (message: string) =>
    collector.add({ sequence: 1, timestamp: 1, diagnosticEvent: { message, color: "never", severity: "info#err" } });
  expect(printed(failureLine(failed, TYPED_LINES) ?? "")).toEqual([]);
  expect(printed("ServerError: GET /pages/1: the service answered 500")).toEqual([]);
  expect(printed("Run it again later: ")).toEqual([]);
  expect(printed("GET /pages/2: the service answered 500")).toEqual([
    { kind: "printed", line: "GET /pages/2: the service answered 500" },
  ]);
  expect(printed(":")).toEqual([{ kind: "printed", line: ":" }]);
});
