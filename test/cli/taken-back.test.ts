/**
 * A killed run, or one whose call was never answered, and then the earlier code. The state may be wrong about the object. A plan that only compares
 * code and state would leave the object wrong for ever and call it right.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";
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

onBothEngines((engine) => {
  let machine: Machine;
  beforeEach(async () => {
    const on = { kind: engine, form: "landform.yaml", ...(engine === "pulumi" && { path: realEngine }) } as const;
    machine = await Machine.open(on, { "landform.yaml": BEFORE });
    await run("up", "--yes");
  });
  afterEach(() => machine.close());

  async function run(...args: string[]): Promise<string> {
    const { code, said } = await machine.run(args);
    expect(code, said).toBe(0);
    return said;
  }

  async function killAt(args: readonly string[], method: string, where: RegExp, number = 0): Promise<void> {
    const here = { number, boundary: "after commit" } as const;
    await strike(
      machine,
      [...args, "--yes", "--parallel", "1"],
      here,
      (call) => call.method === method && where.test(call.path),
    );
    await machine.free();
  }

  /** Returns the view of visitors and colleagues. */
  function account(): unknown {
    const {
      projects = [],
      products = [],
      funnels = [],
      pages = [],
    } = machine.emulator.records() as Partial<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
    return {
      projects: projects.map(({ name }) => name),
      products: products.map(({ name, price }) => [name, price]),
      funnels: funnels.map(({ name, steps }) => [name, (steps as unknown[]).length]),
      pages: pages.map(({ pageName, status, slug }) => [pageName, status, slug]),
      titles: pages.map((page) => JSON.stringify(page).match(/(One|Two)(?=")/g)),
    };
  }

  async function expectAsBefore(before: unknown): Promise<void> {
    await run("up", "--yes");
    expect(account()).toEqual(before);
    await run("preview", "--detailed-exitcode");
    await run("drift", "--detailed-exitcode");
  }

  thorough("an update of a product", async () => {
    const before = account();
    machine.write("landform.yaml", manifest(28.75, "One"));
    await killAt(["up"], "PATCH", /^\/products$/);
    machine.write("landform.yaml", BEFORE);
    const said = await run("preview");
    expect(said).toMatch(/28\.75/);
    expect(said).not.toContain("as it should be");
    await expectAsBefore(before);
  });

  const rest = test.skipIf(leftToSoak(engine));

  test.each([
    ["a funnel", "PATCH", /^\/funnels/],
    ["a page", "DELETE", /^\/pages\//],
    ["a product", "DELETE", /^\/products/],
    ["a project", "PATCH", /^\/projects/],
  ])("the destruction of %s", { tags: ["thorough"] }, async (_, method, where) => {
    const before = account();
    await killAt(["destroy"], method, where);
    await expectAsBefore(before);
  });

  rest(
    "where nobody answers the look, nothing is called done, and the next run looks again",
    { tags: ["thorough"] },
    async () => {
      const before = account();
      machine.write("landform.yaml", manifest(28.75, "One"));
      await killAt(["up"], "PATCH", /^\/products$/);
      machine.write("landform.yaml", BEFORE);
      const [mug] = machine.emulator.records()["products"] ?? [];
      for (const path of ["/products", `/products/${mug?.id}`])
        machine.emulator.faults.add({ method: "GET", path, phase: "status", status: 500, times: 1_000 });
      expect((await machine.run(["up", "--yes"])).code).not.toBe(0);
      machine.emulator.faults.clear();
      await expectAsBefore(before);
    },
  );
});
