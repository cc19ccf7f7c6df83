/** The tab of a browser in which pages are opened one after the other: a new tab for each would take most of the time. Each page finds it as new. */
import { setTimeout as delay } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";

interface Opened {
  readonly page: Page;
  readonly forget: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A page may keep the browser busy for good, and several steps have no time limit of their own. */
const MOST_MS = 90_000;

export class Tab {
  readonly #browser: Browser;
  #opened: Opened | undefined;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Works in the tab. Returns the reason if the work gives one. A page that failed doesn't get a second chance to be in the way. */
  async use<Done extends object>(work: (page: Page) => Promise<Done | string>, most = MOST_MS): Promise<Done | string> {
    const { page, forget } = (this.#opened ??= await openIn(this.#browser));
    let done: Done | string = `it did not come to rest within ${most / 1000} s`;
    const late = new AbortController();
    try {
      const worked = forget().then(() => work(page));
      done = await Promise.race([worked, delay(most, done, { signal: late.signal })]);
      return done;
    } finally {
      late.abort();
      if (typeof done === "string") await this.close();
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }
}

async function openIn(browser: Browser): Promise<Opened> {
  const context = await browser.newContext({
    ...{ reducedMotion: "reduce", colorScheme: "light", serviceWorkers: "block", locale: "en-US", timezoneId: "UTC" },
  });
  const page = await context.newPage();
  page.on("dialog", (dialog) => void dialog.dismiss().catch(() => undefined));
  const session = await context.newCDPSession(page);
  return {
    page,
    forget: async () => {
      await context.clearCookies();
      await session.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" });
    },
    close: () => context.close(),
  };
}
