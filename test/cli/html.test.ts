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
  expect(said).toContain("2 resources have drifted, 1 resource waits for the next run");
  expect(said).toMatch(
    /a edited in the app ?last run → in the app ?removed: one. added: two. ?in the app → code ?removed: two. added: one./,
  );
  expect(said).toMatch(/b changed in the code, and edited in the app ?last run → in the app ?removed: one. added: two/);
  expect(said).toMatch(/c changed in the code ?in the app → code ?removed: one. added: three./);
  expect(said).toContain("was deleted in the app");
  expect(text(renderHtml(drifted([])))).toContain("No drift");
});
