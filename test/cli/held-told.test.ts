// @module-tag thorough
/** A held page in a plan and in a result: each row says that visitors don't get it, and no address is told to come, go or be published. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

interface Texts {
  readonly offer: string;
  readonly slug: string;
  readonly more?: string;
}

const manifest = ({ offer, slug, more = "" }: Texts, release: string): string => `landform: 1
name: held
sites: { main: { name: held.example } }
pages:
  offer: { template: tpl-hero, variables: { brand: Acme }, content: { hero.title: ${offer} }, publish: { site: main, slug: ${slug} } }
  thanks: { template: tpl-hero, variables: { brand: Acme }, content: { hero.cta.url: pages.offer.url }, publish: { site: main, slug: thanks${slug} } }
${more}${release}`;

/** Returns a desk with two public pages. Somebody has unpublished edits in the offer. */
async function edited(release = ""): Promise<NearDesk> {
  const desk = await inTest(NearDesk.open());
  const api = await inTest(new LandformApi(desk.emulator));
  desk.write("landform.yaml", manifest({ offer: "Old", slug: "deal" }, release));
  await outputOf(0, desk.run(["up", "--yes"]));
  const offer = (await api.pages.list({ limit: 100 })).find(({ page_name: name }) => name === "offer");
  await api.pages.updateContent({ page_id: offer?.id ?? "", updates: { "hero.note": "Half a thought" } });
  return desk;
}

test("a held page that is to move keeps its address, and no link to it is told", async () => {
  const desk = await edited();
  desk.write("landform.yaml", manifest({ offer: "New", slug: "bargain" }, "").replace("thanksbargain", "thanksdeal"));
  const plan = await outputOf(0, desk.run(["preview", "--markdown", desk.path("plan.md")]));
  expect(plan).toMatch(/! Page offer .*\n.*"Old" → "New" {2}\(held back\)\n.*"deal" → "bargain" {2}\(held back\)/);
  expect(plan).not.toMatch(/[-+] http.*(deal|bargain) \(offer\)/);
  expect(plan).not.toContain("Links to");
  expect(readFileSync(desk.path("plan.md"), "utf8")).not.toContain("Addresses that change");
});

const FRESH = `  fresh: { template: tpl-hero, variables: { brand: Acme }, publish: { site: main, slug: fresh } }\n`;

test("a release waits as a whole: its pages, also new ones, and itself", async () => {
  const desk = await edited("releases: { spring: { pages: [offer, thanks] } }\n");
  const release = "releases: { spring: { pages: [offer, thanks, fresh] } }\n";
  desk.write("landform.yaml", manifest({ offer: "New", slug: "bargain", more: FRESH }, release));
  const files = [
    "--markdown",
    desk.path("told.md"),
    "--html",
    desk.path("told.html"),
    "--junit",
    desk.path("told.xml"),
  ];
  const planned = await outputOf(0, desk.run(["preview", ...files]));
  expect(planned).toMatch(
    /! Page offer[^]*! Page thanks[^]*! Release spring[^]*\+ Page fresh\n +held back: visitors don't see it/,
  );
  expect(planned).toMatch(/\n1 to create, 3 held back, 1 unchanged/);
  expect(planned).not.toContain("Public pages");
  const told = (file: string): string => readFileSync(desk.path(file), "utf8");
  for (const file of ["told.md", "told.xml"])
    for (const row of ["Page offer", "Page thanks", "Release spring"])
      expect(told(file)).toMatch(new RegExp(`hold back (<b>)?${row}`));
  expect(told("told.md")).toMatch(/Page fresh<\/b> · held back: visitors don&#39;t see it/);
  expect(told("told.html")).toMatch(/Page fresh<\/h3>[^]*held back: visitors don&#39;t see it/);
  expect(told("told.html").match(/<h4><code>publish.slug<\/code> <span class="note">held back</g)).toHaveLength(2);
  const done = await desk.run(["up", "--yes", ...files]);
  expect([done.code, done.stdout]).toEqual([1, expect.stringContaining("1 created, 3 held back, 1 unchanged")]);
  expect(done.stdout).not.toContain("Published\n");
  expect(told("told.md")).toMatch(/created <b>Page fresh<\/b> · held back/);
  // Nothing is left to write, and all of it still waits.
  const again = await outputOf(0, desk.run(["preview"]));
  expect(again).toMatch(/! Release spring[^]*\n1 held back, 4 unchanged/);
  expect(again).not.toContain("Public pages");
});
