// @module-tag thorough
/** One environment: up, again, changed and down. The base stays as it was. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonReport } from "../../stack/report/json.ts";
import type { Desk } from "../cli/harness.ts";
import { editInApp, inTheApp } from "../suite/app.ts";
import { accountWith, BASE, type Account } from "./desk.ts";
import { outputOf } from "../cli/harness.ts";

const BRIEF = "Handmade mugs for people who take their coffee seriously. ".repeat(5);

function manifest(port: string): string {
  const live = `http://mugs-example.localhost:${port}`;
  return `landform: 1
name: mugs
projects:
  spring: { name: Spring, description: "The spring launch of Example Mugs, one offer and a quiz", context: "${BRIEF}" }
sites:
  mugs: { name: mugs.example, project: spring }
pages:
  home:
    name: Home
    project: spring
    template: { id: tpl-hero }
    variables: { brand: Mugs }
    content: { hero.title: Hello, hero.cta.text: "Go on to ${live}/offer?from=home." }
    publish: { site: mugs, slug: "" }
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
}

function portOf({ emulator }: Desk): string {
  return new URL(emulator.url).port;
}

describe("a manifest", { timeout: 120_000 }, () => {
  let account: Account;
  let before: string;
  const write = (desk: Desk): void => desk.write("landform.yaml", manifest(portOf(desk)));

  beforeAll(async () => {
    account = await accountWith(write);
    before = account.holds();
  }, 60_000);
  afterAll(() => account.desk.close());

  test("up makes copies under a prefix of their own, and touches nothing of the base", async () => {
    const { desk } = account;
    const up = await outputOf(0, account.env("up", "--pr", "12", "--yes", "--commit", "abc", "--branch", "spring/one"));
    const own = account.ofPreview("pr-12");
    const [{ name } = { name: "" }] = own;
    const prefix = name.split(" ", 1)[0] ?? "";
    expect(prefix).toMatch(/^pr-12-[a-z0-9]{10}$/);
    expect(own.map(({ name: called }) => called.replace(prefix, "")).sort()).toEqual([
      " Draft",
      " Finder",
      " Home",
      " Mug",
      " Offer",
      " Spring",
    ]);
    expect(own.flatMap(({ slug }) => slug ?? []).sort()).toEqual([
      `${prefix}/index`,
      `${prefix}/offer`,
      `${prefix}/quiz/finder`,
    ]);
    const all = JSON.stringify(desk.emulator.records());
    const live = `http://mugs-example.localhost:${portOf(desk)}`;
    expect(all).toContain(`Go on to ${live}/${prefix}/offer?from=home.`);
    expect(all).toContain(`${live}/${prefix}/quiz/finder`);
    expect(all.split(`https://other.example/offer, and ${live}/offering`).length).toBeGreaterThan(2);
    expect(up).toContain("left out: Hook leads");
    expect(up).toContain("left out: VideoPlayer welcome");
    expect(up).toContain("left out: Page offer: its option protect");
    // A left-out hook has no token, and that is no fault of the program.
    expect(up).not.toContain("will not show as a stack output");
    expect(up).toMatch(/Outputs\n[^]*\n {2}token +null\n/);
    expect(touched(before, account.holds())).toEqual([]);
  });

  test("again plans nothing", async () => {
    const again = await account.env("up", "--pr", "12", "--yes", "--commit", "abc", "--json");
    expect(again.code, again.stderr).toBe(0);
    const { counts } = JSON.parse(again.stdout) as JsonReport;
    expect({ ...counts, same: 0 }).toMatchObject({ create: 0, adopt: 0, update: 0, replace: 0, delete: 0 });
  });

  test("what a colleague deleted or edited in the builder is named, and the way on works", async () => {
    const { desk } = account;
    const idOf = (name: string): string => account.ofPreview("pr-12").find((one) => one.name.endsWith(name))?.id ?? "";
    await inTheApp(desk, "DELETE", `/pages/${idOf(" Home")}`);
    await editInApp(desk, idOf(" Offer"), { "hero.cta.text": "By a colleague" });
    desk.edit("landform.yaml", "Hello", "Hello again");
    desk.edit("landform.yaml", "hero.title: Mugs", "hero.title: Better mugs");
    expect(await outputOf(3, account.env("up", "--pr", "12", "--yes", "--commit", "abc"))).toContain(
      "run preview and up with --refresh",
    );
    expect(await outputOf(1, account.env("up", "--pr", "12", "--yes", "--commit", "abc", "--refresh"))).toContain(
      "--foreign-edits include",
    );
    await outputOf(0, account.env("up", "--pr", "12", "--yes", "--commit", "abc", "--foreign-edits", "include"));
    desk.write("landform.yaml", manifest(portOf(desk)));
    await outputOf(0, account.env("up", "--pr", "12", "--yes", "--commit", "abc"));
    expect(touched(before, account.holds())).toEqual([]);
  });

  test("its stack is refused to a run that is no preview, before anything is sent", async () => {
    const { desk } = account;
    const now = account.holds();
    for (const args of [["up", "--yes", "--force"], ["preview"]]) {
      expect(await outputOf(3, desk.run([...args, "--stack", "pr-12"]))).toContain(
        "pr-12 is a preview environment, and this is no preview of it. Nothing was sent.",
      );
    }
    expect(account.holds()).toBe(now);
  });

  test("a changed text changes nothing of the base", async () => {
    const { desk } = account;
    desk.edit("landform.yaml", "hero.title: Mugs", "hero.title: Better mugs");
    await outputOf(0, account.env("up", "--pr", "12", "--yes", "--commit", "def"));
    expect(touched(before, account.holds())).toEqual([]);
  });

  test("a broken program is no obstacle on the way down, and nothing is left", async () => {
    const { desk } = account;
    desk.edit("landform.yaml", "pages:", "pagess:");
    await outputOf(0, account.env("down", "--pr", "12", "--yes"));
    expect(account.holds()).toBe(before);
    await outputOf(0, account.env("down", "pr-12", "--yes"));
    write(desk);
    await outputOf(0, desk.run(["preview", "--stack", BASE, "--refresh", "--detailed-exitcode"]));
  });
});

/** Returns the earlier records that are gone or changed. */
function touched(before: string, after: string): string[] {
  const now = new Set(flat(after));
  return flat(before).filter((record) => !now.has(record));
}

function flat(holds: string): string[] {
  const records = Object.values(JSON.parse(holds) as Record<string, { id: string }[]>).flat();
  return records.map((record) => JSON.stringify(record));
}

describe("without a base", { timeout: 60_000 }, () => {
  test("an up fails with a clear error and sends nothing; with --project and --site it makes a preview", async () => {
    const account = await accountWith(
      (desk) => desk.write("landform.yaml", manifest(portOf(desk))),
      { seed: "demo" },
      { apply: false },
    );
    try {
      expect(await outputOf(4, account.env("up", "--branch", "Feature/X", "--yes"))).toMatch(
        /--project ID and --site NAME/,
      );
      expect(
        await outputOf(4, account.env("up", "--pr", "1", "--yes", "--project", "Demo", "--site", "nope")),
      ).toContain('no site named "nope"');
      expect(account.desk.writes()).toEqual([]);
      expect((await account.env("list", "--json")).stdout.trim()).toBe("[]");
      const before = account.holds();
      // A process of the program keeps the account that its lookups asked.
      const place = ["--project", "Demo", "--site", "demo.example"];
      await outputOf(0, account.desk.apart(["env", "up", "--branch", "Feature/X", "--yes", ...place]));
      expect(touched(before, account.holds())).toEqual([]);
      rmSync(account.desk.path("landform.yaml"));
      account.desk.write("landform.yaml", "landform: 1\nname: mugs\n");
      await outputOf(0, account.env("down", "--branch", "Feature/X", "--yes"));
      expect(account.holds()).toBe(before);
    } finally {
      await account.desk.close();
    }
  });
});
