// @module-tag thorough
/** The undo of runs whose pages somebody had edited or moved: what it leaves, what it takes back, and what the draft says then. */
import { beforeEach, describe, expect, test } from "vitest";
import { hero, sited } from "../cli/manifests.ts";
import { NearDesk } from "../cli/near-desk.ts";
import { onBothAtRelease } from "../suite/parts.ts";

const desk = NearDesk.each();

describe("a release that wrote over a draft: all of it goes back, and then the draft has its old text again", () => {
  const declare = (title: string, slug = "offer") =>
    desk.declare(
      sited(
        [hero("offer", { title: `${title} offer`, slug }), hero("thanks", { title: `${title} thanks` })],
        "releases: { launch: { pages: [offer, thanks] } }\n",
      ),
    );
  const treeOfOffer = async (): Promise<string> =>
    JSON.stringify(await desk.app("GET", `/pages/builder?page_id=${desk.page("offer")}`));
  const title = async (slug: string): Promise<unknown> =>
    /<h1[^>]*>([^<]*)/.exec(await desk.visited(`sited-example/${slug}`))?.[1];
  const visitors = async (): Promise<unknown> => [await title("offer"), await title("thanks")];

  test.each(["draft", "live"] as const)("the content map shows %s", async (shows) => {
    desk.emulator.notShown.contentMapShows = shows;
    await declare("First").up();
    await desk.edits("offer", { "hero.title": "Half a thought" });
    await declare("Second").up("--foreign-edits", "include");
    expect(await visitors()).toEqual(["Second offer", "Second thanks"]);
    await desk.undo();
    expect(await visitors()).toEqual(["First offer", "First thanks"]);
    expect(await treeOfOffer()).toContain("Half a thought");
    // If the content map shows the draft, the draft's text of a declared key is drift.
    if (shows === "live") await declare("First").plansNothing();
  });

  test("a page goes back from a path that an earlier run had held, and the edit that had held it to the draft alone", async () => {
    desk.emulator.notShown.contentMapShows = "draft";
    await declare("First").up();
    await desk.edits("offer", { "hero.title": "Half a thought" });
    await declare("First", "elsewhere").says(1, "up", "--yes");
    await desk.up("--refresh", "--foreign-edits", "include");
    expect(await title("elsewhere")).toBe("First offer");
    expect(await treeOfOffer()).not.toContain("Half a thought");
    await desk.undo();
    expect(await visitors()).toEqual(["First offer", "First thanks"]);
    expect(await treeOfOffer()).toContain("Half a thought");
  });
});

onBothAtRelease((...on) => {
  const declare = (slug: string) =>
    desk.declare(
      sited(
        [hero("offer", { slug })],
        "products: { mug: { price: 3, ctaUrl: { ref: pages.offer.url } } }\noutputs: { offerUrl: pages.offer.url }\n",
      ),
    );
  /** Returns the path of the page, of its address in the button, and of that in the output. */
  async function paths(): Promise<unknown[]> {
    const { offerUrl } = await desk.json<Record<string, unknown>>("output");
    const places = [desk.rows("pages")[0]?.["slug"], desk.rows("products")[0]?.["ctaUrl"], offerUrl];
    return places.map((place) => String(place).split("/").at(-1));
  }
  beforeEach(async () => {
    desk.on(...on);
    await declare("old").up();
    await declare("new").up();
  });

  test("a draft that somebody edited holds a page back: the button that points to it stays until it moves", async () => {
    await desk.edits("offer", { "hero.cta.text": "By hand" });
    await desk.says(1, "undo", "--yes");
    expect(await paths()).toEqual(["new", "new", "new"]);
    await desk.publishes("offer", "new");
    await desk.undo();
    expect(await paths()).toEqual(["old", "old", "old"]);
    await declare("old").plansNothing();
    await desk.says(0, "drift", "--full", "--detailed-exitcode");
  });

  test("a page that somebody moved is left alone: the button doesn't go where nothing is", async () => {
    await desk.publishes("offer", "by-hand");
    await desk.says(3, "undo", "--yes");
    await desk.run(["undo", "--yes", "--skip-conflicts"]);
    expect(await paths()).toEqual(["by-hand", "new", "new"]);
  });
});
