// @module-tag thorough
/** A held page in a plan and in a result: each row says that visitors don't get it, and no address is told to come, go or be published. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (
  title: string,
  slug: string,
  more: { pages?: string[]; thanks?: string; release?: string } = {},
): void => {
  const link = `, content: { hero.cta.url: pages.offer.url }`;
  const thanks = hero("thanks", { slug: more.thanks ?? `thanks${slug}` }).replace(", publish", `${link}$&`);
  desk.declare(sited([hero("offer", { title, slug }), thanks, ...(more.pages ?? [])], more.release));
};
const releaseOf = (pages: string): string => `releases: { spring: { pages: [${pages}] } }\n`;

/** Two pages are public. Somebody has unpublished edits in the offer. */
async function edited(release = ""): Promise<void> {
  declare("Old", "deal", { release });
  await desk.up();
  await desk.edits("offer", { "hero.note": "Half a thought" });
}

test("a held page that is to move keeps its address, and no link to it is told", async () => {
  await edited();
  declare("New", "bargain", { thanks: "thanksdeal" });
  const plan = await desk.says(0, "preview", "--markdown", "plan.md");
  expect(plan).toMatch(/! Page offer .*\n.*"Old" → "New" {2}\(held back\)\n.*"deal" → "bargain" {2}\(held back\)/);
  expect(plan).not.toMatch(/[-+] http.*(deal|bargain) \(offer\)/);
  expect(plan).not.toContain("Links to");
  expect(desk.read("plan.md")).not.toContain("Addresses that change");
});

test("a release waits as a whole: its pages, also new ones, and itself", async () => {
  await edited(releaseOf("offer, thanks"));
  declare("New", "bargain", { pages: [hero("fresh")], release: releaseOf("offer, thanks, fresh") });
  const files = ["--markdown", "told.md", "--html", "told.html", "--junit", "told.xml"];
  const planned = await desk.says(0, "preview", ...files);
  expect(planned).toMatch(
    /! Page offer[^]*! Page thanks[^]*! Release spring[^]*\+ Page fresh\n +held back: visitors don't see it/,
  );
  expect(planned).toMatch(/\n1 to create, 3 held back, 1 unchanged/);
  expect(planned).not.toContain("Public pages");
  for (const file of ["told.md", "told.xml"])
    for (const row of ["Page offer", "Page thanks", "Release spring"])
      expect(desk.read(file)).toMatch(new RegExp(`hold back (<b>)?${row}`));
  expect(desk.read("told.md")).toMatch(/Page fresh<\/b> · held back: visitors don&#39;t see it/);
  expect(desk.read("told.html")).toMatch(/Page fresh<\/h3>[^]*held back: visitors don&#39;t see it/);
  expect(desk.read("told.html").match(/<h4><code>publish.slug<\/code> <span class="note">held back</g)).toHaveLength(2);
  const done = await desk.says(1, "up", "--yes", ...files);
  expect(done).toContain("1 created, 3 held back, 1 unchanged");
  expect(done).not.toContain("Published\n");
  expect(desk.read("told.md")).toMatch(/created <b>Page fresh<\/b> · held back/);
  // Nothing is left to write, and all of it still waits.
  const again = await desk.says(0, "preview");
  expect(again).toMatch(/! Release spring[^]*\n1 held back, 4 unchanged/);
  expect(again).not.toContain("Public pages");
});
