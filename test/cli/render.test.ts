/** Printers and the pure parts, without a process. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedKeys } from "../../stack/engines/contract.ts";
import { plannedSecrets } from "../../stack/engines/pulumi/plan-file.ts";
import { isAtLeast } from "../../stack/engines/pulumi/cli.ts";
import { newProject } from "../../cli/init/project.ts";
import { origin } from "../../cli/init/folder.ts";
import { diffLines } from "../../story/terminal-fields.ts";
import { LARGEST } from "../../story/markdown.ts";
import { plainStyles } from "../../story/print.ts";
import { widthOf, wrapped, valueText } from "../../stack/report/text.ts";
import { countsText } from "../../stack/report/words.ts";
import { blankReport } from "../../stack/exit/report.ts";
import type { Change, Report } from "../../stack/report/model.ts";
import { explainProgramError } from "../../stack/project/program-errors.ts";
import { scopesFor } from "../../stack/report/impact.ts";
import { renderHtml, renderJUnit, renderMarkdown, renderPlan } from "../reports/forms.ts";
import { afterPreview } from "../../stack/advice/next-steps.ts";

const change = (name: string, more: Partial<Change> = {}): Change => ({
  urn: `urn:${name}`,
  type: "Page",
  name,
  op: "update",
  fields: [],
  ...more,
});

const NONE = { create: 0, adopt: 0, update: 0, replace: 0, delete: 0, left: 0, held: 0, same: 0 };
const COUNTS: Report["counts"] = { ...NONE, mayFollow: 0, failed: 0, unfinished: 0, unreached: 0 };

const report = (more: Partial<Report> = {}): Report => ({
  ...blankReport("dev"),
  command: "preview",
  result: "succeeded",
  project: "shop",
  engine: { name: "embedded", version: "1.0.0" },
  counts: { ...COUNTS, update: 1, same: 3 },
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
      "Addresses moving between pages (briefly unavailable)\n  https://a.example/x",
    );
    expect(renderMarkdown(moved())).toMatch(
      /\n\*\*Addresses moving between pages \(briefly unavailable\)\*\*\n\n- https:\/\/a\.example\/x\n/,
    );
  });

  test("is nothing where the plan is refused", () => {
    const refused = moved({ result: "failed" });
    expect(renderPlan(refused, canvas)).not.toContain("Addresses moving");
    expect(renderMarkdown(refused)).not.toContain("Addresses moving");
  });
});

test("Markdown says of what is no longer declared that it stays, as the terminal does", () => {
  const fields: Change["fields"] = [{ path: ["rating"], kind: "delete", old: "4.2", stays: true }];
  const text = renderMarkdown(
    report({ changes: [change("mug", { fields })], unmanaged: ["Page a: x stays as it is"] }),
  );
  expect(text).toContain('| `rating` | `"4.2"` | stays as it is, and is no longer managed |');
  expect(text).toContain("> Page a: x stays as it is");
});

test("a replacement says what becomes of the old object, where it stays", () => {
  const replaced = change("fu", { op: "replace", reason: { code: "old stays", stay: "retired" } });
  const text = renderPlan(report({ changes: [replaced] }), { styles: plainStyles, width: 120 });
  expect(text).toContain("the old one stays in the account, emptied and marked as retired");
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
            templateId            "tpl-a" → "tpl-b"  (replaces it)
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

  test("long texts that begin alike are shown from where they differ", () => {
    const start = "The same words at the start of a long text. ".repeat(6);
    const fields: Change["fields"] = [{ path: ["context"], kind: "update", old: `${start}old`, new: `${start}new` }];
    const plan = renderPlan(report({ changes: [change("p", { fields })] }), { styles: plainStyles, width: 100 });
    expect(plan).toContain('long text. old"');
    expect(plan).toContain('long text. new"');
  });

  test("no line is wider than the terminal", () => {
    const fields: Change["fields"] = [
      { path: ["context"], kind: "add", new: "x".repeat(500) },
      { path: ["description"], kind: "update", old: "y".repeat(500), new: "z".repeat(500) },
      { path: ["text"], kind: "add", new: `${"a".repeat(300)}\nb` },
    ];
    const plan = renderPlan(report({ changes: [change("p", { fields })] }), { styles: plainStyles, width: 60 });
    expect(Math.max(...plan.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  test("a cut never leaves half a character", () => {
    for (let room = 12; room < 40; room++) expect(valueText("🎉".repeat(60), room).isWellFormed()).toBe(true);
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

test("a diff of lines names what changed and keeps one line around it", () => {
  const text = (lines: string) => lines.split(" ");
  const shown = diffLines(text("a b c d e f g"), text("a b c X e f g")).map(({ mark, text: line }) => mark + line);
  expect(shown).toEqual(["…", " c", "-d", "+X", " e", "…"]);
  expect(diffLines([], ["a"])).toEqual([{ mark: "+", text: "a" }]);
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
    ...["three are stale", "Changes", "Public addresses", "Outputs", "Scopes the key needs"],
  ];

  test("in a comment and in HTML: stops, losses, prices, texts, and then the rest", () => {
    inOrder(renderMarkdown(whole), PARTS);
    const html = renderHtml(whole).replace(/^[^]*<\/header>/, "");
    inOrder(
      html,
      PARTS.filter((part) => part !== "2.99").map((part) => part.replace("Scopes the key needs", "Scopes")),
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
    expect(renderPlan(drifted)).toMatch(/in a draft that visitors don't see yet\n +last run +"One"\n +draft +"Two"\n/);
    expect(renderMarkdown(drifted)).toContain('- Page a (draft, not published) `hero.title`: `"One"` → `"Two"`');
  });

  test("a refresh deletes nothing", () => {
    const gone = change("offer", { op: "delete", status: "done", reason: { code: "deleted in the app" } });
    const counts = { ...COUNTS, delete: 1 };
    const text = renderMarkdown(report({ command: "refresh", counts, changes: [gone] }));
    expect(text).toContain("### Done: 1 removed from the state\n");
    expect(text).toContain("was deleted in the app; removed from the state");
  });

  test("what is held back is neither updated nor to be applied", () => {
    const fields = [{ ...price, held: true as const }];
    const counts = { ...COUNTS, held: 1, same: 69 };
    const held = report({ counts, changes: [change("mug", { type: "Product", held: "values", fields })] });
    expect(renderPlan(held)).toMatch(/! Product mug\n[^]*\n1 held back, 69 unchanged /);
    expect(afterPreview(held).map(({ reason }) => reason)).toEqual([
      "changes nothing until somebody decides about the edits in the app.",
    ]);
  });
});

test("what failed is not counted as done", () => {
  const counts = { ...COUNTS, create: 1, left: 2, same: 3, failed: 1, unfinished: 1, unreached: 4 };
  expect(countsText(counts, false)).toBe(
    "1 created, 2 left in the account, 3 unchanged, 1 failed, 1 unfinished, 4 not reached",
  );
  expect(countsText({ ...COUNTS, create: 2, left: 1, same: 3 }, true)).toBe(
    "2 to create, 1 to leave in the account, 3 unchanged",
  );
});

test("what killed runs left and is removed is counted, and is no absence of changes", () => {
  const planned = report({ counts: { ...COUNTS, same: 2 }, leftovers: { count: 2, removed: false } });
  expect(renderMarkdown(planned)).toContain("### 2 unchanged, 2 leftovers of killed runs to remove\n");
  expect(renderHtml(planned)).toContain("2 unchanged, 2 leftovers of killed runs to remove");
  const done = report({ command: "up", counts: { ...COUNTS, same: 2 }, leftovers: { count: 1, removed: true } });
  expect(renderMarkdown(done)).toContain("### 2 unchanged, 1 leftover of a killed run removed\n");
});

test("two texts that don't fit on a line stand below each other; scopes are broken between their words", () => {
  const [old, now] = ["A mug that is worth getting up for", "The mug that you will reach for first of all"];
  const fields = [{ path: ["name"], kind: "update" as const, old, new: now }];
  const impact = { urls: [], funnels: [], scopes: ["funnels:read", "funnels:write", "pages:read", "pages:write"] };
  const plan = renderPlan(report({ changes: [change("a", { fields })], impact }), { styles: plainStyles, width: 60 });
  expect(plan).toContain(`      name\n        - "${old}"\n        + "${now}"`);
  expect(plan).toContain("Scopes the key needs: funnels:read, funnels:write,\n  pages:read, pages:write");
  expect(plan.split("\n").every((line) => line.length <= 60)).toBe(true);
});

test("JUnit has a case a resource, and no character that XML forbids", () => {
  const changes = [change('a "<&>"', { fields: [] }), change("b")];
  const failures = [{ cause: "operation" as const, urn: "urn:b", message: "no\u0001 \ud800 <way>\nline 2" }];
  const xml = renderJUnit(report({ changes, failures }));
  expect(xml).toContain('tests="2" failures="1"');
  expect(xml).toContain('name="update Page a &quot;&lt;&amp;&gt;&quot;"');
  expect(xml).toContain("&lt;way&gt;\nline 2</failure>");
  expect([xml.includes("\u0001"), xml.isWellFormed()]).toEqual([false, true]);
});

test("a program's error is its message and the line of the user's code", () => {
  const text =
    "Running program '/p' failed with an unhandled exception:\n\u001b[39mTypeError: no\n\u001b[90m    at inner (/p/node_modules/x/a.js:1:1)\u001b[39m\n    at file:///p/src/index.ts:4:21\n";
  expect(explainProgramError(text, "/p")).toEqual({ message: "TypeError: no", source: "src/index.ts:4:21" });
});

test.each([
  [
    "Error: Cannot find module '/p/no.ts' imported from /p/index.ts\n    at x (node:a:1:1) {\n  code: 'ERR_MODULE_NOT_FOUND',\n  url: 'file:///p/no.ts'\n}",
    { message: "Error: Cannot find module 'no.ts' imported from index.ts" },
  ],
  [
    "Error: Cannot find package 'x' imported from /p/index.ts\n    at y (node:a:1:1)",
    {
      message: "Error: Cannot find package 'x' imported from index.ts. Add it to package.json, and run npm install",
    },
  ],
  [
    "Missing required configuration variable 'p:brand'\n\tplease set a value using the command `pulumi config set p:brand <value>`",
    {
      message: "Missing required configuration variable 'p:brand'",
      advice: [{ command: "config set", arguments: ["p:brand", "VALUE"], reason: "sets it." }],
    },
  ],
  [
    "Error: outer\n    at file:///p/index.ts:3:7\n    ... 3 lines matching cause stack trace ...\n    at z (/q.ts:1:1) {\n  [cause]: Error: inner\n}",
    { message: "Error: outer\n  [cause]: Error: inner", source: "index.ts:3:7" },
  ],
  [
    '/p/index.ts:1\nimport * as landform from "landform";\n^^^^^^\n\nSyntaxError: Cannot use import statement outside a module\n    at wrapSafe (node:a:1:1)',
    {
      message:
        'The program is an ES module (import, export), and is read as CommonJS, because package.json says "type": "commonjs" or the file\'s name ends in .cjs or .cts. Write "type": "module" in package.json, or load packages with require()',
      source: "index.ts:1",
    },
  ],
  [
    "ReferenceError: require is not defined in ES module scope, you can use import instead\nThis file is being treated as an ES module because it has a '.js' file extension and '/p/package.json' contains \"type\": \"module\". To treat it as a CommonJS script, rename it to use the '.cjs' file extension.\n    at file:///p/index.js:1:18",
    {
      message:
        'The program is CommonJS (require), and is read as an ES module, because package.json says "type": "module" or the file\'s name ends in .mjs or .mts. Write import * as landform from "landform", or take "type" out of package.json',
      source: "index.js:1:18",
    },
  ],
  ["Error: no\n    at file:///p/index.ts:3:11 {\n  code: 'E'\n}", { message: "Error: no", source: "index.ts:3:11" }],
])("a program's error without the noise of Node.js and of the SDK: %#", (text, told) => {
  expect(explainProgramError(text, "/p")).toEqual(told);
});

test("the value of a missing secret is asked for", () => {
  const text =
    "Missing required configuration variable 'shop:support'\n\tplease set a value using the command `pulumi config set --secret shop:support <value>`";
  expect(explainProgramError(text, "/p").advice).toEqual([
    { command: "config set", arguments: ["--secret", "shop:support"], reason: "sets it." },
  ]);
});

test("scopes: alternatives only where none of them is needed anyway", () => {
  expect(scopesFor([change("a", { url: "https://x" })])).toEqual(["pages:read", "pages:write"]);
  const fields = [{ path: ["eventType"], kind: "add" as const, new: "form_lead.created" }];
  expect(scopesFor([change("h", { type: "Hook", op: "create", fields })])).toEqual(["leads:read"]);
});

test("versions of Pulumi", () => {
  expect([
    isAtLeast("3.216.0", "3.216.0"),
    isAtLeast("3.99.9", "3.216.0"),
    isAtLeast("4.0.0-beta.1", "3.216.0"),
  ]).toEqual([true, false, true]);
});

test("secrets of Pulumi's plans are compared decrypted, and only where they can be", () => {
  const plan = (seed: string, ciphertext: string) => ({
    manifest: { time: seed },
    resourcePlans: { b: { seed, goal: { inputDiff: { adds: { a: { ciphertext }, c: 1 } } } }, a: { steps: [] } },
  });
  const secrets = { decrypt: (ciphertext: string) => ciphertext.slice(0, 1) };
  const changed = (a: unknown, b: unknown) => {
    const [then, now] = [plannedSecrets(a, secrets), plannedSecrets(b, secrets)];
    return then && now && [...changedKeys(then, now)];
  };
  expect(changed(plan("1", "x1"), plan("2", "x2"))).toEqual([]);
  expect(changed(plan("1", "x1"), plan("2", "y2"))).toEqual([["b", ["a"]]]);
  expect(changed({ resourcePlans: {} }, plan("2", "y2"))).toEqual([]);
  const unable = {
    decrypt: () => {
      throw new Error("another key");
    },
  };
  expect(plannedSecrets(plan("1", "x1"), unable)).toBeUndefined();
});

test.each(["github", "gitlab"] as const)(
  "a new project's CI on %s plans, applies, puts back and looks for drift",
  (forge) => {
    const about = { name: "shop", folder: "/team/shop", forge, origin: origin(), present: undefined };
    const files = newProject({ template: "typescript", ...about }).filter(({ path }) =>
      /workflows|gitlab-ci/.test(path),
    );
    const text = files.map((file) => file.text(undefined) ?? "").join("");
    expect(text.match(/npx landform ci .*/g)?.sort()).toEqual([
      'npx landform ci apply --plans "$LANDFORM_PLANS"',
      "npx landform ci apply --replan --refresh",
      "npx landform ci drift --full",
      'npx landform ci plan --fail-on error --plans "$LANDFORM_PLANS"',
    ]);
  },
);

test("a long text is broken behind words, where it has any, and nothing is lost", () => {
  expect(wrapped("goes on until somebody helps", 12)).toEqual(["goes on ", "until ", "somebody ", "helps"]);
  expect(wrapped("a-word-without-an-end and more", 10)).toEqual(["a-word-wit", "hout-an-en", "d and more"]);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", " ", "漢", "👩‍🔧", "e\u0301") }),
      fc.integer({ min: 2, max: 9 }),
      (text, columns) => {
        const lines = wrapped(text, columns);
        expect(lines.join("")).toBe(text);
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(columns);
      },
    ),
  );
});
