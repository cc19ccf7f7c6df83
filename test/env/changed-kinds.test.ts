// @module-tag thorough
/** `env up --changed` with its other options, for other kinds than pages, and for a program: the copies alone, and nothing of the base. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SYSTEM_PATH } from "../cli/harness.ts";
import type { NearDesk } from "../cli/near-desk.ts";
import { textsInApp } from "../suite/app.ts";
import { forAllTests, inTest } from "../suite/opened.ts";
import { onBothEngines } from "../suite/parts.ts";
import { Account, BASE, mugs, NOTHING, page } from "./desk.ts";

const QUICKSTART = join(import.meta.dirname, "../../examples/quickstart");
const CHANGED = ["--pr", "1", "--changed"];

type Parts = { title?: string; question?: string; target?: string };

function shop({ title = "Mugs", question = "Which mug is yours?", target = "leads" }: Parts = {}): string {
  const at = (content: string, slug: string): string =>
    `content: { ${content} }, publish: { site: mugs, slug: "${slug}" }`;
  return mugs(`pages:
${page("home", "Home", at("hero.title: Hello, hero.cta.url: /finder", ""))}${page("offer", "Offer", at(`hero.title: ${title}, hero.cta.url: /terms`, "offer"))}${page("guide", "Guide", at("hero.text: { ref: pages.offer.url }", "guide"))}${page("terms", "Terms", at("hero.title: Terms", "terms"))}
quizzes:
  finder: { name: Finder, project: spring, template: { id: tpl-quiz-product }, variables: { brand: Mugs, product_count: "3" }, content: { hero.title: "${question}" }, publish: { site: mugs, slug: finder } }
hooks:
  leads: { eventType: form_lead.created, targetUrl: "https://hooks.example.com/${target}" }
`);
}

/** Brings a preview up twice, and returns the names of its copies. The second run plans nothing. */
async function copiesOf(account: Account, ...args: string[]): Promise<string[]> {
  await account.up(...CHANGED, ...args);
  expect((await account.up(...CHANGED, ...args)).counts).toMatchObject(NOTHING);
  return account
    .ofPreview("pr-1")
    .map(({ name }) => name.replace(/^\S+ /, ""))
    .sort();
}

async function endsWithoutATrace(account: Account): Promise<void> {
  await account.down("--pr", "1");
  expect(isThere(account.holds())).toBe(isThere(account.before));
}

/** Leaves out ended subscriptions, which stay as records. */
function isThere(holds: string): string {
  const records = JSON.parse(holds) as Record<string, { active?: boolean }[]>;
  return JSON.stringify(Object.values(records).map((all) => all.filter(({ active }) => active !== false)));
}

describe("a preview of what changed", { timeout: 240_000 }, () => {
  const account = forAllTests(() => Account.of(shop()));
  const linkOf = async (name: string): Promise<string | undefined> => {
    const { id = "" } = account.ofPreview("pr-1").find((one) => one.name.endsWith(` ${name}`)) ?? {};
    const texts = await textsInApp(account.desk, id);
    return texts["hero.cta.url"];
  };

  test("as drafts has no public address; what leads to a copy leads to its draft, all else to public pages", async () => {
    account.desk.declare(shop({ title: "Better mugs" }));
    expect(await copiesOf(account, "--drafts")).toEqual(["Guide", "Offer"]);
    expect(account.ofPreview("pr-1").map(({ slug }) => slug)).toEqual([null, null]);
    expect(await linkOf("Offer")).toBe("/terms");
    await endsWithoutATrace(account);
  });

  test("has a changed quiz, and the page that leads to it", async () => {
    account.desk.declare(shop({ question: "Which one?" }));
    expect(await copiesOf(account)).toEqual(["Finder", "Home"]);
    expect(await linkOf("Home")).toMatch(/^\/pr-1-\w{10}\/finder$/);
    await endsWithoutATrace(account);
  });

  test("shows a changed hook on request alone, and never touches the base's", async () => {
    account.desk.declare(shop({ target: "others" }));
    expect(await account.says(0, "up", ...CHANGED, "--yes")).toContain("there is no preview pr-1");
    const hooks = (): string[] => {
      const all = account.desk.emulator.records()["hooks"] as { active: boolean; targetUrl: string }[] | undefined;
      return (all ?? []).flatMap(({ active, targetUrl }) => (active ? [targetUrl.replace(/.*\//, "")] : []));
    };
    expect(hooks()).toEqual(["leads"]);
    await copiesOf(account, "--hooks");
    expect(hooks().sort()).toEqual(["leads", "others"]);
    await endsWithoutATrace(account);
  });

  test("with hooks has none that the change leaves alone", async () => {
    account.desk.declare(shop({ title: "Better mugs" }));
    const { counts } = await account.up(...CHANGED, "--hooks");
    expect(counts).toMatchObject({ create: 2 });
    await endsWithoutATrace(account);
    account.desk.declare(shop());
    await account.desk.plansNothing("--stack", BASE, "--refresh");
  });
});

onBothEngines((engine, path) => {
  test("of a program copies the page that it changes, and the funnel", { timeout: 240_000 }, async () => {
    const declare = (desk: NearDesk): void => cpSync(QUICKSTART, desk.folder, { recursive: true });
    const account = await inTest(Account.open(declare, { apply: false }));
    const { desk } = account;
    desk.also.env = { PATH: path(SYSTEM_PATH) };
    await desk.up("--stack", BASE);
    account.before = account.holds();
    desk.edit("index.ts", "A mug worth getting up for", "A mug worth waiting for");
    const { engine: ran, outputs } = await account.up(...CHANGED);
    expect(ran).toMatchObject({ name: engine });
    expect(outputs["offerUrl"]).toMatch(/\/pr-1-[a-z0-9]{10}\/offer$/);
    expect(outputs["thanksUrl"]).toMatch(/^[^/]+\/\/[^/]+\/thanks$/);
    expect(await copiesOf(account)).toEqual(["Offer", "Spring"]);
    await endsWithoutATrace(account);
  });
});
