// @module-tag thorough
/** The plan's words about what visitors will see: after runs that failed on the way, of a held page, and of a page that comes to the place of one. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import { setTimeout } from "node:timers/promises";
import { publishInApp } from "../suite/app.ts";

const desk = NearDesk.each();

async function touched(): Promise<string[]> {
  const [, block = ""] = /Public pages\n([^]*?)\n\n/.exec(await desk.plan()) ?? [];
  return block.split("\n").map((line) => line.trim().replace(/localhost:\d+/, "HOST"));
}

test("a page whose publish failed goes live with the next run, and one that moves is gone from where it was", async () => {
  const declare = (slug: string) =>
    desk.declare(sited([hero("home"), hero("offer", { slug, more: ", options: { dependsOn: [pages.home] }" })]));
  declare("offer");
  desk.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 403, skip: 1 });
  await desk.says(1, "up", "--yes");
  expect(await touched()).toEqual(["+ http://sited-example.HOST/offer (offer)"]);
  await desk.up();
  declare("deal");
  expect(await touched()).toEqual([
    "- http://sited-example.HOST/offer (offer)",
    "+ http://sited-example.HOST/deal (offer)",
    'Visitors of the old addresses then get "not found" (404). npx landform redirects writes redirects.',
  ]);
});

test("an address that another page takes does not go away, and is not new", async () => {
  const declare = (one: string, two: string) =>
    desk.declare(sited([hero("one", { slug: one }), hero("two", { slug: two })]));
  await declare("one", "two").up();
  declare("two", "one");
  expect(await touched()).toEqual(["~ http://sited-example.HOST/two (one)", "~ http://sited-example.HOST/one (two)"]);
  await desk.up();
  expect(await touched()).toEqual([""]);
});

test("a funnel names the step that it loses; nothing follows from it. A held page keeps its address as it is", async () => {
  const declare = (pages: string[], steps: string) =>
    desk.declare(sited(pages, `funnels: { f: { steps: [${steps}] } }\n`));
  const first = "{ page: first, pageType: presell }";
  await declare([hero("first"), hero("third")], `${first}, { page: third, pageType: thankyou }`).up();
  const plan = await declare([hero("first")], first).plan();
  expect(plan).toContain("f: loses its step 2 (third, thankyou)");
  expect(plan).not.toContain("changes along");
  await desk.up();

  await desk.edits("first", { "hero.note": "Theirs" });
  declare([hero("first", { title: "Bye" })], first);
  expect(await touched()).toEqual([""]);
  expect(await desk.says(1, "up", "--yes")).not.toContain("Public pages");
});

function declares(title: string, slug: string, { fresh = "", thanks = `thanks${slug}`, release = "" } = {}) {
  const link = `, content: { hero.cta.url: pages.offer.url }`;
  const linking = hero("thanks", { slug: thanks }).replace(", publish", `${link}$&`);
  return desk.declare(sited([hero("offer", { title, slug }), linking, fresh], release));
}
const releaseOf = (pages: string): string => `releases: { spring: { pages: [${pages}] } }\n`;

/** Two pages are public. Somebody has unpublished edits in the offer. */
async function edited(release = ""): Promise<void> {
  await declares("Old", "deal", { release }).up();
  await desk.edits("offer", { "hero.note": "Half a thought" });
}

test("a held page that is to move keeps its address, and no link to it is told", async () => {
  await edited();
  const plan = await declares("New", "bargain", { thanks: "thanksdeal" }).plan("--markdown", "plan.md");
  expect(plan).toMatch(/! Page offer .*\n.*"Old" → "New" {2}\(held back\)\n.*"deal" → "bargain" {2}\(held back\)/);
  expect(plan).not.toMatch(/[-+] http.*(deal|bargain) \(offer\)/);
  expect(plan).not.toContain("Links to");
  expect(desk.read("plan.md")).not.toContain("Addresses that change");
});

test("a release waits as a whole: its pages, also new ones, and itself", async () => {
  await edited(releaseOf("offer, thanks"));
  declares("New", "bargain", { fresh: hero("fresh"), release: releaseOf("offer, thanks, fresh") });
  const files = ["--markdown", "told.md", "--html", "told.html", "--junit", "told.xml"];
  const planned = await desk.plan(...files);
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
  const again = await desk.plan();
  expect(again).toMatch(/! Release spring[^]*\n1 held back, 4 unchanged/);
  expect(again).not.toContain("Public pages");
});

const OLD = hero("old", { slug: "offer", title: "Old offer" });
const adopted = (name: string, id: string): string =>
  `  ${name}: { adoptId: ${id}, content: { hero.title: New offer }, publish: { site: main, slug: offer } }\n`;

/** `next`: the code by the id of the page, which is the stack's own or not. */
const ways: readonly { name: string; own: boolean; next: (other: string) => string }[] = [
  { name: "one of the stack moves there", own: true, next: () => hero("next", { slug: "offer", title: "New offer" }) },
  { name: "one is taken over and moves there", own: false, next: (id) => adopted("next", id) },
  { name: "one is taken over in its place", own: false, next: (id) => adopted("old", id) },
];

test.each(ways)("$name", async ({ own, next }) => {
  const desk = await NearDesk.own();
  await desk.declare(sited([OLD, own ? hero("next", { title: "Next" }) : ""])).up();
  const siteId = desk.rows("sites")[0]?.id;
  const made = { template_id: "tpl-thankyou", name: "other", site_id: siteId };
  const other = own ? desk.page("next") : (await desk.app("POST", "/pages/from-template", made)).id;
  if (!own) {
    const variables = { brand: "Acme", support_email: "help@mugs.example" };
    await desk.app("POST", "/pages/replace-variables", { page_id: other, variables });
    await publishInApp(desk, other, { siteId, slug: "next" });
    // If a page was never the stack's, only dates tell of its edits.
    await setTimeout(1_200);
  }
  await desk.edits(own ? "next" : "other", { "hero.text": "Half a thought" });

  const preview = await desk.declare(sited([next(other)])).plan();
  expect(preview).toMatch(/unpublished edits in its draft/);
  expect(preview).toMatch(/Page old stays at \S+\/offer until its replacement \(Page \w+\) can be published/);
  expect(preview).not.toContain("Addresses that go to another page");
  for (let round = 0; round < 2; round++) {
    expect(await desk.says(1, "up", "--yes")).toMatch(/is not deleted yet\. It keeps the path \/offer/);
    expect(await desk.visited("sited-example/offer")).toContain("Old offer");
  }
  await desk.applies("--foreign-edits", "include");
  expect(await desk.visited("sited-example/offer")).toContain("New offer");
  expect(desk.rows("pages").map(({ id }) => id)).toEqual([other]);
});
