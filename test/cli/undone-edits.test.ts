/** An undo after edits of people: it brings back what the account had, and leaves alone what the run left alone. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const mug = (price: number, ctaText: string): void =>
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
    mug(10, "Buy");
    await desk.applies();
    await prices(12);
    mug(11, "Order");
    await desk.says(1, "up", "--yes", ...args);
    shows({ price: 12, ctaText: "Order" });
    expect(await toldOfLast()).toMatch(/price +\d+ → 11 {2}\(held back\)/);
    const undone = await desk.says(0, "undo", "--yes");
    expect(undone).toMatch(/ctaText +"Order" → "Buy"/);
    expect(undone).not.toContain("price");
    shows({ price: 12, ctaText: "Buy" });
    mug(11, "Order");
    expect(await desk.says(1, "up", "--yes")).toContain("price");
    shows({ price: 12, ctaText: "Order" });
  },
);

const pages = (...names: string[]): string[] => names.map((name) => hero(name));
const steps = (...names: string[]): string =>
  `funnels: { f: { name: f, steps: [${names.map((page) => `{ page: ${page}, pageType: sales }`).join(", ")}] } }\n`;

test("a colleague's funnel steps come back with the new id of a page that is made anew", async () => {
  desk.declare(sited(pages("a", "b"), steps("a", "b")));
  await desk.applies();
  const theirs = { url: "https://people.example/x", pageType: "upsell" };
  const [{ id = "", steps: own = [] } = {}] = desk.rows("funnels") as { id?: string; steps?: object[] }[];
  await desk.app("PATCH", "/funnels", { funnel_id: id, pages: [...own, theirs] });
  desk.declare(sited(pages("a"), steps("a")));
  await desk.applies("--foreign-edits", "include");
  await desk.says(0, "undo", "--yes");
  expect(desk.rows("funnels")).toMatchObject([
    { steps: [{ pageId: desk.page("a") }, { pageId: desk.page("b") }, theirs] },
  ]);
  desk.declare(sited(pages("a", "b"), steps("a", "b")));
  await desk.plansNothing();
});

test("an output follows to the page that the run had made again", async () => {
  const declare = (name: string): void =>
    desk.program(`
      const site = new landform.Site("site", { name: "a.example" });
      const page = new landform.Page("b", { name: "${name}", siteId: site.id, templateId: "tpl-hero", variables: { brand: "Acme" } });
      export const bId = page.id;`);
  const output = async (): Promise<string> => (await desk.says(0, "output", "bId")).trim();
  declare("One");
  await desk.applies();
  const first = await output();
  await desk.app("DELETE", `/pages/${first}`);
  declare("Two");
  await desk.applies("--refresh");
  const second = await output();
  expect(second).not.toBe(first);
  await desk.says(0, "undo", "--yes");
  expect(await output()).toBe(second);
});
