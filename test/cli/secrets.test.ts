/**
 * Secrets of the code. A plan shows neither them nor the values of others that stand in their places, and a saved one holds only for those it was made
 * with. They stand in no file of the state and on no screen, under whatever name an output shows them.
 */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Code = Readonly<{ template?: string; tags?: string; receiver?: string }>;

describe("another secret than the one that was reviewed is refused, also of a new object", () => {
  const desk = NearDesk.all();
  const declare = (
    { template = "tpl-thankyou", tags = "first", receiver = "first" }: Code,
    TITLE: string,
  ): NearDesk => {
    desk.also.env = { TITLE };
    return desk.declare(`landform: 1
name: reviewed
hooks: { leads: { eventType: form_lead.created, targetUrl: "https://${receiver}.example.com/in" } }
pages: { thanks: { template: ${template}, tags: [${tags}], variables: { brand: B, support_email: a@b.example }, content: { hero.title: { env: TITLE, secret: true } } } }
`);
  };

  beforeAll(() => declare({}, "canary-one").clean("up", "--yes"));

  async function refused(reviewed: Code, [planned, now]: [string, string], today: Code): Promise<void> {
    await declare(reviewed, planned).plan("--save", "plan.json");
    const told = await declare(today, now).sendsNothing(3, "up", "--plan", "plan.json");
    expect(told).toContain("secret");
    for (const text of [planned, now]) expect(told + desk.read("plan.json")).not.toContain(text);
  }

  test("of a hook, which every change makes anew", () =>
    refused({ receiver: "canary-four" }, ["canary-one", "canary-one"], { receiver: "canary-five" }));

  thorough("that is what it was, beside another change", () =>
    refused({ tags: "second" }, ["canary-two", "canary-one"], { tags: "second" }),
  );

  thorough("and the one that was reviewed is applied", async () => {
    await declare({ template: "tpl-webinar", receiver: "canary-four" }, "canary-two").plan("--save", "plan.json");
    await desk.clean("up", "--plan", "plan.json");
    await desk.plansNothing();
  });
});

const PLANNED = `landform: 1
name: planned
sites: { s: { name: planned.example } }
pages:
  other: { template: tpl-thankyou, variables: { brand: Mugs, support_email: a@b.example } }
  pg: { template: tpl-hero, content: { hero.title: { env: TITLE, secret: true }, hero.text: { ref: pages.other.pageName } }, variables: { brand: Mugs }, publish: { site: s, slug: x } }
`;

const PRODUCT =
  "products: { mug: { price: 1, ctaText: { env: TITLE, secret: true }, variants: [{ id: a, name: { env: TITLE, secret: true } }] } }\n";

const HIDDEN = /to hide|of others/;
const FILES = ["--json", "p.json", "--markdown", "p.md", "--html", "p.html"];

onBothEngines((engine, path) => {
  const desk = NearDesk.each();
  beforeEach(() => desk.declare(PLANNED));

  async function ends(expected: number, TITLE: string, ...args: string[]): Promise<string> {
    const said = await desk.on(engine, path).saysWith({ TITLE }, expected, ...args);
    expect(said).not.toMatch(HIDDEN);
    for (const file of FILES.filter((one) => args.includes(one) && !one.startsWith("--")))
      expect(desk.read(file)).not.toMatch(HIDDEN);
    return said;
  }

  const run = (TITLE: string, ...args: string[]): Promise<string> => ends(0, TITLE, ...args);

  async function editedByOthers(): Promise<void> {
    await run("One to hide", "up", "--yes");
    await editInApp(desk, desk.page("pg"), { "hero.title": "Words of others" });
  }

  test("a plan hides the edit of a secret, on the screen and in every file", async () => {
    await editedByOthers();
    const files = [...FILES, "--save", "plan.json"];
    const options = ["--foreign-edits", "include"];
    for (const more of [files, [...files, "--refresh"], [...files, ...options]]) {
      expect(await run("Two to hide", "preview", ...more)).toContain("hero.title");
      expect(desk.read("plan.json")).not.toMatch(HIDDEN);
    }
    await run("Two to hide", "up", "--plan", "plan.json");
    await run("Two to hide", "preview", "--detailed-exitcode");
  });

  const buys = (cta_text: string): Promise<unknown> =>
    desk.app("PATCH", "/products", { product_id: desk.rows("products")[0]?.id, cta_text });

  async function changedByOthers(): Promise<void> {
    await buys("Words of others");
    await desk.edits("pg", { "hero.title": "Words of others" });
  }

  test("a reviewed deletion that no longer holds hides them, and so does the plan of it", async () => {
    desk.declare(PLANNED + PRODUCT);
    await run("One to hide", "up", "--yes");
    desk.declare(PLANNED.replace(/ {2}pg: .*\n/, ""));
    await run("One to hide", "preview", "--save", "plan.json");
    await changedByOthers();
    const refused = await ends(3, "One to hide", "up", "--plan", "plan.json", ...FILES);
    expect(refused).toContain('Page pg: content["hero.title"] is [secret] now, and nobody reviewed that');
    expect(refused).toContain("Product mug: ctaText is [secret] now, and nobody reviewed that");
    await desk.publishes("pg", "x");
    expect(await run("One to hide", "preview", ...FILES)).toMatch(/lose texts of Page pg[^]*hero\.title "\[secret\]"/);
    expect(await run("One to hide", "up", "--yes")).toMatch(/loses values of Product mug[^]*ctaText: a secret/);
    await run("One to hide", "preview", "--detailed-exitcode");
  });

  test("a review holds for the hidden values that it saw, and for no later ones", async () => {
    desk.declare(PLANNED + PRODUCT);
    await run("One to hide", "up", "--yes");
    await changedByOthers();
    const save = ["preview", "--foreign-edits", "include", "--save", "plan.json"];
    await run("Two to hide", ...save);
    await buys("Later words of others");
    const refused = await ends(3, "Two to hide", "up", "--plan", "plan.json");
    expect(refused).toContain("Product mug: ctaText is another [secret] in the account");
    await run("Two to hide", ...save);
    await run("Two to hide", "up", "--plan", "plan.json");
    await run("Two to hide", "preview", "--detailed-exitcode");
  });

  test("an undo hides them: its conflicts, and what it brings back", async () => {
    desk.declare(PLANNED + PRODUCT);
    await run("One to hide", "up", "--yes");
    await changedByOthers();
    const refused = await ends(3, "One to hide", "undo", "--yes", ...FILES);
    expect(refused).toContain('Page pg: content was changed by hand ({"hero.text":"other","hero.title":"[secret]"})');
    await desk.publishes("pg", "x");
    await run("Two to hide", "up", "--yes", "--foreign-edits", "include");
    const undone = await run("Two to hide", "undo", "--yes", ...FILES);
    expect(undone).toMatch(/ctaText +\[secret\] → another \[secret\]\n/);
    expect(undone).toMatch(/content\["hero.title"\] +\[secret\] → another \[secret\]\n/);
    expect(desk.rows("products")).toMatchObject([{ ctaText: "Words of others" }]);
    await run("Two to hide", "up", "--yes", "--foreign-edits", "include");
    await run("Two to hide", "preview", "--detailed-exitcode");
    await run("Three to hide", "up", "--yes");
    await changedByOthers();
    await ends(3, "Three to hide", "undo", "--yes");
    expect(await run("Three to hide", "undo", "--yes", "--skip-conflicts", ...FILES)).toContain(
      "Undo leaves Product mug ctaText alone: changed by hand; it is [secret] now",
    );
  });

  test("after an undo, the next plan hides the secret and no other key", async () => {
    await editedByOthers();
    await run("Two to hide", "up", "--yes", "--foreign-edits", "include");
    expect(await run("Two to hide", "undo", "--yes")).toContain('draft["hero.title"]');
    desk.declare(PLANNED.replace("{ ref: pages.other.pageName }", "Behind"));
    const plan = await run("Two to hide", "preview");
    expect(plan).toMatch(/content\["hero.title"\] +\[secret\] → another \[secret\]/);
    expect(plan).toMatch(/content\["hero.text"\] +"other" → "Behind"/);
    await run("Two to hide", "up", "--yes", "--foreign-edits", "include");
    await run("Two to hide", "preview", "--detailed-exitcode");
  });
});

const desk = NearDesk.each();

const SECRET = /hidden-[a-z]+/g;

/** Returns everything that the run wrote below its folder, except the code. */
function written(): string {
  const files = readdirSync(desk.folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile() && /[/\\]\.pulumi\b/.test(one.parentPath) && !one.parentPath.includes("node_modules"),
  );
  expect(files.length).toBeGreaterThan(0);
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")).join("\n");
}

/** Applies the code, looks again, and returns all that is shown and written. No secret is in it. */
async function shown(env: Record<string, string> = {}): Promise<string> {
  desk.also.env = env;
  const told = [
    await desk.clean("up", "--yes", "--json", "up.json", "--markdown", "up.md"),
    await desk.clean("refresh", "--yes"),
    await desk.clean("output"),
    await desk.clean("history"),
  ];
  const all = [...told, desk.read("up.json"), desk.read("up.md"), written()].join("\n");
  expect([...new Set(all.match(SECRET))]).toEqual([]);
  return all;
}

test("in landform.yaml", async () => {
  desk.declare(`landform: 1
name: repeated
sites: { s: {}, other: { name: { env: SITE, secret: true } } }
pages:
  a:
    name: { env: NAME, secret: true }
    template: { lookup: { name: Product launch } }
    variables: { brand: { env: BRAND, secret: true } }
    publish: { site: s, slug: { env: SLUG, secret: true } }
  open: { name: Open name }
funnels: { f: { steps: [{ url: { env: STEP, secret: true }, pageType: sales }] } }
outputs: { named: pages.a.pageName, at: pages.a.slug }
`);
  const env = { SITE: "hidden-site", NAME: "hidden-name", SLUG: "hidden-slug", BRAND: "hidden-brand" };
  expect(await shown({ ...env, STEP: "https://x.example/hidden-step" })).toContain("Open name");
});

const SITED = `landform: 1
name: sited
sites: { s: { name: { env: SITE, secret: true } }, plain: { name: plain.example } }
pages:
  a: { name: Open name, template: { lookup: { name: Product launch } }, variables: { brand: Mugs }, publish: { site: s, slug: a } }
  b: { name: Plain name, template: { lookup: { name: Product launch } }, variables: { brand: Mugs }, publish: { site: plain, slug: b } }
  c: { name: Released, template: { lookup: { name: Product launch } }, variables: { brand: Mugs }, publish: { site: plain, slug: { env: SLUG, secret: true } } }
releases: { r: { pages: [c] } }
funnels: { f: { steps: [{ page: a, pageType: sales }, { page: c, pageType: thankyou }] } }
outputs: { site: pages.a.siteName, plain: pages.b.siteName }
`;

thorough("in what shows another resource: the site of a page, the pages of a release", async () => {
  desk.declare(SITED);
  expect(await shown({ SITE: "hidden-site", SLUG: "hidden-slug" })).toMatch(/"siteName": ?"plain.example"/);
});

thorough("in a program, of what shows another resource", async () => {
  desk.program(`import * as pulumi from "@pulumi/pulumi";
const site = new landform.Site("s", { name: pulumi.interpolate\`\${pulumi.secret("hidden-site")}.example\` });
const plain = new landform.Site("plain", { name: "plain.example" });
const common = { templateId: "tpl-hero", variables: { brand: "Mugs" } };
const a = new landform.Page("a", { ...common, publish: site.id.apply((siteId) => ({ siteId, slug: "a" })) });
new landform.Page("b", { ...common, publish: { siteId: plain.id, slug: "b" } });
new landform.Page("d", { ...common, siteId: site.id });
new landform.Release("r", {
  pages: () => ({ c: new landform.Page("c", { ...common, publish: { siteId: plain.id, slug: pulumi.secret("hidden-slug") } }) }),
});
export const at = a.siteName;`);
  expect(await shown()).toMatch(/"siteName": ?"plain.example"/);
});

test("in a program, whenever it is known to be secret", async () => {
  desk.program(`import * as pulumi from "@pulumi/pulumi";
const site = new landform.Site("s", {});
const variables = { brand: "Mugs" };
const later = pulumi.output(new Promise<string>((resolve) => setTimeout(resolve, 300, "hidden-later")));
const made = new landform.Page("made", { name: pulumi.secret("hidden-name") });
new landform.Page("copy", { name: pulumi.interpolate\`\${made.pageName} again\` });
const publish = site.id.apply((siteId) => ({ siteId, slug: pulumi.secret("hidden-slug") }));
new landform.Page("a", { name: later.apply((text) => pulumi.secret(text)), templateId: "tpl-hero", variables, publish });
new landform.Page("open", { name: later.apply(() => "Open name"), templateId: "tpl-hero", variables, publish: { siteId: site.id, slug: "open-slug" } });
new landform.Funnel("f", { steps: [{ url: pulumi.secret("https://x.example/hidden-step"), pageType: "sales" }] });
export const at = made.pageName;`);
  expect(await shown()).toMatch(/"pageName": ?"Open name"/);
});

const funnel = (title: string, brand: string): string => `landform: 1
name: stepped
sites: { s: { name: stepped.example } }
pages:
  pg: { template: tpl-hero, content: { hero.title: ${title} }, variables: { brand: { env: ${brand}, secret: true } }, publish: { site: s, slug: x } }
funnels: { fu: { steps: [{ page: pg, pageType: presell }, { url: { env: CHECKOUT, secret: true }, pageType: sales }] } }
`;

thorough("a page in a funnel with a secret step is changed, looked at and put back as any other", async () => {
  desk.also.env = { CHECKOUT: "https://x.example/hidden-step", ONE: "hidden-one", TWO: "hidden-two" };
  await desk.declare(funnel("Old", "ONE")).up();
  const told = [await desk.declare(funnel("New", "TWO")).plan()];
  expect(told[0]).toContain(`Page pg  ${desk.page("pg")}`);
  told.push(await desk.applies());
  expect(await desk.visited("stepped-example/x")).toContain("hidden-two");
  told.push(await desk.says(0, "undo", "--preview", "--json"), await desk.undo());
  expect(await desk.visited("stepped-example/x")).toContain("hidden-one");
  expect(told.join().match(SECRET)).toBeNull();
  await desk.declare(funnel("Old", "ONE")).plansNothing();
});
