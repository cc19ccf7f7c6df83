/**
 * Makes the pictures of the documents from real runs: the terminal's output with its colours, and the published page in Chromium. CHROMIUM
 * names the browser if it is not /usr/bin/chromium.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";
import { chromium, type Browser } from "playwright-core";
import { startEmulator, type Emulator } from "../emulator/index.ts";
import { browserHtml, terminalHtml } from "./screenshots/frames.ts";

const ROOT = join(import.meta.dirname, "..");
const IMAGES = join(ROOT, "docs/images");
const TITLE = "A mug worth getting up for";
const NEW_TITLE = "The mug you will reach for first";

const folder = mkdtempSync(join(tmpdir(), "screenshots-"));
const emulator = await startEmulator();
const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  cpSync(join(ROOT, "examples/quickstart-yaml"), folder, { recursive: true });
  await landform(emulator, "up", "--yes");
  change((text) =>
    text
      .replace(TITLE, NEW_TITLE)
      .replace("\nfunnels:", "\nproducts:\n  mug: { name: Mug, price: 12.5, project: spring }\n\nfunnels:"),
  );
  const report = join(folder, "plan.html");
  const preview = await landform(emulator, "preview", "--html", report);
  await shootFile(browser, report, "plan-html.png", { viewport: { width: 1000, height: 900 }, colorScheme: "light" });
  await shootFile(browser, report, "plan-phone.png", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
  await shoot(browser, terminalHtml("landform preview", preview), "plan.png", { scale: 2, selector: "main" });
  const up = stripVTControlCharacters(await landform(emulator, "up", "--yes"));
  const url = /http:\S+\/offer/.exec(up)?.[0];
  if (url === undefined) throw new Error(`no address of the offer in:\n${up}`);
  await shoot(browser, browserHtml(url), "page.png", { scale: 1, selector: "main" });
} finally {
  await browser.close();
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
}

function change(edit: (text: string) => string): void {
  const file = join(folder, "landform.yaml");
  writeFileSync(file, edit(readFileSync(file, "utf8")));
}

async function landform({ baseUrl, apiKey }: Emulator, command: string, ...options: string[]): Promise<string> {
  const env = {
    ...process.env,
    // Without Pulumi, so that the embedded engine runs.
    HOME: folder,
    PATH: "/usr/bin:/bin",
    NO_COLOR: undefined,
    FORCE_COLOR: "1",
    LANDFORM_BASE_URL: baseUrl,
    LANDFORM_API_KEY: apiKey,
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "screenshots",
  };
  const args = [join(ROOT, "dist/cli/main.js"), command, ...options];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  return stdout;
}

async function shootFile(
  from: Browser,
  file: string,
  name: string,
  look: { viewport: { width: number; height: number }; colorScheme: "light" | "dark" },
): Promise<void> {
  const page = await from.newPage(look);
  await page.goto(pathToFileURL(file).href);
  await page.locator("details.change").last().scrollIntoViewIfNeeded();
  await page.screenshot({ path: join(IMAGES, name), fullPage: look.viewport.width > 600 });
  await page.close();
  console.log(join("docs/images", name));
}

async function shoot(
  from: Browser,
  html: string,
  name: string,
  { scale, selector }: { scale: number; selector: string },
): Promise<void> {
  const page = await from.newPage({ viewport: { width: 1280, height: 900 }, deviceScaleFactor: scale });
  await page.setContent(html, { waitUntil: "load" });
  await page.locator(selector).screenshot({ path: join(IMAGES, name), omitBackground: true });
  await page.close();
  console.log(join("docs/images", name));
}
