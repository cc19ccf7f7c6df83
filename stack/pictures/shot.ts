/** Takes a picture of a public page as a visitor sees it, once it has come to rest. */
import { setTimeout as delay } from "node:timers/promises";
import type { Page } from "playwright-core";
import { reasonOf } from "../../provider/values/wording.ts";
import type { Tab } from "./tab.ts";

export const WIDTHS = { phone: 390, desktop: 1280 } as const;
export type Screen = keyof typeof WIDTHS;

export interface Shot {
  readonly png: Buffer;
  /** The parts of the page that it does not show, or not for sure. */
  readonly notes: readonly string[];
  readonly brokenImages: readonly string[];
}

export interface ShotOptions {
  readonly screen: Screen;
  /** Selectors of what differs each time: a cookie banner, a clock. */
  readonly hides?: string | undefined;
}

const HEIGHTS: Record<Screen, number> = { phone: 844, desktop: 800 };
/** A longer page is cut. Two pictures of this height fill 100 MB while they are compared. */
export const MOST_HEIGHT = 10_000;
const OPEN_MS = 20_000;
const LOAD_MS = 8_000;
const SHOT_MS = 15_000;
const LOOKS = 6;
const PAUSE_MS = 150;

/** Returns the reason if the page can't be shown. */
export function takeShot(tab: Tab, url: string, { screen, hides }: ShotOptions): Promise<Shot | string> {
  return tab.use(async (page) => {
    await page.setViewportSize({ width: WIDTHS[screen], height: HEIGHTS[screen] });
    const fault = await faultOf(page, url);
    if (fault !== undefined) return fault;
    const brokenImages = await loaded(page);
    const shot = await atRest(page, hides, brokenImages === undefined ? [NOT_LOADED] : []);
    return { ...shot, brokenImages: brokenImages ?? [] };
  });
}

const NOT_LOADED = `images or fonts were still loading after ${LOAD_MS / 1000} s`;

async function faultOf(page: Page, url: string): Promise<string | undefined> {
  try {
    const answer = await page.goto(url, { waitUntil: "domcontentloaded", timeout: OPEN_MS });
    const status = answer?.status() ?? 0;
    return status >= 400 ? `it answers with ${status}` : undefined;
  } catch (error) {
    const message = reasonOf(error);
    if (message.includes("Timeout")) return `it did not answer within ${OPEN_MS / 1000} s`;
    // Playwright adds a log of many lines.
    return /net::(\w+)/.exec(message)?.[1] ?? message.split("\n")[0] ?? "it can't be opened";
  }
}

/** Returns the images that are broken; undefined if not everything came in time. */
async function loaded(page: Page): Promise<string[] | undefined> {
  const settled = page.waitForLoadState("load", { timeout: LOAD_MS }).then(() => page.evaluate<string[]>(SETTLE));
  const broken = await Promise.race([settled, delay(LOAD_MS, undefined, { ref: false })]).catch(() => undefined);
  // Playwright takes no picture while a font is on its way.
  if (broken === undefined) await page.evaluate("stop()");
  return broken;
}

/** Runs in the page: loads what a visitor sees only after scrolling, and stops what moves by script. Returns the images that did not load. */
const SETTLE = `(async () => {
  for (const image of document.images) image.loading = "eager";
  for (const video of document.querySelectorAll("video")) { video.autoplay = false; video.pause(); video.currentTime = 0; }
  scrollTo(0, document.documentElement.scrollHeight);
  scrollTo(0, 0);
  await document.fonts.ready;
  await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  const broken = [...document.images].filter((image) => image.currentSrc !== "" && image.complete && image.naturalWidth === 0);
  return [...new Set(broken.map((image) => image.currentSrc))];
})()`;

async function atRest(
  page: Page,
  hides: string | undefined,
  notes: readonly string[],
): Promise<Omit<Shot, "brokenImages">> {
  const { width } = page.viewportSize() ?? { width: WIDTHS.desktop };
  const whole = await page.evaluate<number>("document.documentElement.scrollHeight");
  const height = Math.min(Math.max(whole, 1), MOST_HEIGHT);
  const style = hides === undefined || hides === "" ? undefined : `${hides} { visibility: hidden !important; }`;
  const look = (): Promise<Buffer> =>
    page.screenshot({
      ...{ fullPage: true, clip: { x: 0, y: 0, width, height }, animations: "disabled", caret: "hide", scale: "css" },
      timeout: SHOT_MS,
      ...(style !== undefined && { style }),
    });
  const isCut = whole > MOST_HEIGHT ? [`only the first ${MOST_HEIGHT} of its ${whole} pixels are shown`] : [];
  let last = await look();
  for (let looks = 2; looks <= LOOKS; looks++) {
    await delay(PAUSE_MS);
    const next = await look();
    if (next.equals(last)) return { png: next, notes: [...notes, ...isCut] };
    last = next;
  }
  return { png: last, notes: [...notes, ...isCut, "it never stands still, so a difference may be a moment's"] };
}
