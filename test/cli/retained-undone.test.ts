/** A run leaves objects in the account (`retainOnDelete`): its undo takes the same ones back, and makes nothing twice. */
import { expect, test } from "vitest";
import { editInApp, textsInApp } from "../suite/app.ts";
import { onBothEngines, thorough } from "../suite/parts.ts";
import type { Row } from "./harness.ts";
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
  const shown = ({ id, name, pageName, slug, active }: Row): unknown => [id, pageName ?? name, slug, active];
  const all = (): unknown => ["pages", "products", "funnels", "hooks"].map((kind) => desk.rows(kind).map(shown).sort());

  test("after a removal from the code", async () => {
    await desk.declare(WHOLE).applies();
    const before = all();
    await desk.declare(REST).applies();
    expect(all()).toEqual(before);
    const undone = await desk.undo();
    expect(all()).toEqual(before);
    expect(undone).toMatch(/= Product mug/);
    expect(undone).toContain("Product mug: declare it again");
    await desk.declare(WHOLE).plansNothing();
    // The undo of that undo leaves them again.
    await desk.undo();
    expect(all()).toEqual(before);
  });

  test("edits of people stay on an object that the undo of its creation only lets go", async () => {
    await desk.declare(REST).applies();
    await desk.declare(WHOLE).applies();
    const before = all();
    await desk.edits("public", { "hero.title": "PERSON" });
    await desk.undo("--force");
    expect(all()).toEqual(before);
    expect(await desk.drafts("public", "hero.title")).toBe("PERSON");
    await desk.declare(REST).plansNothing();
  });

  thorough("edits of people stay on an object that the undo of a replacement only lets go", async () => {
    await desk.declare(WHOLE).applies();
    await desk.declare(OTHER).applies("--force");
    const after = all();
    const id = String(desk.rows("pages").find(({ slug }) => slug === "other")?.id);
    await editInApp(desk, id, { "offer.title": "PERSON" });
    await desk.undo("--force");
    expect(all()).toEqual(after);
    expect(await textsInApp(desk, id)).toMatchObject({ "offer.title": "PERSON" });
    await desk.declare(WHOLE).plansNothing();
  });

  thorough("after the destruction of the stack, whose code still declares them", async () => {
    await desk.declare(WHOLE).applies();
    const before = all();
    await desk.says(0, "destroy", "--yes", "--force");
    const undone = await desk.undo("--force");
    expect(all()).toEqual(before);
    expect(undone).not.toContain("declare it again");
    await desk.plansNothing();
  });

  thorough("after a replacement, as often as it is undone", async () => {
    await desk.declare(WHOLE).applies();
    // The old page stays public.
    expect(await desk.declare(OTHER).applies("--force")).not.toMatch(/- http/);
    const after = all();
    const undone = await desk.undo("--force");
    expect(all(), undone).toEqual(after);
    await desk.declare(WHOLE).plansNothing();
    await desk.undo("--force");
    expect(all()).toEqual(after);
    await desk.declare(OTHER).plansNothing();
  });

  thorough("one that somebody deleted since is made anew", async () => {
    await desk.declare(WHOLE).applies();
    await desk.declare(REST).applies();
    const [{ id = "" } = {}] = desk.rows("products") as { id?: string }[];
    await desk.app("DELETE", `/products/${id}`);
    expect(await desk.undo()).toMatch(/\+ Product mug/);
    expect(desk.rows("products")).toHaveLength(1);
    expect(desk.rows("pages")).toHaveLength(3);
    await desk.declare(WHOLE).plansNothing();
  });
});
