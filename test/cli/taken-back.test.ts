/**
 * A killed run, or one whose call was never answered, and then the earlier code. The state may be wrong about the object. A plan that only compares
 * code and state would leave the object wrong for ever and call it right.
 */
import { beforeEach, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";
import { forEachTest } from "../suite/opened.ts";
import { leftToSoak, onBothEngines, realEngine, thorough } from "../suite/parts.ts";

const manifest = (price: number, title: string): string =>
  [
    "landform: 1",
    "name: taken",
    `projects: { shop: { description: ${"A shop for mugs. ".repeat(4)}, context: ${"People drink from them. ".repeat(10)} } }`,
    "sites: { main: { name: taken.example } }",
    `products: { mug: { name: Mug, project: shop, price: ${price} } }`,
    "pages:",
    `  offer: { template: tpl-hero, variables: { brand: A }, content: { hero.title: "${title}" }, publish: { site: main, slug: offer } }`,
    "funnels: { way: { project: shop, steps: [ { page: offer, pageType: presell } ] } }",
    "",
  ].join("\n");
const BEFORE = manifest(3, "One");
const THOROUGH = { tags: ["thorough"] };

onBothEngines((kind) => {
  const killed = forEachTest(() => Killed.open(BEFORE, { kind, path: realEngine }));
  beforeEach(() => killed.up());

  /** Returns the view of visitors and colleagues. */
  function account(): unknown {
    const [projects, products, funnels, pages] = ["projects", "products", "funnels", "pages"].map((list) =>
      killed.rows(list),
    );
    return {
      projects: projects?.map(({ name }) => name),
      products: products?.map(({ name, price }) => [name, price]),
      funnels: funnels?.map(({ name, steps }) => [name, (steps as unknown[]).length]),
      pages: pages?.map(({ pageName, status, slug }) => [pageName, status, slug]),
      titles: pages?.map((page) => JSON.stringify(page).match(/(One|Two)(?=")/g)),
    };
  }

  async function expectAsBefore(before: unknown): Promise<void> {
    await killed.applies();
    expect(account()).toEqual(before);
    await killed.run("drift", "--detailed-exitcode");
  }

  async function killAsPriceChanges(): Promise<void> {
    await killed.declare(manifest(28.75, "One")).killAt("PATCH", /^\/products$/);
    killed.declare(BEFORE);
  }

  thorough("an update of a product", async () => {
    const before = account();
    await killAsPriceChanges();
    const said = await killed.run("preview");
    expect(said).toMatch(/28\.75/);
    expect(said).not.toContain("as it should be");
    await expectAsBefore(before);
  });

  test.each([
    ["a funnel", "PATCH", /^\/funnels/],
    ["a page", "DELETE", /^\/pages\//],
    ["a product", "DELETE", /^\/products/],
  ])("the destruction of %s", THOROUGH, async (_, method, where) => {
    const before = account();
    await killed.kill(["destroy"], (call) => call.method === method && where.test(call.path));
    await expectAsBefore(before);
  });

  thorough("a whole destruction", async () => {
    const before = account();
    await killed.run("destroy", "--yes");
    await expectAsBefore(before);
  });

  const rest = test.skipIf(leftToSoak(kind));

  rest("where nobody answers the look, nothing is called done, and the next run looks again", THOROUGH, async () => {
    const before = account();
    await killAsPriceChanges();
    const { faults } = killed.machine.emulator;
    for (const path of ["/products", `/products/${String(killed.rows("products")[0]?.["id"])}`])
      faults.add({ method: "GET", path, phase: "status", status: 500, times: 1_000 });
    expect((await killed.machine.run(["up", "--yes"])).code).not.toBe(0);
    faults.clear();
    await expectAsBefore(before);
  });
});
