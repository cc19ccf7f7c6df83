/** A run leaves objects in the account (`retainOnDelete`): its undo takes the same ones back, and makes nothing twice. */
import { expect, test } from "vitest";
import { editInApp, textsInApp } from "../suite/app.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { NearDesk } from "./near-desk.ts";

const KEPT = "options: { retainOnDelete: true }";
const PROJECT = `projects: { shop: { description: "${"A shop for mugs. ".repeat(4)}", context: "${"People drink from them. ".repeat(10)}" } }`;
const base = ["landform: 1", "name: kept", "sites: { main: { name: kept.example } }", PROJECT];
const HOOK = `hooks: { leads: { eventType: form_lead.created, targetUrl: "https://8.8.8.8/leads", ${KEPT} } }`;
const WHOLE = [
  ...base,
  `products: { mug: { project: shop, price: 12, ${KEPT} } }`,
  "pages:",
  `  public: { template: tpl-hero, variables: { brand: A }, content: { hero.title: One }, publish: { site: main, slug: offer }, ${KEPT} }`,
  `  draft: { template: tpl-hero, variables: { brand: A }, ${KEPT} }`,
  `quizzes: { fit: { template: tpl-quiz-product, ${KEPT} } }`,
  `funnels: { way: { project: shop, steps: [ { page: public, pageType: presell } ], ${KEPT} } }`,
  HOOK,
  "",
].join("\n");
/** The same with another object for each resource. */
const OTHER = WHOLE.replaceAll("tpl-hero", "tpl-presell")
  .replace("hero.title: One", "offer.title: Two")
  .replace("slug: offer", "slug: other")
  .replace("tpl-quiz-product", "tpl-quiz-plan")
  .replace("8.8.8.8/leads", "8.8.8.8/others");
const REST = [...base, ""].join("\n");

onBothEngines((engine, path) => {
  const desk = NearDesk.each(engine, path);
  const all = (): Record<string, unknown> =>
    Object.fromEntries(
      ["pages", "products", "funnels", "hooks"].map((kind) => [
        kind,
        desk
          .rows(kind)
          .map(({ id, name, pageName, slug, active }) => [id, pageName ?? name, slug, active])
          .sort(),
      ]),
    );

  test("after a removal from the code", async () => {
    desk.declare(WHOLE);
    await desk.applies();
    const before = all();
    desk.declare(REST);
    await desk.applies();
    expect(all()).toEqual(before);
    const undone = await desk.says(0, "undo", "--yes");
    expect(all()).toEqual(before);
    expect(undone).toMatch(/= Product mug/);
    expect(undone).toContain("Product mug: declare it again");
    desk.declare(WHOLE);
    await desk.plansNothing();
    // The undo of that undo leaves them again.
    await desk.says(0, "undo", "--yes");
    expect(all()).toEqual(before);
  });

  test("edits of people stay on an object that the undo of its creation only lets go", async () => {
    desk.declare(REST);
    await desk.applies();
    desk.declare(WHOLE);
    await desk.applies();
    const before = all();
    await desk.edits("public", { "hero.title": "PERSON" });
    await desk.says(0, "undo", "--yes", "--force");
    expect(all()).toEqual(before);
    expect(await desk.drafts("public", "hero.title")).toBe("PERSON");
    desk.declare(REST);
    await desk.plansNothing();
  });

  thorough("edits of people stay on an object that the undo of a replacement only lets go", async () => {
    desk.declare(WHOLE);
    await desk.applies();
    desk.declare(OTHER);
    await desk.applies("--force");
    const after = all();
    const id = String(desk.rows("pages").find(({ slug }) => slug === "other")?.id);
    await editInApp(desk, id, { "offer.title": "PERSON" });
    await desk.says(0, "undo", "--yes", "--force");
    expect(all()).toEqual(after);
    expect(await textsInApp(desk, id)).toMatchObject({ "offer.title": "PERSON" });
    desk.declare(WHOLE);
    await desk.plansNothing();
  });

  thorough("after the destruction of the stack, whose code still declares them", async () => {
    desk.declare(WHOLE);
    await desk.applies();
    const before = all();
    await desk.says(0, "destroy", "--yes", "--force");
    const undone = await desk.says(0, "undo", "--yes", "--force");
    expect(all()).toEqual(before);
    expect(undone).not.toContain("declare it again");
    await desk.plansNothing();
  });

  thorough("after a replacement, as often as it is undone", async () => {
    desk.declare(WHOLE);
    await desk.applies();
    desk.declare(OTHER);
    // The old page stays public.
    expect(await desk.applies("--force")).not.toMatch(/- http/);
    const after = all();
    const undone = await desk.says(0, "undo", "--yes", "--force");
    expect(all(), undone).toEqual(after);
    desk.declare(WHOLE);
    await desk.plansNothing();
    await desk.says(0, "undo", "--yes", "--force");
    expect(all()).toEqual(after);
    desk.declare(OTHER);
    await desk.plansNothing();
  });

  thorough("one that somebody deleted since is made anew", async () => {
    desk.declare(WHOLE);
    await desk.applies();
    desk.declare(REST);
    await desk.applies();
    const [{ id = "" } = {}] = desk.rows("products") as { id?: string }[];
    await desk.app("DELETE", `/products/${id}`);
    const undone = await desk.says(0, "undo", "--yes");
    expect(undone).toMatch(/\+ Product mug/);
    expect(desk.rows("products")).toHaveLength(1);
    expect(desk.rows("pages")).toHaveLength(3);
    desk.declare(WHOLE);
    await desk.plansNothing();
  });
});
