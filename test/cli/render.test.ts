/** Printers and the pure parts, without a process. test/browser tests the looks of HTML. */
import { describe, expect, test } from "vitest";
import { LARGEST } from "../../story/markdown.ts";
import { plainStyles } from "../../story/print.ts";
import { widthOf } from "../../stack/report/text.ts";
import { blankReport } from "../../stack/exit/report.ts";
import type { Change, Report } from "../../stack/report/model.ts";
import { explainProgramError } from "../../stack/report/program-errors.ts";
import { ATTACK, sampleReport } from "../browser/report-sample.ts";
import { renderHtml, renderMarkdown, renderPlan } from "../reports/forms.ts";

const change = (name: string, more: Partial<Change> = {}): Change => ({
  ...{ urn: `urn:${name}`, type: "Page", name, op: "update", fields: [] },
  ...more,
});

const report = (more: Partial<Report> = {}): Report => ({
  ...blankReport("dev"),
  command: "preview",
  result: "succeeded",
  project: "shop",
  engine: { name: "embedded", version: "1.0.0" },
  counts: { ...blankReport("dev").counts, update: 1, same: 3 },
  durationMs: 1_200,
  ...more,
});

describe("what changes hands", () => {
  const urls: NonNullable<Report["impact"]>["urls"] = [
    { url: "https://a.example/x", page: "one", effect: "delete" },
    { url: "https://a.example/x", page: "two", effect: "create" },
    { url: "https://a.example/y", page: "one", effect: "create" },
  ];
  const moved = (more: Partial<Report> = {}) =>
    report({ changes: [change("one"), change("two")], impact: { urls, funnels: [], scopes: [] }, ...more });
  const canvas = { styles: plainStyles, width: 100 };

  test("is named on the terminal and in Markdown", () => {
    expect(renderPlan(moved(), canvas)).toContain(
      "Addresses that go to another page (briefly unavailable)\n  https://a.example/x",
    );
    expect(renderMarkdown(moved())).toMatch(
      /\n\*\*Addresses that go to another page \(briefly unavailable\)\*\*\n\n- https:\/\/a\.example\/x\n/,
    );
  });

  test("is nothing where the plan is refused", () => {
    const refused = moved({ result: "failed" });
    expect(renderPlan(refused, canvas)).not.toContain("Addresses moving");
    expect(renderMarkdown(refused)).not.toContain("Addresses moving");
  });
});

describe("the plan", () => {
  test("old and new of every field, line by line where a text has lines", () => {
    const fields: Change["fields"] = [
      { path: ["templateId"], kind: "update", old: "tpl-a", new: "tpl-b", replaces: true },
      { path: ["content", "hero.text"], kind: "update", old: "one\ntwo\nthree", new: "one\n2\nthree" },
      { path: ["tags"], kind: "add", new: ["a"] },
      { path: ["productLabel"], kind: "delete", old: "mug" },
      { path: ["targetUrl"], kind: "update", old: "[secret]", new: "[secret]" },
    ];
    const changes = [change("offer", { op: "replace", id: "page_1", url: "https://x/offer", fields })];
    expect(renderPlan(report({ changes }), { styles: plainStyles, width: 80 })).toMatchInlineSnapshot(`
      "Preview of shop/dev

        ± Page offer  page_1  https://x/offer
            templateId            "tpl-a" → "tpl-b"  (replaces the page)
            content["hero.text"]
                one
              - two
              + 2
                three
            tags                  ["a"]
            productLabel          "mug" → (none)
            targetUrl             [secret] → another [secret]

      1 to update, 3 unchanged · embedded engine 1.0.0 · 1.2 s"
    `);
  });
});

describe("a change is never hidden", () => {
  const long = "A long text about mugs, and what they are good for in the morning. ".repeat(12);
  const cells = (old: string, now: string, command: Report["command"] = "preview") => {
    const fields: Change["fields"] = [{ path: ["context"], kind: "update", old, new: now }];
    const row = renderMarkdown(report({ command, changes: [change("p", { fields })] }))
      .split("\n")
      .find((line) => line.startsWith("| `context`"));
    return (row ?? "").split(" | ").slice(1);
  };

  test.each([
    ["the last word", `${long}old`, `${long}new`],
    ["the first word", `Old ${long}`, `New ${long}`],
    ["a word in the middle", `${long}red ${long}`, `${long}blue ${long}`],
    ["two words far apart", `one ${long}two`, `uno ${long}due`],
    ["a blank more", "a b", "a  b"],
    ["another blank", "a b", "a\u00a0b"],
    ["a blank at the end", long, `${long} `],
    ["letters made of parts", "caf\u00e9", "cafe\u0301"],
    ["what takes no room", "ab", "a\u200bb"],
    ["a control", "ab", "a\u001bb"],
    ["a whole text", "x".repeat(5_000), "y".repeat(5_000)],
    ["a language without blanks", "猫は可愛いです。".repeat(40) + "赤", "猫は可愛いです。".repeat(40) + "青"],
  ])("%s", (_, old, now) => {
    const [before, after] = cells(old, now);
    expect(before).not.toBe("");
    expect(before?.replace(/ \|$/, "")).not.toBe(after?.replace(/ \|$/, ""));
    const fields: Change["fields"] = [{ path: ["context"], kind: "update", old, new: now }];
    const plan = renderPlan(report({ changes: [change("p", { fields })] }), { styles: plainStyles, width: 60 });
    const lines = plan.split("\n");
    const [, left, right] = /\s{2}(".*") → (".*")$/m.exec(plan) ?? [];
    const first = (mark: string) => lines.find((line) => line.startsWith(`        ${mark} `))?.slice(9);
    expect([left ?? first("-"), right ?? first("+")]).not.toContain(undefined);
    expect(left ?? first("-")).not.toBe(right ?? first("+"));
  });

  test("what differs is marked off with only so much around it, and --full shows all of it", () => {
    const fields: Change["fields"] = [{ path: ["context"], kind: "update", old: `${long}old`, new: `${long}new` }];
    const changes = [change("p", { fields })];
    const short = renderPlan(report({ changes }), { styles: plainStyles, width: 80 });
    expect(short).toMatch(/- …[^\n]*old"\n[^\n]*\+ …[^\n]*new"/);
    const whole = renderPlan(report({ changes }), { styles: plainStyles, width: 80, full: true });
    expect(whole.replace(/\s+/g, "")).toContain(long.replace(/\s+/g, ""));
    expect(renderMarkdown(report({ changes }), { full: true })).toContain(long);
  });

  test("wide characters fill two columns, and no line is wider than the terminal", () => {
    const fields: Change["fields"] = [{ path: ["title"], kind: "update", old: "猫".repeat(80), new: "犬".repeat(80) }];
    const plan = renderPlan(report({ changes: [change("p", { fields })] }), { styles: plainStyles, width: 60 });
    expect(Math.max(...plan.split("\n").map(widthOf))).toBeLessThanOrEqual(60);
  });
});

test("a plan of more than 30 changes is a line each, and whole with --full", () => {
  const fields: Change["fields"] = [{ path: ["title"], kind: "update", old: "a", new: "b" }];
  const changes = Array.from({ length: 31 }, (_, index) => change(`p${index}`, { fields }));
  const short = renderPlan(report({ changes }), { styles: plainStyles, width: 80 });
  expect(short).toContain("  ~ Page p30  title\n");
  expect(short).toContain("--full shows them field by field");
  expect(short).not.toContain('"a" → "b"');
  const whole = renderPlan(report({ changes }), { styles: plainStyles, width: 80, full: true });
  expect(whole.match(/"a" → "b"/g)).toHaveLength(31);
});

describe("markdown", () => {
  test("stays below the limit, and says how much is left out", () => {
    const fields = [{ path: ["content"], kind: "update" as const, old: "<b>|`", new: "x".repeat(400) }];
    const changes = Array.from({ length: 1_000 }, (_, index) => change(`page-${index}`, { fields }));
    const text = renderMarkdown(report({ changes }));
    expect(text.length).toBeLessThanOrEqual(LARGEST);
    expect(text).toMatch(/^<!-- landform:preview:shop\/dev -->\n### /);
    expect(text).toMatch(/… and \d+ more resources/);
    expect(text).not.toContain("<b>|");
  });

  test("a failure with an endless message still fits", () => {
    const failures = [{ cause: "operation" as const, message: "x".repeat(100_000) }];
    expect(renderMarkdown(report({ result: "failed", failures })).length).toBeLessThanOrEqual(LARGEST);
  });
});

describe("a reader meets first what matters most", () => {
  const path = ["content", "hero.title"];
  const title = { path, kind: "update" as const, old: "Four mugs", new: "Five mugs", writtenIn: "offer.csv:2:12" };
  const price = { path: ["price"], kind: "update" as const, old: 29.9, new: 2.99 };
  const pages = ["acme", "rota", "luz"].map((name) =>
    change(name, { fields: [title], url: `https://${name}.example/offer` }),
  );
  const whole = report({
    changes: [
      ...pages,
      change("mug", { type: "Product", fields: [price] }),
      change("terms", { op: "delete", url: "https://acme.example/terms" }),
      change("spring", { type: "Funnel", op: "delete", stays: "retired", reason: { code: "stays", stay: "retired" } }),
    ],
    impact: {
      urls: [{ url: "https://acme.example/terms", page: "terms", effect: "delete" }],
      funnels: [{ name: "spring", op: "delete", stays: "retired", pages: [] }],
      scopes: ["pages:write"],
    },
    outputs: { same: "as before", other: "new" },
    changedOutputs: ["other"],
    findings: [
      { check: "lint", weight: "warn", text: "three are stale" },
      { check: "lint", weight: "hold", text: "a formula error", allowed: "--force", refusedBy: "up" },
      { check: "safety", weight: "hold", text: "20 pages go", allowed: "--max-deletes 20", refusedBy: "up" },
    ],
  });
  const inOrder = (text: string, words: readonly string[]): void => {
    const places = words.map((word) => text.indexOf(word));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  };
  const PARTS = [
    ...["will refuse this plan", "a formula error", "20 pages go", "--force, --max-deletes 20"],
    ...["Deleted", "Stays in the account", "Prices", "2.99", "Texts", "3 pages on 3 sites (acme, rota, luz)"],
    ...["three are stale", "Changes", "Public pages", "Outputs", "The API key needs these scopes"],
  ];

  test("in a comment and in HTML: stops, losses, prices, texts, and then the rest", () => {
    inOrder(
      renderMarkdown(whole),
      PARTS.map((part) => part.replace("Changes", "changes in full")),
    );
    inOrder(
      renderHtml(whole).replace(/^[^]*<\/header>/, ""),
      PARTS.filter((part) => part !== "2.99").map((part) => part.replace("The API key needs these scopes", "scopes")),
    );
  });

  test("one text on three pages is one line, with its line in the data file", () => {
    const [, texts = ""] = /\*\*Texts\*\*\n\n([^]*?)\n\n/.exec(renderMarkdown(whole)) ?? [];
    expect(texts).toBe(
      '- 3 pages on 3 sites (acme, rota, luz) `hero.title`: `"Four mugs"` → `"Five mugs"` (offer.csv, line 2)',
    );
  });

  test("outputs that stay as they are are left out of a plan, and all of them out of a drift", () => {
    expect(renderMarkdown(whole)).not.toContain("as before");
    const drift = renderMarkdown(report({ command: "drift", drift: [], outputs: { same: "as before" } }));
    expect(drift).not.toContain("Outputs");
  });

  test("what stays in the account has another sign than what is deleted", () => {
    const plan = renderPlan(whole, { styles: plainStyles, width: 100 });
    expect(plan).toMatch(/- Page terms[^]*! Funnel spring\n +stays in the account, emptied and marked as retired/);
    expect(plan).toContain("spring: stays in the account");
    expect(renderHtml(whole)).not.toContain("no steps");
  });

  test("an edit in a draft is no value that visitors read", () => {
    const fields = [{ path, lastRun: "One", live: "Two", code: "One", unpublished: true as const }];
    const drifted = report({
      command: "drift",
      drift: [{ urn: "urn:a", type: "Page", name: "a", kind: "changed", fields }],
    });
    expect(renderPlan(drifted)).toMatch(
      /\(in a draft: visitors don't see it yet\)\n +last run +"One"\n +draft +"Two"\n/,
    );
    expect(renderMarkdown(drifted)).toContain('- Page a (draft, not published) `hero.title`: `"One"` → `"Two"`');
  });
});

test.each<[text: string, message: string, more?: object]>([
  [
    "Error: Cannot find module '/p/no.ts' imported from /p/index.ts\n    at x (node:a:1:1) {\n  code: 'ERR_MODULE_NOT_FOUND',\n  url: 'file:///p/no.ts'\n}",
    "Error: Cannot find module 'no.ts' imported from index.ts",
  ],
  [
    "Error: Cannot find package 'x' imported from /p/index.ts\n    at y (node:a:1:1)",
    "Error: Cannot find package 'x' imported from index.ts. Add it to package.json, and run npm install",
  ],
  [
    "Missing required configuration variable 'p:brand'\n\tplease set a value using the command `pulumi config set p:brand <value>`",
    "Missing required configuration variable 'p:brand'",
    { advice: [{ command: "config set", arguments: ["p:brand", "VALUE"], reason: "sets it." }] },
  ],
  [
    "Error: outer\n    at file:///p/index.ts:3:7\n    ... 3 lines matching cause stack trace ...\n    at z (/q.ts:1:1) {\n  [cause]: Error: inner\n}",
    "Error: outer\n  [cause]: Error: inner",
    { source: "index.ts:3:7" },
  ],
  [
    '/p/index.ts:1\nimport * as landform from "landform";\n^^^^^^\n\nSyntaxError: Cannot use import statement outside a module\n    at wrapSafe (node:a:1:1)',
    'The program is an ES module (import, export), and is read as CommonJS, because package.json says "type": "commonjs" or the file\'s name ends in .cjs or .cts. Write "type": "module" in package.json, or load packages with require()',
    { source: "index.ts:1" },
  ],
  [
    "ReferenceError: require is not defined in ES module scope, you can use import instead\nThis file is being treated as an ES module because it has a '.js' file extension and '/p/package.json' contains \"type\": \"module\". To treat it as a CommonJS script, rename it to use the '.cjs' file extension.\n    at file:///p/index.js:1:18",
    'The program is CommonJS (require), and is read as an ES module, because package.json says "type": "module" or the file\'s name ends in .mjs or .mts. Write import * as landform from "landform", or take "type" out of package.json',
    { source: "index.js:1:18" },
  ],
  ["Error: no\n    at file:///p/index.ts:3:11 {\n  code: 'E'\n}", "Error: no", { source: "index.ts:3:11" }],
])("a program's error without the noise of Node.js and of the SDK: %#", (text, message, more) => {
  expect(explainProgramError(text, "/p")).toEqual({ message, ...more });
});

/** Returns the text that a reader of a page sees, without markup. */
function text(html: string): string {
  return html
    .replace(/^[^]*<body>|<script>[^]*$/g, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, " ");
}

test("HTML: nothing is loaded, and only the report's own style counts", () => {
  const html = renderHtml(sampleReport(3));
  const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/);
  expect(html.replaceAll(ATTACK, "")).toBe(html);
  expect(html).not.toMatch(/<(?:link|iframe|object|embed|base|style [^>]|script|img)/);
  expect(html).not.toMatch(/<[^>]*\son\w+=|\sstyle=/);
});

test("HTML of a drift: what was edited, what the code says, and what no run has applied", () => {
  const drifted = (drift: Report["drift"]): string =>
    text(renderHtml({ ...sampleReport(1), command: "drift", changes: [], drift }));
  const about = { urn: "u", type: "Page", name: "offer" };
  const sides = (path: string, live: string, code: string) => ({ path: [path], lastRun: "one", live, code });
  const said = drifted([
    { ...about, kind: "changed", fields: [sides("a", "two", "one"), sides("b", "two", "two")] },
    { ...about, kind: "unsettled", fields: [sides("c", "one", "three")] },
    { ...about, kind: "gone", fields: [] },
  ]);
  expect(said).toContain("2 resources have drifted, 1 resource waits for the next run");
  expect(said).toMatch(
    /a edited in the app ?last run → in the app ?removed: one. added: two. ?in the app → code ?removed: two. added: one./,
  );
  expect(said).toMatch(/b changed in the code, and edited in the app ?last run → in the app ?removed: one. added: two/);
  expect(said).toMatch(/c changed in the code ?in the app → code ?removed: one. added: three./);
  expect(said).toContain("was deleted in the app");
  expect(drifted([])).toContain("No drift");
});
