/** Pages that exchange their addresses, while somebody works on one of them in the app. */
import { expect, test } from "vitest";
import { Mugs } from "./mugs.ts";
import { thorough } from "../suite/parts.ts";

function exchange(mugs: Mugs): void {
  mugs.code("slug: offer", "slug: other");
  mugs.code("slug: about", "slug: offer");
  mugs.code("slug: other", "slug: about");
}

const said = /page offer can't come to http\S+\/about: page about is there, and is held back/;

test("a page that would come to the address of a held one is refused before anything is sent, and the held one is counted as held", async () => {
  const mugs = await Mugs.here();
  await mugs.edits("about", { "hero.text": "Colleague" });
  exchange(mugs);
  const plan = await mugs.plan("--save", "plan.json");
  expect(plan).toMatch(said);
  expect(plan).toMatch(/up will refuse this plan[^]*allow it: --foreign-edits include/);
  expect(plan).toMatch(/! Page about[^]*2 to update, 1 held back/);
  expect(plan).toContain("It needs --foreign-edits include.");
  mugs.writes();
  const refused = await mugs.says(3, "up", "--yes");
  expect(refused).toMatch(said);
  expect(refused.match(/--foreign-edits include/g)).toHaveLength(2);
  expect(await mugs.says(3, "up", "--plan", "plan.json")).toMatch(said);
  expect(mugs.writes()).toEqual([]);
  const included = await mugs.applies("--foreign-edits", "include");
  expect(included).toContain("Addresses that go to another page");
  expect(included).not.toContain("answer 404");
});

/** The entry of a page goes, and a new one has its address. */
function takeOver(mugs: Mugs): void {
  mugs.code("  about:\n", "  team:\n");
  mugs.code("About us", "The team");
}

const inTheWay =
  /page team can't come to http\S+\/about: page about is there, and has to go public elsewhere for a moment, with somebody's unpublished edits/;

test.each([
  ["a draft that somebody edits", false],
  ["a draft that an earlier run has held back", true],
])("a page that goes makes no way for another one with %s: nothing is sent", async (_, isHeld) => {
  const mugs = await Mugs.here();
  const about = mugs.page("about");
  await mugs.edits("about", { "hero.text": "Colleague" });
  if (isHeld) {
    await mugs.code("title: About us", "title: About us all").says(1, "up", "--yes");
    mugs.code("title: About us all", "title: About us");
  }
  takeOver(mugs);
  mugs.code("price: 12.5", "price: 13.5");
  mugs.writes();
  for (const also of [[], ["--foreign-edits", "hold"]])
    expect(await mugs.says(3, "up", "--yes", ...also)).toMatch(inTheWay);
  expect(mugs.writes()).toEqual([]);
  await mugs.plan("--foreign-edits", "include", "--save", "plan.json");
  expect(await mugs.says(0, "up", "--plan", "plan.json")).toContain("visitors can read them until then");
  expect(mugs.rows("pages").map(({ id }) => id)).not.toContain(about);
  expect(await mugs.visited("about")).toContain("The team");
  await mugs.plansNothing();
});

thorough("a page that is renamed and made anew elsewhere leaves its address as without the new name", async () => {
  const mugs = await Mugs.here((manifest) =>
    manifest
      .replace(", hero.note: Only today", "")
      .replace("brand: Example Mugs }", "brand: Example Mugs, product: Mug, support_email: help@mugs.example }"),
  );
  mugs.code("sites:\n", "sites:\n  cups.example: { project: mugs }\n");
  mugs.code("  about:\n", "  team:\n    options: { aliases: [about] }\n");
  mugs.code("site: mugs.example, slug: about", "site: cups.example, slug: about");
  expect(await mugs.plan()).toContain("redirects writes redirects");
  await mugs.applies();
  const moved = await mugs.says(0, "redirects");
  expect(moved).toMatch(/mugs-example\S+\/about,http:\S+cups-example\S+\/about,\S+,Page\/team/);
  mugs.code("  offer:\n    template: tpl-hero", "  deal:\n    options: { aliases: [offer] }\n    template: tpl-sales");
  for (const place of ["page: offer", "ref: pages.offer", "url: pages.offer"])
    mugs.code(place, place.replace("offer", "deal"));
  await mugs.applies();
  expect(await mugs.visited("offer")).toContain("A mug worth getting up for");
});

test("an address that nobody takes answers 404", async () => {
  const mugs = await Mugs.here();
  mugs.code("slug: about", "slug: us");
  expect(await mugs.plan()).toContain('Visitors of the old addresses then get "not found" (404)');
});

thorough("a page that somebody moved is told where it is before it is published there", async () => {
  const mugs = await Mugs.here();
  await mugs.publishes("about", "about-us");
  mugs.code("About us", "About the team");
  const moved = /Page about is at http\S+\/about-us now, where somebody moved it in the app, and stays there/;
  const said = await mugs.plan();
  expect(said).toMatch(moved);
  expect(said).toMatch(/Public pages\n {2}~ \S+\/about-us \(about\)/);
  expect(said).toMatch(/~ Page about {2}page_\w+ {2}\S+\/about-us$/m);
  expect(said).toMatch(/^npx landform up --refresh moves it back to \S+\/about\.$/m);
  expect(await mugs.applies()).toMatch(/^Published\n {2}\S+\/about-us\n\n/m);
  const back = await mugs.plan("--refresh");
  expect(back).toMatch(/about-us" → "about"/);
  expect(back).not.toMatch(moved);
});

thorough("what refers to a page that somebody moved stays as it is until a refresh tells the move", async () => {
  const mugs = await Mugs.here();
  const ctaUrl = mugs.rows("products")[0]?.["ctaUrl"];
  await mugs.publishes("offer", "winter");
  await mugs.code("A mug worth getting up for", "A mug worth sharing").plan("--save", "plan.json");
  expect(await mugs.says(0, "up", "--plan", "plan.json")).toContain("Done: 1 updated, 5 unchanged");
  expect(mugs.rows("products")).toMatchObject([{ ctaUrl }]);
  await mugs.plansNothing();
  await mugs.applies("--refresh");
  expect(mugs.rows("products")).toMatchObject([{ ctaUrl }]);
  expect(mugs.rows("pages").find(({ id }) => id === mugs.page("offer"))).toMatchObject({ slug: "offer" });
});

thorough("a list that still shows pages at their former addresses is no move of somebody", async () => {
  const many = `pages:
  many:
    each: [a, b, c, d, e, f, g, h]
    template: tpl-hero
    variables: { brand: Many }
    content: { hero.title: Hello }
    publish: { site: mugs.example, slug: "\${each.key}" }
`;
  const mugs = await Mugs.here((manifest) => manifest.replace("pages:\n", many));
  mugs.emulator.notShown.listLagMs = 3_600_000;
  await mugs.code('slug: "$', 'slug: "new/$').up();
  const said = await mugs.code("Hello", "Good day").plan();
  expect(said).toContain("/new/a (many-a)");
  expect(said).not.toContain("somebody moved it");
});
