/**
 * Makes the pictures of the documents from real runs. CHROMIUM names the browser if it is not /usr/bin/chromium. The digests beside them
 * let a test tell when an output has changed since.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser } from "playwright-core";
import { browserHtml, commentHtml, terminalHtml } from "./screenshots/frames.ts";
import { digestsOf, withScenes } from "./screenshots/scenes.ts";

const IMAGES = join(import.meta.dirname, "../docs/images");

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const folder = mkdtempSync(join(tmpdir(), "pictures-"));
try {
  await withScenes(async (scenes) => {
    const report = join(folder, "plan.html");
    writeFileSync(report, scenes.html);
    await shootFile(browser, report, "plan-html.png", { viewport: { width: 1000, height: 900 }, colorScheme: "light" });
    await shootFile(browser, report, "plan-phone.png", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await shoot(browser, terminalHtml("landform preview", scenes.terminal), "plan.png", { scale: 2 });
    await shoot(browser, commentHtml(scenes.comment), "comment.png", { scale: 1 });
    await shoot(browser, browserHtml(scenes.url), "page.png", { scale: 1 });
    writeFileSync(join(IMAGES, "outputs.json"), `${JSON.stringify(digestsOf(scenes), null, 2)}\n`);
  });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function shootFile(
  from: Browser,
  file: string,
  name: string,
  look: { viewport: { width: number; height: number }; colorScheme: "light" | "dark" },
): Promise<void> {
  const page = await from.newPage(look);
  await page.goto(pathToFileURL(file).href);
  await page.screenshot({ path: join(IMAGES, name), fullPage: look.viewport.width > 600 });
  await page.close();
  console.log(join("docs/images", name));
}

async function shoot(from: Browser, html: string, name: string, { scale }: { scale: number }): Promise<void> {
  const page = await from.newPage({ viewport: { width: 1280, height: 900 }, deviceScaleFactor: scale });
  await page.setContent(html, { waitUntil: "load" });
  await page.locator("main").screenshot({ path: join(IMAGES, name), omitBackground: true });
  await page.close();
  console.log(join("docs/images", name));
}
