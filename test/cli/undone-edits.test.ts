/**
 * Values that people changed in the app, of objects that a run changes, takes away or destroys: the plan names each of them, and an undo brings back
 * what the account had, and leaves alone what the run left alone.
 */
import { expect, test } from "vitest";
import { BRIEF, hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import { onBothEngines } from "../suite/parts.ts";

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

const mug = (price: number, ctaText: string) =>
  desk.declare(`landform: 1\nname: test\nproducts: { mug: { price: ${price}, ctaText: ${ctaText} } }\n`);
const prices = (price: number): Promise<unknown> =>
  desk.app("PATCH", "/products", { product_id: desk.rows("products")[0]?.id, price });
const shows = (product: object): void => expect(desk.rows("products")).toMatchObject([product]);

/** The changes of the last run, as the history tells them. */
async function toldOfLast(): Promise<string> {
  const [run = ""] = /\d{8}-\d{6}\.\d+-\w+/.exec(await desk.says(0, "history")) ?? [];
  return desk.says(0, "history", run);
}

test.each([[[]], [["--refresh"]]])(
  "a value that the run left to a colleague is none of the undo (up %s)",
  async (args) => {
    await mug(10, "Buy").applies();
    await prices(12);
    await mug(11, "Order").says(1, "up", "--yes", ...args);
    shows({ price: 12, ctaText: "Order" });
    expect(await toldOfLast()).toMatch(/price +\d+ → 11 {2}\(held back\)/);
    const undone = await desk.undo();
    expect(undone).toMatch(/ctaText +"Order" → "Buy"/);
    expect(undone).not.toContain("price");
    shows({ price: 12, ctaText: "Buy" });
    expect(await mug(11, "Order").says(1, "up", "--yes")).toContain("price");
    shows({ price: 12, ctaText: "Order" });
  },
);

const pages = (...names: string[]): string[] => names.map((name) => hero(name));
const steps = (...names: string[]): string =>
  `funnels: { f: { name: f, steps: [${names.map((page) => `{ page: ${page}, pageType: sales }`).join(", ")}] } }\n`;

test("a colleague's funnel steps come back with the new id of a page that is made anew", async () => {
  await desk.declare(sited(pages("a", "b"), steps("a", "b"))).applies();
  const [{ id = "", steps: own = [] } = {}] = desk.rows("funnels") as { id?: string; steps?: object[] }[];
  await desk.app("PATCH", "/funnels", { funnel_id: id, pages: [...own, THEIRS] });
  await desk.declare(sited(pages("a"), steps("a"))).applies("--foreign-edits", "include");
  await desk.undo();
  expect(desk.rows("funnels")).toMatchObject([
    { steps: [{ pageId: desk.page("a") }, { pageId: desk.page("b") }, THEIRS] },
  ]);
  await desk.declare(sited(pages("a", "b"), steps("a", "b"))).plansNothing();
});

test("an output follows to the page that the run had made again", async () => {
  const declare = (name: string) =>
    desk.program(`
      const site = new landform.Site("site", { name: "a.example" });
      const page = new landform.Page("b", { name: "${name}", siteId: site.id, templateId: "tpl-hero", variables: { brand: "Acme" } });
      export const bId = page.id;`);
  const output = async (): Promise<string> => (await desk.says(0, "output", "bId")).trim();
  await declare("One").applies();
  const first = await output();
  await desk.app("DELETE", `/pages/${first}`);
  await declare("Two").applies("--refresh");
  const second = await output();
  expect(second).not.toBe(first);
  await desk.undo();
  expect(await output()).toBe(second);
});

test("an undo of an undo shows the colleague's value that it writes over", async () => {
  await mug(10, "Buy").applies();
  await prices(11);
  await mug(12, "Buy").applies("--foreign-edits", "include");
  expect(await desk.undo()).toMatch(/price +12 → 11/);
  shows({ price: 11 });
  expect(await desk.undo()).toMatch(/price +11 → 12/);
  shows({ price: 12 });
  await desk.plansNothing();
});

test("a page that is made again is where a person had published it, with her texts", async () => {
  await desk.declare(sited([hero("a", { title: "Code" }), hero("b")])).applies();
  await desk.edits("a", { "hero.title": "HERS", "hero.note": "NOTE" });
  await desk.publishes("a", "people");
  desk.declare(sited(pages("b")));
  expect(await desk.applies()).toMatch(/lose texts of Page a\.[^]*hero\.title "HERS"[^]*hero\.note "NOTE"/);
  await desk.undo();
  expect(await desk.visited("sited-example/people")).toMatch(/HERS[^]*NOTE/);
  await desk.declare(sited([hero("a", { title: "HERS", slug: "people" }), hero("b")])).plansNothing();
});

test("the plan names the address of a person's to which a page goes back", async () => {
  await desk.declare(sited([hero("a")])).applies();
  await desk.publishes("a", "people");
  await desk.applies("--refresh");
  const addresses = /Public pages\n +- http\S+\/a \(a\)\n +\+ http\S+\/people \(a\)/;
  expect(await desk.undo()).toMatch(addresses);
  expect(await desk.visited("sited-example/people")).toContain("<h1");
});

test("a product that is made again has the values of a person", async () => {
  await mug(10, "Buy").applies();
  const theirs = { price: 7, ctaText: "People buy", sku: "SKU" };
  const { ctaText: cta_text, ...rest } = theirs;
  await desk.app("PATCH", "/products", { product_id: desk.rows("products")[0]?.id, cta_text, ...rest });
  await desk.declare("landform: 1\nname: test\nsites: { main: { name: a.example } }\n").applies();
  await desk.undo();
  shows(theirs);
});

test("a retired funnel gets a person's name and steps again", async () => {
  await desk.declare(sited(pages("a"), steps("a"))).applies();
  const own = { pageId: desk.page("a"), pageType: "sales" };
  await desk.app("PATCH", "/funnels", { funnel_id: desk.rows("funnels")[0]?.id, name: "Hers", pages: [own, THEIRS] });
  await desk.declare(sited(pages("a"))).applies();
  await desk.undo();
  expect(desk.rows("funnels")).toMatchObject([{ name: "Hers", steps: [own, THEIRS] }]);
});

test("a text that nobody touched is no edit after an undo that put an edit back into the draft", async () => {
  await desk.declare(sited([hero("p", { title: "One" })])).applies();
  await desk.edits("p", { "hero.title": "Theirs" });
  await desk.code('"One"', '"Two"').applies("--foreign-edits", "include");
  await desk.undo();
  await desk.applies("--foreign-edits", "include");
  expect(await desk.code("content: {", 'content: { hero.note: "New",').plan()).not.toContain("Somebody");
  await desk.applies();
  expect(await desk.visited("sited-example/p")).toMatch(/Two[^]*New/);
});

test("after a destroy, the outputs of the stack come back, with the id of the new page", async () => {
  desk.declare(sited([hero("a")], "outputs: { offer: pages.a.url, offerId: pages.a.id, root: sites.main.url }\n"));
  await desk.applies();
  const [page, outputs] = [desk.page("a"), await desk.says(0, "output")];
  expect(outputs).toMatch(/root +http:\/\/sited-example\.localhost:\d+\/\n/);
  await desk.says(0, "destroy", "--yes");
  await desk.undo();
  expect(desk.page("a")).not.toBe(page);
  const renewed = outputs.replace(page, desk.page("a"));
  expect(await desk.says(0, "output")).toBe(renewed);
  // The program takes them from its resources again.
  await desk.applies("--refresh");
  expect(await desk.says(0, "output")).toBe(renewed);
});

onBothEngines((...on) => {
  test("a program is told to declare an object again only if its last run did not declare it", async () => {
    desk.on(...on);
    const [mug, cup] = ["mug", "cup"].map((name) => `new landform.Product("${name}", { price: 3 });`);
    const undoes = (...args: string[]) => desk.undo(...args);
    await desk.program(`${mug}\n${cup}`).applies();
    await desk.says(0, "destroy", "--yes");
    expect(await undoes("--write")).toMatch(/again\.\nNothing was written\.\n$/);
    await desk.plansNothing();
    // This undo destroys, and the next one makes.
    expect(await undoes()).toContain("Product cup: take it out");
    expect(await undoes()).not.toContain("The code");
    await desk.program(mug ?? "").applies();
    expect(await undoes()).toContain("Product cup: declare it again");
    await undoes();
    expect(await undoes()).toContain("Product cup: declare it again");
  });
});

test.each(["a program", "a manifest"])("an undo of an undo asks %s for nothing: it says that already", async (kind) => {
  for (const price of [3, 4])
    await (
      kind === "a program" ? desk.program(`new landform.Product("mug", { price: ${price} });`) : mug(price, "Buy")
    ).applies();
  expect(await desk.undo()).toMatch(/Write these values into it[^]*:\d+ +Product mug price: 3/);
  expect(await desk.undo()).not.toContain("The code says something else");
  await desk.plansNothing();
});
