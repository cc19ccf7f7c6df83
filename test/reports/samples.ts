/** Reports in which every field has a value with a word of its own. */
import type { Change, ChangeOp, Report, DraftOfOthers } from "../../stack/report/model.ts";
import { blankReport } from "../../stack/exit/report.ts";

/** A plan of the stack prod, which has nothing but these parts. */
export function reportWith(parts: Partial<Report>): Report {
  const blank = { ...blankReport("prod"), command: "preview", result: "succeeded", project: "spring" } as const;
  return { ...blank, engine: { name: "embedded", version: "0.1.0" }, durationMs: 1_234, ...parts };
}

const report = (parts: Partial<Report>): Report =>
  reportWith({ engine: { name: "embedded", version: "0.9.1" }, ...parts });

function page(name: string, op: ChangeOp, parts: Partial<Change> = {}): Change {
  return { urn: `urn:${name}`, type: "Page", name, op, fields: [], ...parts };
}

function draft(name: string): DraftOfOthers {
  const edits: DraftOfOthers["edits"] = [{ kind: "field", at: ["content", `${name}.note`], now: `Half a ${name}` }];
  return { urn: `urn:${name}`, type: "Page", name, url: `https://spring.example/${name}`, edits };
}

function changed(name: string): NonNullable<Report["held"]>[number] {
  const over = { then: "one", code: "two" };
  return {
    ...{ urn: `urn:${name}`, type: "Product", name, noDraft: true },
    edits: [{ kind: "field", at: [`${name}.text`], now: `Half a ${name}`, over }],
  };
}

const COUNTS: Report["counts"] = {
  ...{ create: 11, adopt: 12, update: 13, replace: 14, delete: 15, left: 16, held: 24, same: 17 },
  ...{ mayFollow: 18, failed: 0, unfinished: 0, unreached: 0 },
};

const HERO_TITLE = { path: ["content", "hero.title"], kind: "update" } as const;

const plan = report({
  counts: COUNTS,
  leftovers: { count: 19, removed: false },
  changes: [
    page("offer", "update", {
      title: "Aurora Tea · Offer",
      id: "page_offer",
      url: "https://spring.example/offer",
      editUrl: "https://app.example/offer",
      fields: [
        { ...HERO_TITLE, old: "Old title", new: "New title", writtenIn: "copy.csv:3:7" },
        { path: ["templateId"], kind: "update", old: "tpl-a", new: "tpl-b", replaces: true },
        { path: ["rating"], kind: "delete", old: "4.2", stays: true },
        { path: ["content", "hero.titel"], kind: "delete", old: "Typo", stays: true, never: true },
      ],
      rendered: [{ path: ["content", "hero.text"], old: "Hello Acme", new: "Hello Bolt" }],
      reason: { code: "perhaps replaced", fields: ["siteId"] },
    }),
    page("kept", "update", {
      held: "values",
      fields: [{ path: ["price"], kind: "update", old: 29.9, new: 32.9, held: true }],
    }),
    page("terms", "delete", { stays: "in place", reason: { code: "stays", stay: "in place" } }),
  ],
  impact: {
    urls: [
      { url: "https://spring.example/offer", page: "offer", effect: "update" },
      { url: "https://spring.example/perhaps", page: "about", effect: "update", mayMove: true },
      { url: "https://spring.example/moves", page: "old home", effect: "delete" },
      { url: "https://spring.example/moves", page: "new home", effect: "create" },
      { url: "/en/home", on: "acme.example", page: "acme-en-home", effect: "create" },
      { url: "https://spring.example/floating", page: "floating", effect: "update", mayMove: true },
    ],
    funnels: [
      { name: "Spring sale", pages: [{ name: "offer", op: "update" }], steps: [{ pageType: "presell", to: "offer" }] },
    ],
    scopes: ["pages:read"],
    unproven: ["pages:write"],
    alsoLive: [
      { ...draft("beside"), policy: "hold", digest: "d" },
      { ...draft("bundled"), policy: "hold", digest: "d", released: true },
      { ...draft("taken"), policy: "hold", digest: "d", asItIs: true },
      { ...changed("mug"), policy: "hold", digest: "d" },
      { ...draft("anew"), policy: "hold", digest: "d", goes: true },
      { ...draft("kept"), policy: "hold", digest: "d", goes: true, stays: true },
      { ...draft("leaves"), policy: "hold", digest: "d", makesWay: true },
      { ...draft("adopted"), policy: "include", digest: "d", goes: true, lost: "nobody knows its template" },
    ],
    alsoGoes: [
      { ...draft("going"), published: draft("lost").edits, values: changed("gone").edits },
      { ...draft("foreign"), lost: "nobody knows its origin" },
    ],
  },
  pending: [
    {
      urn: "urn:pulumi:prod::spring::pulumi-nodejs:dynamic/landform:Page::half",
      operation: "creating",
      outcome: "later",
    },
  ],
  findings: [
    {
      ...{ check: "account", weight: "warn", text: "mind the gap", urn: "urn:offer", lasts: true },
      advice: [{ command: "adopt", arguments: ["Page/offer"], reason: "takes it over." }],
    },
    {
      ...{ check: "lint", weight: "hold", text: "too many", source: "landform.yaml:7:3" },
      ...{ allowed: "--force", refusedBy: "up" },
    },
    { check: "run", weight: "note", text: "the state is on this machine" },
  ],
  unmanaged: ["Page about: tags stays as it is, since the code no longer sets it"],
  advice: [{ command: "up", arguments: ["--refresh"], reason: "applies it." }],
});

const run = report({
  command: "up",
  result: "failed",
  counts: { ...COUNTS, failed: 21, unfinished: 22, unreached: 23 },
  changes: [
    page("offer", "update", { status: "done", url: "https://spring.example/offer" }),
    page("thanks", "create", { status: "failed" }),
  ],
  outputs: { offerUrl: "https://out.example/offer" },
  urls: ["https://out.example/offer", "https://spring.example/offer", "https://spring.example/untouched"],
  published: ["https://out.example/offer", "https://spring.example/offer"],
  held: [
    draft("waiting"),
    { ...draft("along"), heldBy: ["waiting"] },
    changed("mug"),
    { ...draft("anew"), goes: true },
    { ...draft("kept"), goes: true, stays: true },
  ],
  seen: [
    {
      ...{ urn: "urn:offer", type: "Page", name: "visited", url: "https://spring.example/visited" },
      ...{ outcome: "seen", afterMs: 4_321, keys: ["hero.image"] },
    },
  ],
  failures: [
    {
      message: "it is not ready",
      cause: "operation",
      urn: "urn:thanks",
      source: "landform.yaml:18:5",
      guide: "docs/troubleshooting.md#ready",
      advice: [{ command: "state unlock", arguments: ["-s", "prod"], reason: "frees the stack." }],
    },
    { message: "it deletes too much", cause: "operation", allowed: "--max-deletes 4" },
  ],
});

const drift = report({
  command: "drift",
  counts: { ...COUNTS, create: 0 },
  drift: [
    {
      ...{ urn: "urn:offer", type: "Page", name: "offer", id: "page_offer", kind: "changed" },
      fields: [
        { path: ["content", "hero.title"], lastRun: "As left", live: "As edited", code: "As coded", unpublished: true },
      ],
    },
    { urn: "urn:half", type: "Page", name: "half", kind: "unfinished", fields: [], inputs: ["publish"] },
  ],
  drafts: [draft("others")],
});

const undo = report({
  command: "undo",
  undone: {
    ...{ id: "20260102-1", command: "destroy", at: "2026-01-02T03:04:05Z", by: "Ada" },
    conflicts: [{ type: "Page", name: "moved", field: "title", why: "changed by hand", now: "By hand" }],
    lost: [{ type: "Page", name: "lost", text: "its style is not recorded" }],
  },
});

const nothingLeft = report({
  command: "undo",
  undone: {
    ...{ id: "20260102-1", command: "up", at: "2026-01-02T03:04:05Z", by: "Ada", conflicts: [], lost: [] },
    ...{ nothingLeft: true, waiting: [{ type: "Page", name: "offer" }] },
  },
});

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const SIZE = { width: 1, height: 1 };
const photographed = (name: string) =>
  ({ urn: `urn:${name}`, type: "Page", name, screen: "phone", url: `https://spring.example/pr-12/${name}` }) as const;

/** A preview environment whose pages were photographed. */
const pictured = report({
  command: "up",
  stack: "pr-12",
  pictures: {
    unchanged: 57,
    alike: 1,
    fromCode: true,
    taken: [
      {
        ...photographed("offer"),
        ...{ title: "Aurora Tea · Offer", kind: "changed", baseUrl: "https://spring.example/offer", before: PIXEL },
        ...{ after: PIXEL, ...SIZE, top: 120, share: 0.034, goesOn: true, notes: ["it never stands still"] },
      },
      { ...photographed("new"), screen: "desktop", kind: "new", after: PIXEL, ...SIZE, notes: [] },
      { ...photographed("gone"), kind: "failed", notes: ["it answers with 404"] },
      { ...photographed("same"), kind: "alike", notes: ["the image https://cdn.example/mug.png does not load"] },
    ],
    missing: "no Chromium was found",
  },
});

/** A drift that is written as HTML. */
const funnels = report({
  command: "drift",
  drift: [],
  funnels: {
    all: [
      {
        ...{ urn: "urn:spring", name: "spring funnel", stands: "unfinished" },
        steps: [
          {
            ...{ pageType: "presell", to: "offer", urn: "urn:offer", title: "Aurora Tea · Offer", stands: "edited" },
            url: "https://spring.example/offer",
            changed: { at: "2026-11-20T10:00:00.000Z", by: "ada", run: "20261120-100000" },
            picture: {
              ...{ urn: "urn:offer", type: "Page", name: "offer", screen: "phone", kind: "new", after: PIXEL },
              ...{ url: "https://spring.example/offer", ...SIZE, goesOn: true, notes: [] },
            },
          },
          { pageType: "checkout", to: "https://shop.example/pay" },
        ],
      },
    ],
    missing: "no Chromium was found",
    unread: "the bucket does not answer",
  },
});

export const samples = { pictured, funnels, plan, run, drift, undo, "nothing left": nothingLeft };
