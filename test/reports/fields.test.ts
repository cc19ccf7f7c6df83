/** Every printer prints each field of a report, or a line gives the reason why not. A new field in the schema fails here until it has a row. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { jsonReport } from "../../stack/report/json.ts";
import { forms, renderOutcome } from "./forms.ts";
import { samples } from "./samples.ts";
import { storyOf } from "../../story/story.ts";

type Sample = keyof typeof samples;
type Printer = "terminal" | "markdown" | "html";
/** The sample with the field and its words, or the reason why nobody sees it. */
type Row = { in: Sample; told: string; but?: Partial<Record<Printer, string>> } | { why: string };

const told = (sample: Sample, words: string, but: Partial<Record<Printer, string>> = {}): Row => ({
  ...{ in: sample, told: words, but },
});
const PROGRAMS: Row = { why: "for programs: a person is told the name" };
const ON_PAGE = { terminal: "the sign says it: the page that is asked for has the words" };
const HIDES: Row = { why: "its name is told; the address stands with the page that is published" };

const SHOWN: Row = { why: "for programs: the picture shows it" };
const same = (row: Row, ...fields: string[]): Record<string, Row> =>
  Object.fromEntries(fields.map((field) => [field, row]));

/** The places of objects that a person knows by their names. */
const NAMED = [
  ...["changes[]", "impact.alsoLive[]", "impact.alsoGoes[]", "findings[]", "held[]", "seen[]", "drift[]", "drafts[]"],
  ...["pictures.taken[]", "funnels.all[]", "funnels.all[].steps[]"],
];
const EDITED = ["impact.alsoLive[]", "impact.alsoGoes[]", "held[]", "drafts[]"];

/** The rows of everybody's edits in a draft: the same few lines wherever they stand. */
const ROWS: Readonly<Record<string, Row>> = {
  ...same(PROGRAMS, ...NAMED.map((place) => `${place}.urn`)),
  ...same(HIDES, ...EDITED.map((place) => `${place}.url`)),
  version: { why: "for programs" },
  command: told("undo", "landform undo", { terminal: "by the title: Undo of run" }),
  result: told("run", "Failed: "),
  project: told("plan", "spring/prod"),
  stack: told("plan", "spring/prod"),
  "engine.name": told("plan", "embedded engine"),
  "engine.version": told("plan", "0.9.1"),
  "counts.create": told("plan", "11 to create"),
  "counts.adopt": told("plan", "12 to adopt"),
  "counts.update": told("plan", "13 to update"),
  "counts.replace": told("plan", "14 to replace"),
  "counts.delete": told("plan", "15 to delete"),
  "counts.left": told("plan", "16 to leave in the account"),
  "counts.held": told("plan", "24 held back"),
  "counts.same": told("plan", "17 unchanged"),
  "counts.mayFollow": told("plan", "18 may change as a consequence"),
  "counts.failed": told("run", "21 failed"),
  "counts.unfinished": told("run", "22 unfinished"),
  "counts.unreached": told("run", "23 not reached"),
  "leftovers.count": told("plan", "19 leftovers of killed runs"),
  "leftovers.removed": told("plan", "to remove"),
  ...same(told("plan", "Page offer"), "changes[].type", "changes[].name"),
  "changes[].title": told("plan", "Aurora Tea · Offer", { terminal: "there it has the name that the code gives it" }),
  "changes[].op": told("plan", "delete", { terminal: "by its sign", html: "the badge says: goes away" }),
  "changes[].status": told("run", "failed"),
  "changes[].held": told("plan", "hold back", { terminal: "by its sign", html: "the badge says: held back" }),
  "changes[].stays": told("plan", "stays in the account, and Landform no longer manages it"),
  "changes[].id": told("plan", "page_offer", { markdown: "the address names it, and an id fills the line" }),
  "changes[].url": told("plan", "https://spring.example/offer"),
  "changes[].editUrl": told("plan", "https://app.example/offer", {
    terminal: "for who opens the page in a browser: JSON and HTML have it",
    markdown: "the app is where edits begin; a request reviews code",
  }),
  "changes[].note": told("plan", "replaced if siteId differs: only the run can tell"),
  "changes[].perhaps": { why: "its note says the same" },
  "changes[].fields[].path": told("plan", 'content["hero.title"]'),
  "changes[].fields[].kind": { why: "the values say it" },
  "changes[].fields[].old": told("plan", "Old", { html: "word by word: removed" }),
  "changes[].fields[].new": told("plan", "New", { html: "word by word: added" }),
  "changes[].fields[].replaces": told("plan", "replaces the page"),
  "changes[].fields[].stays": told("plan", "stays as it is: the code no longer sets it"),
  "changes[].fields[].never": told("plan", "was never on the page"),
  "changes[].fields[].held": told("plan", "held back"),
  "changes[].fields[].writtenIn": told("plan", "copy.csv, line 3"),
  "changes[].rendered[].path": told("plan", "hero.text", RENDERED()),
  "changes[].rendered[].old": told("plan", "Acme", RENDERED()),
  "changes[].rendered[].new": told("plan", "Bolt", RENDERED()),
  "impact.urls[].url": told("plan", "https://spring.example/moves"),
  "impact.urls[].on": told("plan", "on site acme.example"),
  "impact.urls[].page": told("plan", "new home"),
  "impact.urls[].mayMove": told("plan", "may move"),
  "impact.urls[].effect": told("plan", "Addresses that go to another page (briefly unavailable)"),
  "impact.funnels[].name": told("plan", "Spring sale"),
  "impact.funnels[].reason": told("plan", "offer changes"),
  "impact.scopes": told("plan", "pages:read"),
  "impact.unproven": told("plan", "not verified: pages:write"),
  ...same(told("plan", "Landform holds back Page beside"), "impact.alsoLive[].type", "impact.alsoLive[].name"),
  "impact.alsoLive[].edits[]": told("plan", 'beside.note "Half a beside"'),
  "impact.alsoLive[].policy": told("plan", "Landform holds back Page beside"),
  "impact.alsoLive[].released": told("plan", "and its whole release"),
  "impact.alsoLive[].noDraft": told("plan", "Landform leaves values of"),
  "impact.alsoLive[].asItIs": told("plan", "Landform takes over the published version of Page taken"),
  "impact.alsoLive[].makesWay": told("plan", "Another page takes the address of Page leaves"),
  "impact.alsoLive[].lost": told("plan", "undo can't make the page again: nobody knows its template"),
  "impact.alsoLive[].goes": told("plan", "which would be deleted with the old page"),
  "impact.alsoLive[].stays": told("plan", "which would stay behind in the old page"),
  ...same(
    told("plan", "Unpublished edits in the draft of Page going are deleted, too"),
    "impact.alsoGoes[].type",
    "impact.alsoGoes[].name",
  ),
  "impact.alsoGoes[].edits[]": told("plan", 'going.note "Half a going"'),
  "impact.alsoGoes[].lost": told("plan", "undo can't make the page again: nobody knows its origin"),
  "impact.alsoGoes[].published[]": told("plan", 'lost.note "Half a lost"'),
  "impact.alsoGoes[].values[]": told("plan", "The account loses values of Page going"),
  "pending[].urn": told("plan", "creating Page half"),
  "pending[].operation": told("plan", "creating"),
  "pending[].outcome": told("plan", "the next up finishes it"),
  "findings[].check": { why: "for programs: the text says it" },
  "findings[].weight": told("plan", "mind the gap"),
  "findings[].text": told("plan", "mind the gap"),
  "findings[].source": told("plan", "landform.yaml:7:3: too many"),
  "findings[].allowed": told("plan", "allow it: --force"),
  "findings[].refusedBy": told("plan", "npx landform up will refuse this plan"),
  "findings[].advice[].command": told("plan", "npx landform adopt"),
  "findings[].advice[].arguments": told("plan", "npx landform adopt Page/offer"),
  "findings[].advice[].reason": told("plan", "takes it over."),
  "findings[].lasts": { why: "for the apply: it tells it again" },
  unmanaged: told("plan", "Page about: tags stays as it is"),
  "advice[].command": told("plan", "npx landform up"),
  "advice[].arguments": told("plan", "npx landform up --refresh"),
  "advice[].reason": told("plan", "applies it."),
  outputs: told("run", "offerUrl"),
  changedOutputs: { why: "a plan tells these outputs alone" },
  urls: PROGRAMS,
  published: told("run", "https://spring.example/offer"),
  ...same(told("run", "Page waiting is not published"), "held[].type", "held[].name"),
  "held[].edits[]": told("run", 'waiting.note "Half a waiting"'),
  "held[].goes": told("run", "Page anew is not replaced"),
  "held[].stays": told("run", "which would stay behind in the old page"),
  "held[].noDraft": told("run", "Product mug keeps values that somebody has changed since the last run"),
  "held[].heldBy": told("run", "Page along is not published. It goes out together with waiting, which has"),
  ...same(told("run", "Page visited"), "seen[].type", "seen[].name"),
  "seen[].outcome": told("run", "seen after"),
  "seen[].url": told("run", "https://spring.example/visited"),
  "seen[].afterMs": told("run", "after 4.3 s"),
  "seen[].keys": told("run", "hero.image"),
  "seen[].reason": { why: "what was seen needs none" },
  "failures[].message": told("run", "it is not ready"),
  "failures[].urn": { why: "for programs: JUnit puts it with its resource" },
  "failures[].source": told("run", "landform.yaml:18:5"),
  "failures[].guide": told("run", "docs/troubleshooting.md#ready"),
  "failures[].cause": { why: "for programs: the verdict says Refused or Failed" },
  "failures[].allowed": told("run", "allow it: --max-deletes 4"),
  "failures[].check": { why: "for programs: the message says it" },
  "failures[].advice[].command": told("run", "npx landform state unlock"),
  "failures[].advice[].arguments": told("run", "npx landform state unlock -s prod"),
  "failures[].advice[].reason": told("run", "frees the stack."),
  "failures[].step": { why: "for programs: the message says it" },
  ...same(told("drift", "Page offer"), "drift[].type", "drift[].name"),
  "drift[].id": told("drift", "page_offer", { markdown: "its name and kind say it" }),
  "drift[].kind": told("drift", "changed in the app"),
  "drift[].inputs": told("drift", "left unfinished, or held back, by an earlier run (publish)"),
  "drift[].fields[].path": told("drift", 'content["hero.title"]'),
  "drift[].fields[].lastRun": told("drift", "left"),
  "drift[].fields[].live": told("drift", "edited"),
  "drift[].fields[].code": told("drift", "coded"),
  "drift[].fields[].unpublished": told("drift", "(in a draft: visitors don't see it yet)"),
  "drift[].fields[].unread": { why: "no value of the code is told then" },
  ...same(told("drift", "Page others has unpublished edits by somebody else"), "drafts[].type", "drafts[].name"),
  "drafts[].edits[]": told("drift", 'others.note "Half a others"'),
  "undone.id": told("undo", "20260102-1"),
  "undone.command": told("undo", "destroy by Ada"),
  "undone.at": told("undo", "2026-01-02 03:04 UTC"),
  "undone.by": told("undo", "destroy by Ada"),
  ...same(told("undo", "Undo leaves Page moved"), "undone.conflicts[].type", "undone.conflicts[].name"),
  "undone.conflicts[].field": told("undo", "Page moved title"),
  "undone.conflicts[].why": told("undo", "changed by hand"),
  "undone.conflicts[].now": told("undo", "By hand"),
  "undone.nothingLeft": { why: "a sentence says it, in place of the one about the changes that are taken back" },
  ...same(told("nothing left", "still held back: Page offer"), "undone.waiting[].type", "undone.waiting[].name"),
  ...same(told("undo", "Undo can't bring back all of Page lost"), "undone.lost[].type", "undone.lost[].name"),
  "undone.lost[].text": told("undo", "its style is not recorded"),
  "pictures.unchanged": told("pictured", "The code does not change 57 other pages"),
  "pictures.alike": told("pictured", "1 changed page looks as before"),
  "pictures.fromCode": told("pictured", "a merge leaves it as it is"),
  "pictures.missing": told("pictured", "There are no pictures: no Chromium was found"),
  "pictures.taken[].type": { why: "only pages have pictures" },
  "pictures.taken[].name": told("pictured", "gone, on a phone"),
  "pictures.taken[].title": told("pictured", "Aurora Tea · Offer, on a phone"),
  "pictures.taken[].screen": told("pictured", "on a desktop"),
  "pictures.taken[].kind": told("pictured", "a new page"),
  "pictures.taken[].url": told("pictured", "https://spring.example/pr-12/offer"),
  "pictures.taken[].baseUrl": told("pictured", "spring.example/offer"),
  ...same(SHOWN, ...["width", "height", "top"].map((name) => `pictures.taken[].${name}`)),
  "pictures.taken[].share": told("pictured", "3.4 % differs"),
  "pictures.taken[].goesOn": { why: "the caption of the picture says it" },
  "pictures.taken[].notes": told("pictured", "it never stands still"),
  "funnels.all[].name": told("funnels", "spring funnel"),
  "funnels.all[].stands": told("funnels", "left unfinished, or held back", ON_PAGE),
  "funnels.all[].steps[].pageType": told("funnels", "checkout"),
  "funnels.all[].steps[].to": told("funnels", "https://shop.example/pay"),
  "funnels.all[].steps[].title": told("funnels", "Aurora Tea · Offer"),
  "funnels.all[].steps[].url": told("funnels", "https://spring.example/offer"),
  "funnels.all[].steps[].stands": told("funnels", "unpublished edits by somebody else", ON_PAGE),
  "funnels.all[].steps[].changed.at": told("funnels", "last changed 2026-11-20 10:00 UTC"),
  "funnels.all[].steps[].changed.by": told("funnels", "by ada"),
  "funnels.all[].steps[].changed.run": told("funnels", "run 20261120-100000"),
  "funnels.unread": told("funnels", "the bucket does not answer"),
  "funnels.missing": told("funnels", "There are no pictures: no Chromium was found"),
  durationMs: told("plan", "1.2 s"),
};

/** A function, because the table above is read first. */
function RENDERED(): Partial<Record<Printer, string>> {
  const why = "the same change is told by the field and its variable";
  return { terminal: why, markdown: why };
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** An edit is one line, and the service's answer is for programs. */
const WHOLE = /\.edits\[\]$|\.alsoGoes\[\]\.(?:published|values)\[\]$|^failures\[\]\.step$/;

const schema = JSON.parse(readFileSync(new URL("../../schema/report.schema.json", import.meta.url), "utf8")) as Schema;

function leaves(part: Schema, path: string): string[] {
  if (WHOLE.test(path)) return [path];
  const { $ref, anyOf = [], properties, items } = part;
  const referred = $ref === undefined ? undefined : schema.definitions?.[$ref.split("/").at(-1) ?? ""];
  const inner = [
    ...(referred === undefined ? [] : leaves(referred, path)),
    ...anyOf.flatMap((one) => leaves(one, path)).filter((one) => one !== path),
    ...(items === undefined ? [] : leaves(items, `${path}[]`).filter((one) => one !== `${path}[]` || WHOLE.test(one))),
    ...Object.entries(properties ?? {}).flatMap(([key, one]) => leaves(one, path === "" ? key : `${path}.${key}`)),
  ];
  return inner.length === 0 ? [path] : [...new Set(inner)];
}

test("every field of the schema has a row, and every row a field", () =>
  expect(Object.keys(ROWS).sort()).toEqual(leaves(schema, "").sort()));

/** Returns the text that a reader sees, without the marks that only a machine reads. */
const printers: Readonly<Record<Printer, (sample: Sample) => string>> = {
  terminal: (sample) => (sample === "run" ? renderOutcome(samples.run) + text("txt", sample) : text("txt", sample)),
  markdown: (sample) => text("md", sample),
  html: (sample) =>
    text("html", sample)
      .replace(/^[^]*<body>|<script>[^]*$/g, "")
      .replaceAll(/(<a href="[^"]*")|<[^>]*>/g, "$1"),
};

function text(form: string, sample: Sample): string {
  return (forms[form]?.(samples[sample]) ?? "")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/[\u200b\u2060`*]/g, "");
}

const valuesAt = (value: unknown, path: string): unknown[] =>
  path
    .replaceAll("[]", "")
    .split(".")
    .reduce<unknown[]>((all, key) => all.flat().flatMap((one) => (one as Record<string, unknown>)[key] ?? []), [value]);

describe.each(Object.entries(ROWS))("%s", (path, row) => {
  if ("why" in row) {
    test("is for no person, with a reason", () => expect(row.why).not.toBe(""));
    return;
  }
  test("stands in JSON", () => {
    expect(valuesAt(JSON.parse(JSON.stringify(jsonReport(samples[row.in]))), path).length).toBeGreaterThan(0);
  });

  test.each(Object.entries(printers).filter(([printer]) => row.but?.[printer as Printer] === undefined))(
    "is told by %s",
    (_, print) => expect(flat(print(row.in))).toContain(row.told),
  );
});

/** Lines break where there is no room. */
function flat(printed: string): string {
  return printed.replaceAll(/\s+/g, " ");
}

test("JUnit has a case with the parts of each finding, and a hold that a command refuses fails", () => {
  const xml = forms["xml"]?.(samples.plan) ?? "";
  expect(xml).toContain(
    '<testcase classname="spring.prod" name="warn account"><properties><property name="check" value="account"/><property name="weight" value="warn"/><property name="urn" value="urn:offer"/></properties><system-out>mind the gap</system-out></testcase>',
  );
  expect(xml).toContain(
    '<property name="source" value="landform.yaml:7:3"/><property name="allowed" value="--force"/><property name="refusedBy" value="up"/></properties><failure message="npx landform up will refuse this: landform.yaml:7:3: too many">',
  );
  expect(forms["xml"]?.(samples.run)).toContain("<system-out>Page waiting is not published, because");
});

test("a page goes on below its picture only where there is one", () => {
  for (const sample of ["pictured", "funnels"] as const) {
    expect(forms["html"]?.(samples[sample])).toContain("the page goes on below this part");
    expect(printers.markdown(sample)).not.toContain("goes on");
    expect(printers.terminal(sample)).not.toContain("goes on");
  }
});

test("a page that is public and that the run did not touch is not told as published", () => {
  for (const print of Object.values(printers)) expect(print("run")).not.toContain("https://spring.example/untouched");
});

test("edits that hold a page back are told once after the run: with the held page, and no longer as a plan", () => {
  const { held = [] } = samples.run;
  const alsoLive = held.map((one) => ({ ...one, policy: "hold" as const, digest: "" }));
  const report = { ...samples.run, impact: { urls: [], funnels: [], scopes: [], alsoLive } };
  for (const print of Object.values(forms)) expect(print(report)).not.toContain("holds back Page beside");
});

test("a page with an edit of what the plan writes, and with another one, is told once", () => {
  const [beside] = samples.plan.impact?.alsoLive ?? [];
  if (beside === undefined) throw new Error("the sample has no edits");
  const over = { then: "one", code: "two" };
  const edits = [...beside.edits, { kind: "field" as const, at: ["content", "title"], now: "By hand", over }];
  const report = { ...samples.plan, impact: { ...samples.plan.impact, urls: [], funnels: [], scopes: [] } };
  const { urgent } = storyOf({ ...report, impact: { ...report.impact, alsoLive: [{ ...beside, edits }] } });
  const about = urgent.filter((one) => one.of === beside.urn);
  expect(about).toMatchObject([
    {
      text: expect.stringMatching(
        /Somebody has edited values in the app that the code changes\. The draft has other unpublished edits/,
      ) as string,
    },
  ]);
  expect(about[0]?.items).toEqual([expect.stringContaining("Half a"), expect.stringContaining("By hand")]);
});
