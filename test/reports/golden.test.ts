/** Every form of a report for eight kinds of runs, as files to be looked at; and what no report may do, whatever is in it. */
import { describe, expect, test } from "vitest";
import { jsonReport, jsonText } from "../../cli/render/json.ts";
import { renderJUnit } from "../../cli/render/junit.ts";
import { LARGEST, renderMarkdown } from "../../cli/render/markdown.ts";
import { renderDrift } from "../../cli/render/drift.ts";
import { renderPlan } from "../../cli/render/plan.ts";
import { plainStyles } from "../../cli/render/styles.ts";
import type { Report } from "../../cli/report/model.ts";
import { eightPlans } from "./eight-plans.ts";

const canvas = { styles: plainStyles, width: 100 };

const forms: Readonly<Record<string, (report: Report) => string>> = {
  txt: (report) => (report.drift === undefined ? renderPlan(report, canvas) : renderDrift(report, canvas)),
  md: (report) => renderMarkdown(report),
  json: (report) => jsonText(jsonReport(report)),
  xml: (report) => renderJUnit(report),
};

describe.each(Object.entries(eightPlans))("%s", (name, report) => {
  // As JSON and XML ten thousand changes are ten thousand times the same.
  const shown = Object.entries(forms).filter(([form]) => report.changes.length < 1_000 || form === "md");
  test.each(shown)("as %s", async (form, render) => {
    await expect(`${render(report)}\n`).toMatchFileSnapshot(`golden/${name.replaceAll(" ", "-")}.${form}`);
  });
});

test("ten thousand changes fit, nothing is cut inside, and what is taken away comes first", () => {
  const text = renderMarkdown(eightPlans["ten thousand changes"] as Report);
  expect(text.length).toBeLessThanOrEqual(LARGEST);
  expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
  expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
  expect(text.indexOf("| delete |")).toBeLessThan(
    text.indexOf("| update |") === -1 ? Infinity : text.indexOf("| update |"),
  );
  const named = new Set(text.match(/city-\d+/g));
  // Every hundredth is deleted, and all of them are named.
  expect(Array.from({ length: 100 }, (_, index) => `city-${index * 100}`).filter((slug) => !named.has(slug))).toEqual(
    [],
  );
  expect(text).toMatch(/and \d+ more addresses/);
});

test("messages without end are whole ones, and counted", () => {
  const failures = Array.from({ length: 3_000 }, (_, index) => ({
    cause: "operation" as const,
    message: `no ${index}\n</details>`,
  }));
  const text = renderMarkdown({ ...(eightPlans["empty"] as Report), result: "failed", failures });
  expect(text.length).toBeLessThanOrEqual(LARGEST);
  expect(text).toMatch(/and \d+ more messages/);
  expect(text).not.toContain("</details>");
});
