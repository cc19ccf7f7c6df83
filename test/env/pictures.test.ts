// @module-tag thorough
/** `env up --html` shows the pages that the branch changes, before and after, and no other page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import { chromiumAt } from "../browser/support.ts";
import { problemsOf } from "../reports/schema.ts";
import { forAllTests } from "../suite/opened.ts";
import { Account, BASE, mugs, NOTHING, page } from "./desk.ts";

const entry = (slug: string, content: string): string =>
  page(slug, `Acme · ${slug}`, `content: { ${content} }, publish: { site: mugs, slug: ${slug} }`);
const program = (title: string, more = ""): string =>
  mugs(
    `pages:\n${entry("offer", `hero.title: ${title}`)}${entry("guide", "hero.cta.url: /offer, hero.text: { ref: pages.offer.url }")}${more}`,
  );

describe("the pictures of a preview", { timeout: 240_000 }, () => {
  const account = forAllTests(() => Account.of(program("One")));

  const up = async (
    chromium: string,
    ...args: string[]
  ): Promise<{ html: string; report: JsonReport; said: string }> => {
    const { desk } = account;
    const asked = ["env", "up", "--pr", "1", "--yes", "--html", "r.html", "--json", "r.json", ...args];
    const { code, stdout, stderr } = await desk.run(asked, { env: { CHROMIUM_PATH: chromium } });
    expect(code, stdout + stderr).toBe(0);
    const [html, json] = ["r.html", "r.json"].map((file) => readFileSync(join(desk.folder, file), "utf8"));
    const report = JSON.parse(json ?? "") as JsonReport;
    expect(problemsOf(report)).toEqual([]);
    return { html: html ?? "", report, said: stdout };
  };

  test("an unchanged branch needs none, and no browser", async () => {
    const { html, report, said } = await up("/nowhere/chromium");
    expect(report.pictures).toEqual({ unchanged: 2, alike: 0, taken: [] });
    expect(said).toContain("The code does not change 2 other pages.");
    expect(html).not.toContain("<img");
  });

  test("without a browser, everything else works, and the report says how to get one", async () => {
    account.desk.declare(program("Two"));
    const { html, report } = await up("/nowhere/chromium");
    expect(report.pictures).toMatchObject({ unchanged: 1, taken: [] });
    expect(html).toContain("There are no pictures: /nowhere/chromium did not start");
  });

  test.skipIf(chromiumAt === undefined)("a changed page and a new one are shown", async () => {
    account.desk.declare(program("Two", entry("extra", "hero.title: Extra")));
    const { html, report, said } = await up(chromiumAt ?? "");
    expect(report.pictures).toMatchObject({ unchanged: 1, fromCode: true });
    expect(html).toContain("A preview that is made anew with --seed has it");
    const taken = report.pictures?.taken.map(({ name, kind, screen }) => [name, kind, screen]);
    expect(taken).toEqual([
      ["extra", "new", "phone"],
      ["extra", "new", "desktop"],
      ["offer", "changed", "phone"],
      ["offer", "changed", "desktop"],
    ]);
    expect(html.match(/<img src="data:image\/png;base64,/g)).toHaveLength(6);
    expect(JSON.stringify(report)).not.toContain("iVBORw0KGgo");
    expect(said).toMatch(/Acme · offer, on a phone: (?:less than )?\S+ % differs {2}http/);
    const again = await up(chromiumAt ?? "");
    expect(again.report.counts).toMatchObject(NOTHING);
    expect(again.report.pictures?.taken).toHaveLength(4);
  });

  test.skipIf(chromiumAt === undefined)("a selector that is none: nothing is sent, and the file is named", async () => {
    const { desk } = account;
    account.desk.declare(program("Three"));
    await desk.says(0, "config", "set", "landform:hideInPictures", "#clock, .cookie[", "--stack", BASE);
    desk.writes();
    const asked = ["env", "up", "--pr", "1", "--yes", "--html", "r.html"];
    const { code, stderr } = await desk.run(asked, { env: { CHROMIUM_PATH: chromiumAt } });
    expect([code, desk.writes()]).toEqual([4, []]);
    expect(stderr).toMatch(
      /Pulumi\.\w+\.yaml: landform:hideInPictures takes CSS selectors.*'#clock, \.cookie\[' is not a valid selector\. Nothing was sent/,
    );
    await desk.says(0, "config", "set", "landform:hideInPictures", "#clock, .cookie", "--stack", BASE);
    expect((await up(chromiumAt ?? "")).report.pictures?.taken.length).toBeGreaterThan(0);
  });
});
