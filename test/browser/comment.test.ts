// @module-tag thorough
/** The pictures in the comment of a request, from a real preview to a reader's real browser. */
import { marked } from "marked";
import { expect, test } from "vitest";
import { PreviewDesk } from "../ci/preview-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { printMarkdown } from "../../story/markdown.ts";
import { storyOf } from "../../story/story.ts";
import { sampleReport } from "./report-sample.ts";
import { describeInBrowser, desktop, phone, type Window } from "./support.ts";

const TITLE = "A mug worth getting up for";
const STYLE = "<style>img { max-width: 100%; } body { font: 14px/1.5 sans-serif; overflow-wrap: anywhere; }</style>";

describeInBrowser("the comment of a plan", (stage) => {
  test("of sixty pages takes three screens of a phone, and its fold has each page", async () => {
    const { page, complaints } = await stage.open("about:blank", { viewport: phone });
    await page.setContent(STYLE + (await marked(printMarkdown(storyOf(sampleReport(60))))));
    const height = (): Promise<number> =>
      page.locator("body").evaluate((one) => (one as unknown as { scrollHeight: number }).scrollHeight);
    expect(await height()).toBeLessThan(3 * phone.height);
    const fold = page.locator("details", { has: page.getByText("All 61 changes in full", { exact: true }) }).first();
    await fold.locator("summary").first().click();
    const names = await fold.locator("summary b").allTextContents();
    expect(new Set(names).size).toBe(60);
    expect(complaints).toEqual([]);
  });
});

describeInBrowser("the comment of a preview", (stage) => {
  const previews = forAllTests(() => PreviewDesk.open());

  /** Shows the comment as the code host does, to a person who may read the repository. */
  async function read(number: number, viewport: typeof desktop): Promise<Window> {
    const window = await stage.open("about:blank", { viewport });
    await window.page.context().addCookies([{ name: "session", value: "reader", url: previews.host.url }]);
    const html = await marked(previews.told(number));
    const address = `${previews.host.url}/acme/funnels/pull/${number}`;
    await window.page.route(address, (route) =>
      route.fulfill({ contentType: "text/html; charset=utf-8", body: `${STYLE}${html}` }),
    );
    await window.page.goto(address);
    return window;
  }

  test(
    "shows each page that the code changes before and after, and its readers' browsers load it",
    { timeout: 120_000 },
    async () => {
      const twelve = previews.pull(12);
      previews.desk.code(TITLE, "A mug to keep");
      await previews.job(twelve, "opened");
      expect(previews.host.pictures.folders()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\.pr-12\.\w+/)]);
      for (const viewport of [desktop, phone]) {
        const { page, complaints } = await read(12, viewport);
        const images = page.locator("img");
        const sizes = await images.evaluateAll((all) =>
          all.map((one) => (one as unknown as { naturalWidth: number }).naturalWidth),
        );
        expect(sizes).toEqual([390 + 24 + 390]);
        expect(await images.first().getAttribute("alt")).toContain("before and after");
        expect(complaints).toEqual([]);
      }
    },
  );

  test("a push that changes nothing takes them away, and so does the end", { timeout: 120_000 }, async () => {
    const [twelve] = previews.host.pulls;
    if (twelve === undefined) throw new Error("no request");
    await previews.job(twelve, "synchronize");
    expect(previews.host.pictures.files().size).toBe(1);
    previews.desk.code("A mug to keep", TITLE);
    await previews.job(twelve, "synchronize");
    expect(previews.told(12)).not.toContain("![");
    expect(previews.host.pictures.folders()).toEqual([]);
    previews.desk.code(TITLE, "A mug to keep");
    await previews.job(twelve, "synchronize");
    expect(previews.host.pictures.files().size).toBe(1);
    twelve.closed = true;
    await previews.job(twelve, "closed");
    expect(previews.host.pictures.head).toBeUndefined();
  });

  test(
    "a token that may not push, and a Chromium that isn't there: the comment says so, and the job succeeds",
    { timeout: 120_000 },
    async () => {
      const thirteen = previews.pull(13);
      previews.host.fails("/git/blobs", 403, { message: "Resource not accessible by integration" });
      await previews.job(thirteen, "opened");
      expect(previews.told(13)).toContain("the job needs the permission contents: write");
      expect(previews.told(13)).toMatch(/on a phone: \d\S* % differs/);
      previews.host.faults.length = 0;
      const ended = await previews.preview({
        ...previews.event(thirteen, "synchronize"),
        CHROMIUM_PATH: "/nowhere/chromium",
      });
      expect([ended.code, ended.stderr]).toEqual([0, ""]);
      expect(previews.told(13)).toContain("There are no pictures: /nowhere/chromium did not start");
    },
  );
});
