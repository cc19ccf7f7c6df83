// @module-tag thorough
/** The report of `--html` in a real browser: it asks nobody for anything, and everybody can read it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AxeResults } from "axe-core";
import { chromium, type Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import type { Report } from "../../stack/report/model.ts";
import { eightPlans } from "../reports/eight-plans.ts";
import { samples } from "../reports/samples.ts";
import { chromiumAt, phone } from "./support.ts";
import { ATTACK, sampleReport } from "./report-sample.ts";
import { renderHtml } from "../reports/forms.ts";
import { forAllTests } from "../suite/opened.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.skipIf(chromiumAt === undefined)("the report for a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "landform-html-"));
  const browser = forAllTests(() =>
    chromium.launch({ executablePath: chromiumAt ?? "", args: ["--no-sandbox", "--disable-gpu"] }),
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function open(
    pages: number,
    options: { colorScheme?: "light" | "dark"; viewport?: typeof phone; javaScriptEnabled?: boolean } = {},
  ): Promise<{ page: Page; asked: string[]; complaints: string[] }> {
    return openReport(sampleReport(pages), options);
  }

  async function openReport(
    report: Report,
    options: { colorScheme?: "light" | "dark"; viewport?: typeof phone; javaScriptEnabled?: boolean },
  ): Promise<{ page: Page; asked: string[]; complaints: string[] }> {
    const file = join(folder, "report.html");
    writeFileSync(file, renderHtml(report));
    const page = await browser.newPage(options);
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith("data:")) asked.push(request.url());
    });
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(pathToFileURL(file).href);
    return { page, asked: asked.slice(1), complaints };
  }

  test.each([
    ["in light", {}],
    ["in dark, on a phone", { colorScheme: "dark" as const, viewport: phone }],
  ])("axe finds nothing %s, and nothing is wider than the window", async (_, options) => {
    const { page, complaints } = await open(12, options);
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  const plans = Object.entries(eightPlans).filter(([, { changes }]) => changes.length < 1_000);
  test.each(plans)("%s: nothing is wrong in light, nor in dark on a phone", async (_, report) => {
    const looks = [{}, { colorScheme: "dark" as const, viewport: phone }];
    for (const options of looks) {
      const { page, complaints, asked } = await openReport(report, options);
      await page.evaluate(axe);
      const { violations } = await page.evaluate<AxeResults>("axe.run()");
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      expect([complaints, asked]).toEqual([[], []]);
      await page.close();
    }
  });

  test("pictures stand side by side, and a slider goes from one to the other by keyboard", async () => {
    const { page, complaints, asked } = await openReport(samples.pictured, { viewport: phone });
    await page.evaluate(axe);
    const { violations } = await page.evaluate<AxeResults>("axe.run()");
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    const [before, after] = await page.getByAltText(/^Aurora Tea/).all();
    const lefts = async (): Promise<unknown[]> =>
      Promise.all([before, after].map(async (image) => (await image?.boundingBox())?.x));
    const apart = await lefts();
    expect(apart[0]).toBeLessThan(Number(apart[1]));
    await page.getByRole("slider").focus();
    await page.keyboard.press("ArrowRight");
    const [over, under] = await lefts();
    expect(over).toBe(under);
    const clip = "getComputedStyle(document.querySelector('.pair figure:last-child img')).clipPath";
    expect(await page.evaluate(clip)).toBe("inset(0px 0px 0px 49%)");
    await page.getByRole("button", { name: "side by side" }).click();
    expect(await lefts()).toEqual(apart);
    expect([complaints, asked]).toEqual([[], []]);
    await page.close();
  });

  test("without script, pictures stand side by side and there is no slider", async () => {
    const { page } = await openReport(samples.pictured, { javaScriptEnabled: false });
    expect(await page.getByRole("slider").count()).toBe(0);
    expect(await page.getByAltText(/^Aurora Tea/).count()).toBe(2);
    await page.close();
  });

  test("what names and texts hold is shown, and does nothing", async () => {
    const { page, complaints, asked } = await open(12);
    expect(await page.title()).toContain(ATTACK);
    expect(await page.locator("script, img").count()).toBe(0);
    expect(await page.locator("a[href^='javascript']").count()).toBe(0);
    expect([complaints, asked]).toEqual([[], []]);
    await page.close();
  });
});
