/** Every form of a report for eight kinds of runs, as files for people to look at, and the rules for every report. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LARGEST } from "../../story/markdown.ts";
import type { Report } from "../../stack/report/model.ts";
import { eightPlans } from "./eight-plans.ts";
import { forms, renderHtml, renderMarkdown } from "./forms.ts";

/** Whole files of ten thousand changes would be megabytes. For those, the golden file has a digest, which changes with any character. */
const LARGEST_FILE = 100_000;
const SHOWN = { first: 60, last: 25, width: 160 };

function outline(text: string): string {
  const lines = text.split("\n");
  const cut = (line: string): string =>
    line.length <= SHOWN.width ? line : `${line.slice(0, SHOWN.width)}… (${line.length} characters)`;
  const tags = Map.groupBy(text.matchAll(/<([a-z][\w-]*)\b/g), ([, tag = ""]) => tag);
  const counts = [...tags].map(([tag, all]) => `${tag} ${all.length}`).sort();
  return [
    `${Buffer.byteLength(text)} bytes in ${lines.length} lines, sha256 ${createHash("sha256").update(text).digest("hex")}`,
    ...(counts.length === 0 ? [] : [`elements: ${counts.join(", ")}`]),
    "",
    ...lines.slice(0, SHOWN.first).map(cut),
    `… ${lines.length - SHOWN.first - SHOWN.last} lines …`,
    ...lines.slice(-SHOWN.last).map(cut),
  ].join("\n");
}

describe.each(Object.entries(eightPlans))("%s", (name, report) => {
  test.each(Object.entries(forms))("as %s", async (form, render) => {
    const text = `${render(report)}\n`;
    const file = `golden/${name.replaceAll(" ", "-")}.${form}`;
    if (text.length <= LARGEST_FILE) await expect(text).toMatchFileSnapshot(file);
    else await expect(`${outline(text)}\n`).toMatchFileSnapshot(`${file}.outline`);
  });
});

const many = eightPlans["ten thousand changes"] as Report;

function missingFrom(text: string, urls: readonly { url: string }[]): string[] {
  const named = new Set(text.match(/https:[^\s|)`]+/g));
  return urls.flatMap(({ url }) => (named.has(url) ? [] : [url]));
}

/** Takes the address of so many of the ten thousand pages from visitors. */
function losing(count: number, place: string): Report {
  const urls = (many.impact?.urls ?? []).map((one, index) => ({
    ...one,
    effect: index < count ? ("replace" as const) : ("update" as const),
    url: one.url.replace("spring.example", place),
  }));
  return { ...many, impact: { urls, funnels: [], scopes: [] } };
}

test("ten thousand changes fit, nothing is cut inside, and what is taken away comes first", () => {
  const text = renderMarkdown(many);
  expect(text.length).toBeLessThanOrEqual(LARGEST);
  expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
  expect((text.match(/^```/gm) ?? []).length % 2).toBe(0);
  const urls = many.impact?.urls ?? [];
  expect(
    missingFrom(
      text,
      urls.filter(({ effect }) => effect === "delete"),
    ),
  ).toEqual([]);
  const missing = missingFrom(text, urls);
  expect(text).toContain(`and ${missing.length} more of these; the JSON report (\`--json FILE\`) names all of them`);
});

test("whatever there is much of leaves room for the rest", () => {
  const long = "A mug worth getting up for. ".repeat(400);
  const changes = many.changes.slice(0, 400).map((change) => ({
    ...change,
    fields: [{ path: ["content", long], kind: "update" as const, old: long, new: long.toUpperCase() }],
  }));
  const failures = Array.from({ length: 50 }, () => ({ cause: "operation" as const, message: long }));
  const outputs = Object.fromEntries(changes.map(({ name }) => [name, long]));
  const report = { ...losing(300, "spring.example"), changes, failures, outputs, result: "failed" as const };
  const text = renderMarkdown(report);
  expect(text.length).toBeLessThanOrEqual(LARGEST);
  expect(missingFrom(text, (report.impact?.urls ?? []).slice(0, 300))).toEqual([]);
});

test("as a page for a browser, nothing that visitors lose is folded away", () => {
  const html = renderHtml(losing(300, "spring.example"));
  const [, section = ""] = /id="addresses"([^]*?)<\/section>/.exec(html) ?? [];
  expect(section.slice(0, section.indexOf("<details>")).match(/>replaced</g)).toHaveLength(300);
  expect(section).toContain("9700 more");
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
