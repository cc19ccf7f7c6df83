// @module-tag thorough
/** One environment: up, again, changed and down. The base stays as it was. */
import { rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { outputOf, type Desk } from "../cli/harness.ts";
import { editInApp, inTheApp } from "../suite/app.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { Account, BASE, mugs, NOTHING, page } from "./desk.ts";

const liveOf = ({ emulator }: Desk): string => `http://mugs-example.localhost:${new URL(emulator.url).port}`;

function declare(desk: Desk): void {
  const live = liveOf(desk);
  const home = `content: { hero.title: Hello, hero.cta.text: "Go on to ${live}/offer?from=home." }`;
  const sections = `pages:
${page("home", "Home", `${home}, publish: { site: mugs, slug: "" }`)}
  offer:
    name: Offer
    project: spring
    template: { id: tpl-hero }
    variables: { brand: Mugs }
    content: { hero.title: Mugs, hero.text: "Elsewhere: https://other.example/offer, and ${live}/offering" }
    publish: { site: mugs, slug: offer }
    options: { protect: true }
  draft: { name: Draft, project: spring, template: { id: tpl-hero }, variables: { brand: Mugs } }
quizzes:
  finder: { name: Finder, project: spring, template: { id: tpl-quiz-product }, variables: { brand: Mugs, product_count: "3" }, publish: { site: mugs, slug: quiz/finder } }
products:
  mug: { name: Mug, price: 12.5, project: spring, ctaUrl: "${live}/offer" }
funnels:
  spring: { name: Spring, project: spring, steps: [ { page: home, pageType: presell }, { page: offer, pageType: sales }, { url: "${live}/quiz/finder", pageType: thankyou } ] }
hooks:
  leads: { eventType: form_lead.created, targetUrl: "https://hooks.example.com/leads" }
videoPlayers:
  welcome: { video: { lookup: { name: Welcome } }, title: Hello again }
outputs:
  home: pages.home.url
  token: hooks.leads.deliveryToken
  length: videoPlayers.welcome.duration
`;
  desk.declare(mugs(sections));
}

describe("a manifest", { timeout: 120_000 }, () => {
  const account = forAllTests(() => Account.open(declare));

  test("up makes copies under a prefix of their own, and touches nothing of the base", async () => {
    const { desk } = account;
    const up = await account.says(0, "up", "--pr", "12", "--yes", "--commit", "abc", "--branch", "spring/one");
    const own = account.ofPreview("pr-12");
    const [{ name } = { name: "" }] = own;
    const prefix = name.split(" ", 1)[0] ?? "";
    expect(prefix).toMatch(/^pr-12-[a-z0-9]{10}$/);
    const names = ["Draft", "Finder", "Home", "Mug", "Offer", "Spring"];
    expect(own.map(({ name: called }) => called).sort()).toEqual(names.map((called) => `${prefix} ${called}`));
    const slugs = ["index", "offer", "quiz/finder"];
    expect(own.flatMap(({ slug }) => slug ?? []).sort()).toEqual(slugs.map((slug) => `${prefix}/${slug}`));
    const all = JSON.stringify(desk.emulator.records());
    const live = liveOf(desk);
    expect(all).toContain(`Go on to ${live}/${prefix}/offer?from=home.`);
    expect(all).toContain(`${live}/${prefix}/quiz/finder`);
    expect(all.split(`https://other.example/offer, and ${live}/offering`).length).toBeGreaterThan(2);
    expect(up).toContain("left out: Hook leads");
    expect(up).toContain("left out: VideoPlayer welcome");
    expect(up).toContain("left out: Page offer: its option protect");
    // A left-out hook has no token, and that is no fault of the program.
    expect(up).not.toContain("will not show as a stack output");
    expect(up).toMatch(/Outputs\n[^]*\n {2}token +null\n/);
    expect(touched(account)).toEqual([]);
  });

  test("again plans nothing", async () =>
    expect((await account.up("--pr", "12", "--commit", "abc")).counts).toMatchObject(NOTHING));

  test("what a colleague deleted or edited in the builder is named, and the way on works", async () => {
    const { desk } = account;
    const idOf = (name: string): string => account.ofPreview("pr-12").find((one) => one.name.endsWith(name))?.id ?? "";
    await inTheApp(desk, "DELETE", `/pages/${idOf(" Home")}`);
    await editInApp(desk, idOf(" Offer"), { "hero.cta.text": "By a colleague" });
    desk.code("Hello", "Hello again");
    desk.code("hero.title: Mugs", "hero.title: Better mugs");
    const up = ["up", "--pr", "12", "--yes", "--commit", "abc"];
    expect(await account.says(3, ...up)).toContain("run preview and up with --refresh");
    expect(await account.says(1, ...up, "--refresh")).toContain("--foreign-edits include");
    await account.says(0, ...up, "--foreign-edits", "include");
    declare(desk);
    await account.says(0, ...up);
    expect(touched(account)).toEqual([]);
  });

  test("its stack is refused to a run that is no preview, before anything is sent", async () => {
    const { desk } = account;
    const now = account.holds();
    for (const args of [["up", "--yes", "--force"], ["preview"]])
      expect(await desk.says(3, ...args, "--stack", "pr-12")).toContain(
        "pr-12 is a preview environment, and this is no preview of it. Nothing was sent.",
      );
    expect(account.holds()).toBe(now);
  });

  test("a changed text changes nothing of the base", async () => {
    account.desk.code("hero.title: Mugs", "hero.title: Better mugs");
    await account.says(0, "up", "--pr", "12", "--yes", "--commit", "def");
    expect(touched(account)).toEqual([]);
  });

  test("a broken program is no obstacle on the way down, and nothing is left", async () => {
    const { desk } = account;
    desk.code("pages:", "pagess:");
    await account.down("--pr", "12");
    expect(account.holds()).toBe(account.before);
    await account.down("pr-12");
    declare(desk);
    await desk.plansNothing("--stack", BASE, "--refresh");
  });
});

/** Returns the earlier records that are gone or changed. */
function touched(account: Account): string[] {
  const now = new Set(flat(account.holds()));
  return flat(account.before).filter((record) => !now.has(record));
}

function flat(holds: string): string[] {
  const records = Object.values(JSON.parse(holds) as Record<string, { id: string }[]>).flat();
  return records.map((record) => JSON.stringify(record));
}

describe("without a base", { timeout: 60_000 }, () => {
  test("an up fails with a clear error and sends nothing; with --project and --site it makes a preview", async () => {
    const account = await inTest(Account.open(declare, { seed: "demo", apply: false }));
    const { desk } = account;
    expect(await account.says(4, "up", "--branch", "Feature/X", "--yes")).toMatch(/--project ID and --site NAME/);
    const nowhere = ["--project", "Demo", "--site", "nope"];
    expect(await account.says(4, "up", "--pr", "1", "--yes", ...nowhere)).toContain('no site named "nope"');
    expect(desk.writes()).toEqual([]);
    expect((await account.env("list", "--json")).stdout.trim()).toBe("[]");
    // A process of the program keeps the account that its lookups asked.
    const place = ["--project", "Demo", "--site", "demo.example"];
    await outputOf(0, desk.apart(["env", "up", "--branch", "Feature/X", "--yes", ...place]));
    expect(touched(account)).toEqual([]);
    rmSync(desk.path("landform.yaml"));
    desk.declare("landform: 1\nname: mugs\n");
    await account.down("--branch", "Feature/X");
    expect(account.holds()).toBe(account.before);
  });
});
