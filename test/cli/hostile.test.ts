/** Texts of a page, a name or the service never act on a terminal, a runner or a report. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { jsonText, printable, shownText } from "../../stack/report/printable.ts";
import { writeReports } from "../../story/reports.ts";
import { startProgress } from "../../cli/output/progress.ts";
import { blankReport } from "../../stack/exit/report.ts";
import { jsonReport } from "../../stack/report/json.ts";
import { inert } from "../../story/markdown-text.ts";
import { plainStyles } from "../../story/print.ts";
import type { Field, Report } from "../../stack/report/model.ts";
import { renderJUnit, renderMarkdown, renderOutcome, renderPlan } from "../reports/forms.ts";
import { textsOf } from "../reports/texts.ts";

const HOSTILE = [
  "plain",
  "\u001b]52;c;Y2FuYXJ5\u0007clipboard",
  "\u001b]0;title\u001b\\",
  "\u001b[2J\u001b[8mhidden",
  "\u009b2J c1",
  "\u202egnitrevni",
  "::error::annotated",
  "   ::set-env name=A::b",
  "##[error]x ##vso[task.complete]y ##teamcity[z]",
  "![pixel](https://evil.example/p.png) [link](https://evil.example) <img src=x> <script>",
  "@octocat @org/team #12 www.evil.example https://evil.example/x",
  "| a | b |\n\n# heading\n- list\n```\nfence",
  "half \ud800 emoji",
].join("\n");

const fields: Field[] = [
  { path: ["content", HOSTILE], kind: "update", old: HOSTILE, new: `${HOSTILE} more` },
  { path: ["title"], kind: "update", old: HOSTILE.replaceAll("\n", " "), new: "::warning::w" },
  { path: ["tags"], kind: "add", new: [HOSTILE] },
];
const about = { urn: `urn:${HOSTILE}`, type: "Page", name: HOSTILE, id: HOSTILE };
const report: Report = {
  ...blankReport(HOSTILE),
  command: "preview",
  result: "failed",
  project: HOSTILE,
  engine: { name: "embedded", version: "1.0.0" },
  counts: { ...blankReport("").counts, update: 1 },
  changes: [{ ...about, op: "update", url: HOSTILE, fields, reason: { code: "carries on", after: HOSTILE } }],
  drift: [{ ...about, kind: "changed", fields: [{ path: ["x"], lastRun: "a", live: HOSTILE, code: "b" }] }],
  impact: {
    urls: [{ url: HOSTILE, page: HOSTILE, effect: "update" }],
    funnels: [{ name: HOSTILE, pages: [{ name: HOSTILE, op: "update" }] }],
    scopes: ["pages:read"],
  },
  outputs: { [HOSTILE]: HOSTILE },
  urls: [HOSTILE],
  pending: [{ urn: HOSTILE, operation: HOSTILE, outcome: "later" }],
  findings: [
    { check: "run", weight: "warn", text: HOSTILE },
    { check: "run", weight: "note", text: HOSTILE },
  ],
  failures: [{ cause: "operation", message: HOSTILE, source: HOSTILE, guide: HOSTILE }],
  durationMs: 1,
};
const canvas = { styles: plainStyles, width: 100 };

// eslint-disable-next-line no-control-regex -- that is what is looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const RUNNER = /^\s*::|##\[|##vso\[|##teamcity\[/m;

test.each([
  ["plan", () => renderPlan(report, canvas)],
  ["whole plan", () => renderPlan(report, { ...canvas, full: true })],
  ["outcome", () => renderOutcome(report, canvas)],
  ["errors", () => printable(HOSTILE)],
])("the terminal: %s", (_, text) => {
  const shown = shownText(text());
  expect(shown).toContain("plain");
  for (const acts of [OBEYED, RUNNER]) expect(shown).not.toMatch(acts);
  expect(shown.isWellFormed()).toBe(true);
});

test("the terminal: progress, and what the program prints", () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const progress = startProgress({ stream, styles: plainStyles, redact: (text) => text, quiet: false, program: false });
  const step = { urn: `urn:pulumi:a::b::c::${HOSTILE.replaceAll("\n", " ")}`, type: "landform:Page", op: "update" };
  progress.add({ kind: "begun", step });
  progress.add({ kind: "ended", step, failed: false });
  progress.add({ kind: "printed", line: HOSTILE });
  progress.end();
  expect(written.join("")).toContain("plain");
  for (const acts of [OBEYED, RUNNER]) expect(written.join("")).not.toMatch(acts);
});

test("colours of ours stay", () =>
  expect(shownText("\u001b[32mgood\u001b[39m \u001b[2J")).toBe("\u001b[32mgood\u001b[39m ␛[2J"));

test("files of reports, which a job may print to its log", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-hostile-"));
  const files = { html: join(folder, "r.html"), junit: join(folder, "r.xml") };
  writeReports(report, files);
  for (const file of Object.values(files)) {
    const text = readFileSync(file, "utf8");
    expect(text).toContain("plain");
    for (const acts of [OBEYED, RUNNER]) expect(text).not.toMatch(acts);
  }
  rmSync(folder, { recursive: true });
});

test("Markdown: no picture, link, mention, tag or heading of others, and every cell in its place", () => {
  const { drift, ...planned } = report;
  for (const one of [planned, { ...planned, drift: drift ?? [] }]) {
    const text = renderMarkdown(one);
    expect(text).not.toMatch(OBEYED);
    const outside = text.replace(/^<!--.*-->\n/, "").replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "CODE");
    expect(outside).not.toMatch(/!\[|\]\(|<img|<script|@\w|(?<!&)#\d|:\/\/|www\./);
    expect(outside.split("\n").filter((line) => line.startsWith("#"))).toHaveLength(1);
    expect(outside.match(/<\/?[a-z]+/g)?.every((tag) => /^<\/?(details|summary|b)$/.test(tag))).toBe(true);
    const rows = outside.split("\n").filter((line) => line.startsWith("|"));
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) expect([3, 4, 5, 6]).toContain(row.match(/(?<!\\)\|/g)?.length);
  }
});

test("Markdown: a text of others that stands free begins no heading, list or rule on any of its lines", () => {
  const lines = "# heading|- item|+ item|* item|12. item|3) item|===|---|  - deeper|> quote".split("|");
  const shown = inert(lines.join("\n")).split("\n");
  expect(shown).toHaveLength(lines.length);
  for (const line of shown) expect(line).not.toMatch(/^\s*([#+*>=-]|\d+[.)])/);
  // A reader loses nothing of it.
  const read = shown.join("\n").replaceAll("\u200b", "");
  expect(read.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))).toBe(lines.join("\n"));
});

test("JUnit and JSON: nothing that is obeyed, and JSON says what is there", () => {
  expect(renderJUnit(report)).not.toMatch(OBEYED);
  const text = jsonText(jsonReport(report));
  for (const acts of [OBEYED, RUNNER]) expect(text).not.toMatch(acts);
  expect(textsOf(JSON.parse(text) as Report, "warn")).toEqual([HOSTILE]);
});
