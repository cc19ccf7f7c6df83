/**
 * A run that was killed, or whose call was never answered, and then the code of before: what the state says may not be what there
 * is, and a plan that compares the code with the state alone would leave it so for ever, and call it as it should be.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";
import { onBothEngines, realEngine } from "../suite/parts.ts";

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

  async function killAt(args: readonly string[], method: string, where: RegExp): Promise<void> {
    const here = { number: 0, boundary: "after commit" } as const;
    await strike(
      machine,
      [...args, "--yes", "--parallel", "1"],
      here,
      (call) => call.method === method && where.test(call.path),
    );
    await machine.free();
  }

  /** What visitors and colleagues see of it. */
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

  test("an update of a product", async () => {
    const before = account();
    machine.write("landform.yaml", manifest(900, "One"));
    await killAt(["up"], "PATCH", /^\/products$/);
    machine.write("landform.yaml", BEFORE);
    const said = await run("preview");
    expect(said).toMatch(/900/);
    expect(said).not.toContain("as it should be");
    await expectAsBefore(before);
  });

  test("an update of a page's content, which was a draft by then", async () => {
    const before = account();
    machine.write("landform.yaml", manifest(3, "Two"));
    await killAt(["up"], "PATCH", /^\/pages\/content$/);
    machine.write("landform.yaml", BEFORE);
    await expectAsBefore(before);
  });

  test.each([
    ["a funnel", "PATCH", /^\/funnels/],
    ["a page", "DELETE", /^\/pages\//],
    ["a product", "DELETE", /^\/products/],
    ["a project", "PATCH", /^\/projects/],
  ])("the destruction of %s", async (_, method, where) => {
    const before = account();
    await killAt(["destroy"], method, where);
    await expectAsBefore(before);
  });

  test("where nobody answers the look, nothing is called done, and the next run looks again", async () => {
    const before = account();
    machine.write("landform.yaml", manifest(900, "One"));
    await killAt(["up"], "PATCH", /^\/products$/);
    machine.write("landform.yaml", BEFORE);
    const [mug] = machine.emulator.records()["products"] ?? [];
    for (const path of ["/products", `/products/${mug?.id}`])
      machine.emulator.faults.add({ method: "GET", path, phase: "status", status: 500, times: 1_000 });
    expect((await machine.run(["up", "--yes"])).code).not.toBe(0);
    machine.emulator.faults.clear();
    await expectAsBefore(before);
  });
});
