// @module-tag thorough
/** `env up --changed` copies what a branch touches and what leads there. All else stays the base's, which nothing of it may change. */
import { describe, expect, test } from "vitest";
import { SYSTEM_PATH } from "../cli/harness.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { onBothEngines } from "../suite/parts.ts";
import { Account, BASE, mugs, NOTHING, page } from "./desk.ts";

const at = (slug: string): string => `publish: { site: mugs, slug: "${slug}" }`;
const entry = (key: string, content: string, publish = at(key)): string =>
  page(key, key, `content: { ${content} }, ${publish}`);

type Parts = { offer?: string; guide?: string; terms?: string; price?: string; shared?: string; more?: string };

/** Home leads to the offer by its path, the guide by reference, and each price shows the product. About and the other funnel stand alone. */
function shop({
  offer = entry("offer", "hero.title: Mugs, hero.cta.url: /terms"),
  guide = entry("guide", "hero.text: { ref: pages.offer.url }"),
  terms = entry("terms", "hero.title: Terms, hero.cta.url: /guide"),
  price = "12",
  shared = "Fresh",
  more = "",
}: Parts = {}): string {
  const shown = entry("price", "hero.text: { ref: products.spring.price }");
  const cities = `  city: { each: [riga, oslo], name: "\${each.key}", project: spring, template: { id: tpl-hero }, variables: { brand: Mugs }, content: { hero.title: ${shared} }, publish: { site: mugs, slug: "city/\${each.key}" } }\n`;
  const sections = `pages:
${entry("home", "hero.title: Hello, hero.cta.url: /offer", at(""))}${offer}${guide}${terms}${shown}${cities}
${entry("about", "hero.title: About, hero.cta.url: /guide")}${more}
products:
  spring: { name: Mug, price: ${price}, project: spring }
funnels:
  spring: { name: Spring, project: spring, steps: [ { page: home, pageType: presell }, { page: offer, pageType: sales } ] }
  other: { name: Other, project: spring, steps: [ { page: about, pageType: presell } ] }
`;
  return mugs(sections, { sites: ["mugs", "previews"] });
}

const OFFER = entry("offer", "hero.title: Better mugs, hero.cta.url: /terms");

/** Commands on a preview of the shop. */
class Changed {
  readonly account: Account;

  constructor(account: Account) {
    this.account = account;
  }

  /** Brings up the preview of a program, twice, and returns what it copies. Nothing of the base may have changed. */
  async copies(parts: Parts, ...args: string[]): Promise<string[]> {
    this.account.desk.declare(shop(parts));
    const up = ["--pr", "1", "--changed", ...args];
    await this.account.up(...up);
    expect((await this.account.up(...up)).counts).toMatchObject(NOTHING);
    this.leavesTheBase();
    return this.own();
  }

  own(): string[] {
    const names = this.account.ofPreview("pr-1").map(({ name }) => name.replace(/^\S+ /, ""));
    return names.sort();
  }

  /** The account still has every object of the base as it was. */
  leavesTheBase(): void {
    const now = new Set(recordsIn(this.account.holds()));
    expect(recordsIn(this.account.before).filter((one) => !now.has(one))).toEqual([]);
  }

  async isGone(): Promise<void> {
    expect(this.account.holds()).toBe(this.account.before);
    expect(await this.account.says(0, "list", "--json")).toBe("[]\n");
  }

  /** Returns the link of a copy's button and the text above it. */
  async says(name: string): Promise<string> {
    const { id = "" } = this.account.ofPreview("pr-1").find((one) => one.name.endsWith(` ${name}`)) ?? {};
    const map = await this.account.desk.app<{ fields: string }>("GET", `/search/page-content-map?page_id=${id}`);
    const fields = JSON.parse(map.fields) as { key: string; value: string }[];
    const shown = fields.filter(({ key }) => key === "hero.cta.url" || key === "hero.text");
    return shown.map(({ value }) => `[${value}]`).join("");
  }
}

function recordsIn(holds: string): string[] {
  return Object.values(JSON.parse(holds) as Record<string, object[]>).flatMap((all) =>
    all.map((one) => JSON.stringify(one)),
  );
}

describe("a preview of what changed", { timeout: 240_000 }, () => {
  const account = forAllTests(() => Account.open((desk) => desk.declare(shop())));
  const preview = (): Changed => new Changed(account);

  test("without a change there is none, and it says so", async () => {
    expect(await account.says(0, "up", "--pr", "1", "--changed", "--yes")).toContain(
      "The change touches nothing that a preview could show, so there is no preview pr-1.",
    );
    await preview().isGone();
  });

  test("has the changed page, what links to it by path or reference, and the funnel; others stay, linked", async () => {
    const changed = preview();
    expect(await changed.copies({ offer: OFFER })).toEqual(["Spring", "guide", "home", "offer"]);
    expect(await changed.says("home")).toMatch(/\[\/pr-1-\w{10}\/offer\]/);
    expect(await changed.says("guide")).toMatch(/\[http\S+\/pr-1-\w{10}\/offer\]/);
    expect(await changed.says("offer")).toContain("[/terms]");
    expect(await account.says(0, "up", "--pr", "1", "--changed", "--yes")).toMatch(
      /a preview of prod\n {2}Page offer .*\n {2}Page guide .*\n {2}Page home .*\n {2}5 other pages stay/,
    );
  });

  test("loses the copies that a later push no longer needs; a product brings the page that shows it", async () =>
    expect(await preview().copies({ price: "13" })).toEqual(["Mug", "price"]));

  test("has every page that a shared text stands in", async () =>
    expect(await preview().copies({ shared: "Fresher" })).toEqual(["oslo", "riga"]));

  test("has a new page, and what leads to it", async () => {
    const more = entry("extra", "hero.title: Extra");
    const guide = entry("guide", "hero.text: { ref: pages.extra.url }");
    expect(await preview().copies({ more, guide })).toEqual(["about", "extra", "guide", "terms"]);
  });

  test("has what leads to a page that the branch removes", async () => {
    const changed = preview();
    expect(await changed.copies({ terms: "" })).toEqual(["offer"]);
    expect(await changed.says("offer")).toMatch(/\[\/pr-1-\w{10}\/terms\]/);
  });

  test("on a site of its own leads to public pages by whole addresses", async () => {
    const changed = preview();
    expect(await changed.copies({ offer: OFFER }, "--site", "previews.example")).toHaveLength(4);
    expect(await changed.says("home")).toMatch(/\[http:\/\/previews-example\S+\/offer\]/);
    expect(await changed.says("offer")).toMatch(/\[http:\/\/mugs-example[^/]+\/terms\]/);
    await account.down("--pr", "1");
    await changed.isGone();
  });

  test("becomes the whole campaign and shrinks again", async () => {
    account.desk.declare(shop({ offer: OFFER }));
    await account.up("--pr", "1");
    expect(preview().own()).toHaveLength(11);
    expect(await preview().copies({ offer: OFFER })).toEqual(["Spring", "guide", "home", "offer"]);
  });

  test("follows the base: a change that is live there is none any more, and the preview goes", async () => {
    account.desk.declare(shop({ offer: OFFER }));
    await account.desk.up("--stack", BASE);
    expect(await account.says(0, "up", "--pr", "1", "--changed", "--yes")).toContain("there is no preview pr-1");
    account.before = account.holds();
    await preview().isGone();
    expect(await preview().copies({})).toEqual(["Spring", "guide", "home", "offer"]);
  });

  test("goes without a trace, and the base plans nothing", async () => {
    await account.down("--pr", "1");
    await preview().isGone();
    account.desk.declare(shop({ offer: OFFER }));
    await account.desk.plansNothing("--stack", BASE, "--refresh");
  });

  test("is refused if nobody can tell what to copy, before anything is sent", async () => {
    account.desk.declare(shop({ offer: OFFER.replace(" }\n", ", options: { protect: true } }\n") }));
    await account.desk.up("--stack", BASE);
    account.before = account.holds();
    account.desk.declare(shop({ offer: "", guide: "" }).replace("{ page: offer, pageType: sales }", ""));
    const said = await account.says(3, "up", "--pr", "1", "--changed", "--yes");
    expect(said).toMatch(/can't tell which pages the change touches: the plan of prod failed .*offer/);
    await preview().isGone();
  });
});

onBothEngines((engine, path) => {
  test("a release publishes the copies alone", async () => {
    const account = await inTest(Account.open((desk) => desk.declare(released("Mugs")), { apply: false }));
    const { desk } = account;
    desk.also.env = { PATH: path(SYSTEM_PATH) };
    await desk.up("--stack", BASE);
    account.before = account.holds();
    const changed = new Changed(account);
    desk.declare(released("Better mugs"));
    const up = ["--pr", "1", "--changed"];
    expect(await account.up(...up)).toMatchObject({ engine: { name: engine }, counts: { create: 4 } });
    expect((await account.up(...up)).counts).toMatchObject(NOTHING);
    expect(changed.own()).toEqual(["Spring", "home", "offer"]);
    changed.leavesTheBase();
    await account.down("--pr", "1");
    await changed.isGone();
  });
});

function released(title: string): string {
  return mugs(`pages:
${entry("home", "hero.cta.url: { ref: pages.offer.url }")}${entry("offer", `hero.title: ${title}`)}${entry("terms", "hero.title: Terms")}
releases: { spring: { pages: [home, offer, terms] } }
funnels:
  spring: { name: Spring, project: spring, steps: [ { page: offer, pageType: sales }, { page: terms, pageType: thankyou } ] }
`);
}
