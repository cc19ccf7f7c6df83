/** The report as a page for a browser: its texts, and that it has no markup but its own. test/browser tests its looks. */
import { expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { ATTACK, sampleReport } from "../browser/report-sample.ts";
import { renderHtml } from "../reports/forms.ts";

/** Returns the text that a reader sees, without markup. */
function text(html: string): string {
  return html
    .replace(/^[^]*<body>|<script>[^]*$/g, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, " ");
}

const drifted = (drift: Report["drift"]): Report => ({ ...sampleReport(1), command: "drift", changes: [], drift });

test("nothing is loaded, and only the report's own style counts", () => {
  const html = renderHtml(sampleReport(3));
  const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/);
  expect(html.replaceAll(ATTACK, "")).toBe(html);
  expect(html).not.toMatch(/<(?:link|iframe|object|embed|base|style [^>]|script|img)/);
  expect(html).not.toMatch(/<[^>]*\son\w+=|\sstyle=/);
});

test("a text from a data file is told with its place there, also where a variable is filled in", () => {
  const report = sampleReport(2);
  const changes = report.changes.map((change) => ({
    ...change,
    fields: change.fields.map((field) => ({ ...field, writtenIn: `copy/${field.path.join("-")}.csv:3:7` })),
  }));
  const said = text(renderHtml({ ...report, changes }));
  expect(said).toMatch(/As visitors see it[^]*written in copy\/content-hero\.text\.csv, line 3/);
  expect(text(renderHtml(report))).not.toContain("written in");
});

test("what a plan says", () => {
  const said = text(renderHtml(sampleReport(2)));
  expect(said).toContain("Preview of spring/");
  expect(said).toContain(
    'As visitors see it, with the values of variables filled in content["hero.text"] Hello removed: Acme. added: <img',
  );
  expect(said).toMatch(/Somebody has unpublished edits in Page offer/);
  expect(said).toMatch(/presell[^]*\(changes\)[^]*a new page[^]*sales/);
});

test("a text without its placeholder's field is told by what visitors see alone", () => {
  const report = sampleReport(1);
  const said = text(renderHtml(report));
  expect(said).not.toContain("Hello {{brand}}");
  expect(said).toContain("variables.brand");
});

test("drift: what was edited, what the code says, and what no run has applied", () => {
  const about = { urn: "u", type: "Page", name: "offer" };
  const said = text(
    renderHtml(
      drifted([
        {
          ...about,
          kind: "changed",
          fields: [
            { path: ["a"], lastRun: "one", live: "two", code: "one" },
            { path: ["b"], lastRun: "one", live: "two", code: "two" },
          ],
        },
        { ...about, kind: "unsettled", fields: [{ path: ["c"], lastRun: "one", live: "one", code: "three" }] },
        { ...about, kind: "gone", fields: [] },
      ]),
    ),
  );
  expect(said).toContain("2 resources have drifted, 1 waits for the next run");
  expect(said).toMatch(
    /a edited in the app ?last run → in the app ?removed: one. added: two. ?in the app → code ?removed: two. added: one./,
  );
  expect(said).toMatch(/b edited in the app, and changed in the code ?last run → in the app ?removed: one. added: two/);
  expect(said).toMatch(/c changed in the code ?in the app → code ?removed: one. added: three./);
  expect(said).toContain("was deleted in the app");
  expect(text(renderHtml(drifted([])))).toContain("No drift");
});

test("nobody reads the text of an embedded picture", () => {
  const embedded = "data:image/png;base64,iVBORw0KGgo=";
  const report = sampleReport(1);
  const fields = (now: string) => [
    { path: ["content", "hero.image"], kind: "update" as const, old: "https://images.example/before.png", new: now },
  ];
  const shown = (now: string): string =>
    renderHtml({ ...report, changes: report.changes.map((one) => ({ ...one, rendered: [], fields: fields(now) })) });
  expect(text(shown(embedded))).not.toContain("base64");
});

test("a run that failed says so, with the reason", () => {
  const failed = {
    ...sampleReport(1),
    result: "failed" as const,
    failures: [{ cause: "program" as const, message: "the key is wrong" }],
  };
  expect(text(renderHtml(failed))).toMatch(/Failed[^]*the key is wrong/);
});
