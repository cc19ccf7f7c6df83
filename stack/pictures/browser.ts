/** Opens the browser that takes pictures. Only this file loads playwright-core, which a project installs if it wants them. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type * as Playwright from "playwright-core";
import { reasonOf } from "../../provider/values/wording.ts";

/** Names of browsers on the PATH, as Debian, Fedora and the code hosts' machines have them. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Returns the browser; or why there is none, and the way to one. */
export async function openBrowser(variables: NodeJS.ProcessEnv = process.env): Promise<Playwright.Browser | string> {
  const loaded = await load();
  if (!isPlaywright(loaded))
    return "playwright-core can't be loaded here. `npm install --save-dev playwright-core` installs it";
  const { chromium } = loaded;
  const executablePath = chromiumAt(chromium.executablePath(), variables);
  if (executablePath === undefined)
    return "no Chromium was found. `npx playwright-core install --with-deps chromium` installs it, and CHROMIUM_PATH names another one";
  try {
    return await chromium.launch({ executablePath });
  } catch (error) {
    return `${executablePath} did not start: ${reasonOf(error).split("\n")[0] ?? ""}`;
  }
}

function load(): Promise<unknown> {
  return import("playwright-core").catch((error: unknown) => error);
}

/** Tells if the project has asked for pictures: it has installed the package that takes them. */
export async function wantsPictures(): Promise<boolean> {
  return isPlaywright(await load());
}

/** Returns the browser's complaint about CSS selectors. Without a browser, nobody uses them. */
export async function faultOfSelectors(selectors: string, open: typeof openBrowser): Promise<string | undefined> {
  const browser = await open();
  if (typeof browser === "string") return undefined;
  try {
    const page = await browser.newPage();
    await page.evaluate(`void document.querySelector(${JSON.stringify(selectors)})`);
    return undefined;
  } catch (error) {
    const reason = /Document': (.+)/.exec(reasonOf(error))?.[1] ?? reasonOf(error);
    return reason.replace(/\.$/, "");
  } finally {
    await browser.close();
  }
}

function isPlaywright(loaded: unknown): loaded is typeof Playwright {
  return typeof loaded === "object" && loaded !== null && "chromium" in loaded;
}

/** `own`: the place where playwright-core installs its browser. */
function chromiumAt(own: string, { CHROMIUM_PATH: named, PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  if (named !== undefined && named !== "") return named;
  const found = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [own, ...found].find((place) => existsSync(place));
}
