// @module-tag thorough
/** Pictures of real pages in a real browser: what is alike looks alike each time, and what can't be shown is told. */
import type { Browser, Page } from "playwright-core";
import { PNG } from "pngjs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PublicPages } from "../../provider/api/public-page.ts";
import { openBrowser } from "../../stack/pictures/browser.ts";
import { differenceOf } from "../../stack/pictures/compare.ts";
import { type Camera, picturesOf } from "../../stack/pictures/pairs.ts";
import { MOST_HEIGHT, type Shot, takeShot, WIDTHS } from "../../stack/pictures/shot.ts";
import { Tab } from "../../stack/pictures/tab.ts";
import { forAllTests } from "../suite/opened.ts";
import { rounds } from "../suite/parts.ts";
import { startOddPages, type OddPages } from "./odd-pages.ts";
import { chromiumAt, describeInBrowser } from "./support.ts";

const TEMPLATES = ["tpl-hero", "tpl-sales", "tpl-thankyou", "tpl-presell"];
const page = (name: string): { urn: string; type: string; name: string } => ({
  urn: `urn:${name}`,
  type: "Page",
  name,
});

async function opened(): Promise<Browser> {
  const browser = await openBrowser({ CHROMIUM_PATH: chromiumAt });
  if (typeof browser === "string") throw new Error(browser);
  return browser;
}

const cameraOf = (parts: Partial<Camera> = {}): Camera => ({
  open: () => openBrowser({ CHROMIUM_PATH: chromiumAt }),
  rules: new PublicPages("http://127.0.0.1:1/v1"),
  ...parts,
});

describeInBrowser("pictures of published pages", (stage) => {
  const shots = rounds({ quick: 0, all: 16, soak: 500 });

  test(`of ${shots} pictures of unchanged pages, none differs`, { timeout: 3_600_000 }, async () => {
    const pages = await Promise.all(
      TEMPLATES.map(async (template) => ({
        ...page(template),
        url: (await stage.publish(template, `now-${template}`)).url,
        baseUrl: (await stage.publish(template, template)).url,
      })),
    );
    const screens = Object.keys(WIDTHS).length;
    // Each round has its own time for pictures.
    for (let taken = 0; taken < shots; taken += pages.length * screens * 2)
      expect(await picturesOf(pages, cameraOf())).toEqual({ alike: pages.length, taken: [] });
  });

  test("a changed text is shown before and after, cut to where it stands, on both screens", async () => {
    const { url: baseUrl } = await stage.publish("tpl-hero", "offer", { "hero.title": "A mug" });
    const { url } = await stage.publish("tpl-hero", "pr-1/offer", { "hero.title": "A cup" });
    const { url: added } = await stage.publish("tpl-thankyou", "pr-1/new");
    const pages = [
      { ...page("offer"), title: "Offer", url, baseUrl },
      { ...page("new"), url: added },
    ];
    const { alike, taken } = await picturesOf(pages, cameraOf());
    expect(alike).toBe(0);
    expect(taken.map(({ name, kind, screen }) => [name, kind, screen])).toEqual([
      ["offer", "changed", "phone"],
      ["offer", "changed", "desktop"],
      ["new", "new", "phone"],
      ["new", "new", "desktop"],
    ]);
    for (const { kind, before, after, width = 0, height = 0, share = 1, screen } of taken) {
      const sides = [before, after].flatMap((side) => (side === undefined ? [] : [Buffer.from(side, "base64")]));
      expect(sides).toHaveLength(kind === "new" ? 1 : 2);
      for (const side of sides) expect(PNG.sync.read(side)).toMatchObject({ width, height });
      expect(width).toBe(WIDTHS[screen]);
      if (kind === "new") continue;
      expect(share).toBeLessThan(0.05);
      // The title alone differs, so the rest of the page is cut away.
      expect(height).toBeLessThan(600);
    }
  });
});

describe.skipIf(chromiumAt === undefined)("a page that is hard to photograph", () => {
  const browser = forAllTests(opened);
  let tab: Tab;
  let odd: OddPages;
  beforeAll(async () => {
    odd = await startOddPages();
    tab = new Tab(browser);
  });
  afterAll(() => odd.close());
  const shot = async (path: string, hides?: string): Promise<Shot> => {
    const taken = await takeShot(tab, odd.at(path), { screen: "phone", hides });
    if (typeof taken === "string") throw new Error(taken);
    return taken;
  };

  test("never stands still: it is shown, and the picture says so", async () => {
    const { notes } = await shot("/clock");
    expect(notes).toEqual(["it never stands still, so a difference may be a moment's"]);
    expect((await shot("/clock", "#c")).notes).toEqual([]);
  });

  test.each(["/spins", "/dialog", "/lazy", "/video"])("%s comes to rest, and looks the same twice", async (path) => {
    const [first, second] = [await shot(path), await shot(path)];
    expect(differenceOf(first.png, second.png)).toBeUndefined();
  });

  test("takes each visit for the first one, on each screen", async () => {
    const [first, second] = [await shot("/greets"), await shot("/greets")];
    expect(first.png.equals(second.png)).toBe(true);
    const wide = await takeShot(tab, odd.at("/greets"), { screen: "desktop" });
    expect(typeof wide === "string" ? wide : PNG.sync.read(wide.png)).toMatchObject({ width: WIDTHS.desktop });
    expect((await shot("/greets")).png.equals(first.png)).toBe(true);
  });

  test("never answers again: it is told, and the next one is shown", { timeout: 60_000 }, async () => {
    const open = (page: Page) =>
      page.goto(odd.at("/hangs")).then(() => page.evaluate<object>("new Promise((done) => setTimeout(done, 100))"));
    expect(await tab.use(open, 1_000)).toBe("it did not come to rest within 1 s");
    expect((await shot("/still")).notes).toEqual([]);
  });

  test("is cut where it is too long", async () => {
    const { png, notes } = await shot("/tall");
    expect(PNG.sync.read(png).height).toBe(MOST_HEIGHT);
    expect(notes).toEqual([`only the first ${MOST_HEIGHT} of its 20000 pixels are shown`]);
  });

  test.each(["/font", "/image"])("%s never comes: the rest of the page is shown", { timeout: 60_000 }, async (path) => {
    const { notes } = await shot(path);
    expect(notes).toEqual(["images or fonts were still loading after 8 s"]);
  });

  test("an image that does not load is told, even if the page looks as before", async () => {
    const pages = [
      { ...page("same"), url: odd.at("/gap"), baseUrl: odd.at("/gap") },
      { ...page("worse"), url: odd.at("/wider-gap"), baseUrl: odd.at("/gap") },
      { ...page("better"), url: odd.at("/still"), baseUrl: odd.at("/gap") },
      { ...page("new"), url: odd.at("/gap") },
    ];
    const { alike, taken } = await picturesOf(pages, cameraOf({ screens: ["phone"] }));
    expect(alike).toBe(1);
    const lost = `the image ${odd.at("/lost.png")} does not load`;
    expect(taken.map(({ name, kind, notes }) => [name, kind, ...notes])).toEqual([
      ["same", "alike", lost],
      ["worse", "changed", lost, `after, the image ${odd.at("/found.png")} does not load`],
      ["better", "changed", `before, ${lost}`],
      ["new", "new", lost],
    ]);
  });

  test("shows what comes into view only after scrolling", async () => {
    const { data, width, height } = PNG.sync.read((await shot("/lazy")).png);
    expect([...data.subarray(((height - 45) * width + 45) * 4).subarray(0, 3)]).toEqual([255, 0, 0]);
  });

  test("a hidden part leaves what is behind it", async () => {
    const [wall, hidden, still] = [await shot("/cookies"), await shot("/cookies", "#wall"), await shot("/still")];
    expect(differenceOf(wall.png, hidden.png)).toBeDefined();
    expect(PNG.sync.read(hidden.png).data.some((byte, at) => at % 4 !== 3 && byte !== 255)).toBe(true);
    expect(differenceOf(hidden.png, still.png)?.share ?? 1).toBeLessThan(0.05);
  });

  test("the reason stands in the place of a picture, and nothing else fails", async () => {
    const pages = [
      { ...page("gone"), url: odd.at("/gone") },
      { ...page("inner"), url: "http://169.254.169.254/" },
      { ...page("shut"), url: "http://127.0.0.1:1/" },
      { ...page("still"), url: odd.at("/still") },
    ];
    const { taken } = await picturesOf(pages, cameraOf());
    const phone = taken
      .filter(({ screen }) => screen === "phone")
      .map(({ name, kind, notes }) => [name, kind, ...notes]);
    expect(phone).toEqual([
      ["gone", "failed", "it answers with 404"],
      ["inner", "failed", expect.stringContaining("not public")],
      ["shut", "failed", expect.stringMatching(/ERR_(UNSAFE_PORT|CONNECTION_REFUSED)/)],
      ["still", "new"],
    ]);
  });
});

describe("without a browser", () => {
  test("the reason and the way to one are told", async () => {
    const open = (): Promise<string> => Promise.resolve("no Chromium was found");
    const told = await picturesOf([{ ...page("offer"), url: "http://127.0.0.1:1/" }], cameraOf({ open }));
    expect(told).toEqual({ alike: 0, taken: [], missing: "no Chromium was found" });
  });

  test("a browser that can't start is told by its path", async () =>
    expect(await openBrowser({ CHROMIUM_PATH: "/nowhere/chromium" })).toContain("/nowhere/chromium did not start"));
});
