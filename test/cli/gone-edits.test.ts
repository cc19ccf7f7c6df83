/** Values that people changed in the app, of objects that a plan takes away: the plan names each of them, and an undo brings them back. */
import { expect, test } from "vitest";
import { BRIEF, hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const THEIRS = { url: "https://people.example/x", pageType: "upsell" };
const OTHERS = `funnels: { f: { name: Spring, steps: [{ page: b, pageType: sales }] } }
products: { mug: { price: 1, ctaText: Buy } }
projects: { proj: { name: Proj, description: "${BRIEF}", context: "${BRIEF}" } }
`;

/** Somebody changes values of each object in the app, declared and undeclared ones. */
async function changeAll(): Promise<void> {
  await desk.edits("a", { "hero.title": "HERS" });
  await desk.app("PATCH", "/pages/metadata", { page_id: desk.page("a"), name: "Hers" });
  await desk.publishes("Hers", "people");
  const [funnel, product, project] = ["funnels", "products", "projects"].map((kind) => desk.rows(kind)[0]?.id);
  await desk.app("PATCH", "/funnels", { funnel_id: funnel, name: "Fall", pages: [THEIRS] });
  await desk.app("PATCH", "/products", { product_id: product, price: 7, sku: "SKU" });
  await desk.app("PATCH", `/projects/${String(project)}`, { name: "Their project" });
}

function namesAll(plan: string): void {
  expect(plan).toMatch(/Page a +page_\w+ +http\S+\/people\n/);
  expect(plan).not.toMatch(/\/a\b/);
  expect(plan).toMatch(/name: "a" at the last run, "Hers" in the app\n.*publish\.slug: "a" at the last run, "people"/);
  expect(plan).toMatch(/loses values of Funnel f\..*\n.*name: "Spring" at the last run, "Fall" in the app\n.*steps/);
  expect(plan).toMatch(
    /loses values of Product mug\..*\n.*sku: nothing at the last run, "SKU" in the app\n.*price: 1 at/,
  );
  expect(plan).toMatch(/loses values of Project proj\..*\n.*name: "Proj" at the last run, "Their project" in the app/);
}

test("a plan names the changed values of each object that goes, and the address where visitors find a page", async () => {
  await desk.declare(sited([hero("a", { title: "Code" }), hero("b")], OTHERS)).applies();
  expect(await desk.declare(sited([hero("b")])).plan()).not.toContain("loses values");
  await changeAll();
  desk.writes();
  namesAll(await desk.plan());
  const reads = desk.emulator.requests.map(({ method, path }) => `${method} ${path}`);
  expect(reads.filter((call) => call === `GET /pages/${desk.page("Hers")}`)).toHaveLength(1);
  expect(await desk.json("preview")).toMatchObject({ impact: { urls: [{ effect: "delete", page: "a" }] } });
  namesAll(await desk.applies());
  await desk.undo();
  expect(desk.rows("products")).toMatchObject([{ price: 7, sku: "SKU" }]);
  expect(desk.rows("funnels")).toMatchObject([{ name: "Fall", steps: [THEIRS] }]);
  expect(await desk.visited("sited-example/people")).toContain("HERS");
});

test("a destroy names them, too", async () => {
  await desk.declare(sited([hero("a", { title: "Code" }), hero("b")], OTHERS)).applies();
  await changeAll();
  namesAll((await desk.says(0, "destroy", "--yes")).replace(/.*Page b .*\n/, ""));
});

test("a page that somebody alone has published is named with its address", async () => {
  await desk.declare(sited([hero("b")], "  a: { template: tpl-hero, variables: { brand: Acme } }\n")).applies();
  await desk.publishes("a", "people");
  expect(await desk.declare(sited([hero("b")])).plan()).toMatch(/Public pages\n +- http\S+\/people \(a\)/);
  await desk.applies();
});

test("a replaced object's changed values are named, and the undo brings them back", async () => {
  const brand = "Acme, product: Mug, support_email: help@a.example";
  await desk.declare(sited([hero("a", { title: "Code", brand })])).applies();
  await desk.edits("a", { "hero.title": "HERS" });
  await desk.app("PATCH", "/pages/metadata", { page_id: desk.page("a"), name: "Hers" });
  await desk.publishes("Hers", "people");
  const plan = await desk.code("tpl-hero", "tpl-sales").plan();
  expect(plan).toMatch(/Public pages\n +- http\S+\/people \(a\)\n +\+ http\S+\/a \(a\)/);
  expect(plan).toMatch(/hero\.title "HERS"[^]*name: "a" at the last run, "Hers" in the app, "a" in the code/);
  await desk.applies();
  expect(await desk.undo()).toMatch(/\+ http\S+\/people/);
  expect(await desk.visited("sited-example/people")).toContain("HERS");
  expect(desk.rows("pages")).toMatchObject([{ pageName: "Hers" }]);
});

test("a preview that is refused because somebody deleted one page tells what waits on the others", async () => {
  await desk.declare(sited([hero("a", { title: "A" }), hero("b", { title: "B" })])).applies();
  await desk.edits("b", { "hero.note": "HERS" });
  await desk.app("DELETE", `/pages/${desk.page("a")}`);
  const said = await desk.declare(sited([hero("a", { title: "A2" }), hero("b", { title: "B2" })])).says(3, "preview");
  expect(said).toMatch(/error: Page a: somebody deleted page/);
  expect(said).toMatch(/holds back Page b.*\n.*hero\.note "HERS"/);
  expect(said).not.toContain("could not ask");
});

test("a page that somebody has deleted before takes no address from visitors", async () => {
  await desk.declare(sited([hero("a", { title: "A" }), hero("b", { title: "B" })])).applies();
  await desk.app("DELETE", `/pages/${desk.page("a")}`);
  const said = await desk.declare(sited([hero("b", { title: "B" })])).plan();
  expect(said).toMatch(/- Page a +page_\w+\n/);
  expect(said).not.toContain("Public pages");
  await desk.applies();
});
