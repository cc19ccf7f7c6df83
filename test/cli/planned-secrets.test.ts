/** A plan shows neither a secret of the code nor the value of others that stands in its place, and hides nothing else. */
import { beforeEach, expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";

const MANIFEST = `landform: 1
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
  beforeEach(() => desk.declare(MANIFEST));

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
    desk.declare(MANIFEST + PRODUCT);
    await run("One to hide", "up", "--yes");
    desk.declare(MANIFEST.replace(/ {2}pg: .*\n/, ""));
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
    desk.declare(MANIFEST + PRODUCT);
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
    desk.declare(MANIFEST + PRODUCT);
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
    desk.declare(MANIFEST.replace("{ ref: pages.other.pageName }", "Behind"));
    const plan = await run("Two to hide", "preview");
    expect(plan).toMatch(/content\["hero.title"\] +\[secret\] → another \[secret\]/);
    expect(plan).toMatch(/content\["hero.text"\] +"other" → "Behind"/);
    await run("Two to hide", "up", "--yes", "--foreign-edits", "include");
    await run("Two to hide", "preview", "--detailed-exitcode");
  });
});
