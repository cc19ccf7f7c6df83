// @module-tag thorough
/** `drift --html` shows the funnels as visitors meet them: each page with its state, its last change and its picture. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { chromiumAt } from "../browser/support.ts";
import { Mugs } from "./mugs.ts";

const STEPS =
  "[{ page: offer, pageType: presell }, { page: about, pageType: sales }, { url: https://shop.example/pay, pageType: checkout }]";

async function stateOf(mugs: Mugs, ...args: string[]): Promise<string> {
  await mugs.says(0, "drift", "--html", "state.html", ...args);
  const html = readFileSync(mugs.path("state.html"), "utf8");
  const [, section = ""] = /<h2 id="live">([^]*?)<\/section>/.exec(html) ?? [];
  return section.replaceAll(/base64,[^"]{500,}/g, "base64,long").replaceAll(/\s+/g, " ");
}

test("each page stands with its state, the run that has changed it, and the way to it", async () => {
  const mugs = await Mugs.here((text) => text.replace("[{ page: offer, pageType: presell }]", STEPS));
  const [run = ""] = /\d{8}-\S+/.exec(await mugs.says(0, "history")) ?? [];
  const untouched = await stateOf(mugs);
  expect(untouched).toMatch(
    /live<\/span> spring, step 1 \(presell\): offer \(mugs\.example\)<\/h3>.*\/offer".*last changed \d{4}-/,
  );
  expect(untouched).toContain(`run ${run}<`);
  expect(untouched).not.toContain('class="badge warn"');

  await mugs.edits("offer", { "hero.text": "Half a thought" });
  await mugs.edits("about", { "hero.title": "Theirs" });
  await mugs.publishes("about");
  const state = await stateOf(mugs);
  expect(state).toMatch(/live, with unpublished edits by somebody else<\/span> spring, step 1/);
  expect(state).toMatch(/changed in the app<\/span> spring, step 2 \(sales\): about /);
  expect(state).toMatch(/spring, step 3 \(checkout\): https:\/\/shop\.example\/pay/);
  await mugs.app("DELETE", `/pages/${mugs.page("about")}`);
  expect(await stateOf(mugs)).toContain("was deleted in the app</span> spring, step 2");
});

test("without a browser the page says how to get pictures; a plain drift takes none", async () => {
  const mugs = await Mugs.here();
  mugs.also.env["CHROMIUM_PATH"] = "/nowhere/chromium";
  expect(await stateOf(mugs)).toContain("There are no pictures: /nowhere/chromium did not start");
  expect(await mugs.says(0, "drift", "--json")).not.toContain('"funnels"');
});

test.skipIf(chromiumAt === undefined)("public pages are shown on a phone", async () => {
  const mugs = await Mugs.here();
  mugs.also.env["CHROMIUM_PATH"] = String(chromiumAt);
  const state = await stateOf(mugs);
  expect(state).toContain('<img src="data:image/png;base64,long"');
  expect(state).toContain(
    'alt="spring, step 1 (presell): offer (mugs.example), on a phone (the page goes on below this part)"',
  );
});
