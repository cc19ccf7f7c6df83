/** An undo after edits of people, or of a destroy: it brings back what the account had, and leaves alone what the run left alone. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

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
  const theirs = { url: "https://people.example/x", pageType: "upsell" };
  const [{ id = "", steps: own = [] } = {}] = desk.rows("funnels") as { id?: string; steps?: object[] }[];
  await desk.app("PATCH", "/funnels", { funnel_id: id, pages: [...own, theirs] });
  await desk.declare(sited(pages("a"), steps("a"))).applies("--foreign-edits", "include");
  await desk.undo();
  expect(desk.rows("funnels")).toMatchObject([
    { steps: [{ pageId: desk.page("a") }, { pageId: desk.page("b") }, theirs] },
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
  const theirs = { url: "https://people.example/x", pageType: "upsell" };
  await desk.declare(sited(pages("a"), steps("a"))).applies();
  const own = { pageId: desk.page("a"), pageType: "sales" };
  await desk.app("PATCH", "/funnels", { funnel_id: desk.rows("funnels")[0]?.id, name: "Hers", pages: [own, theirs] });
  await desk.declare(sited(pages("a"))).applies();
  await desk.undo();
  expect(desk.rows("funnels")).toMatchObject([{ name: "Hers", steps: [own, theirs] }]);
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
