/**
 * A killed run, or one whose call was never answered, and then the earlier code. The state may be wrong about the object. A plan that only compares
 * code and state would leave the object wrong for ever and call it right.
 */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";
import { leftToSoak, onBothEngines, realEngine } from "../suite/parts.ts";

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

  /** Returns the values that the API shows only on writes, or never. */
  function unshown(): unknown {
    const {
      projects = [],
      products = [],
      pages = [],
    } = machine.emulator.records() as Partial<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
    return {
      projects: projects.map(({ context }) => context),
      pages: pages.map(({ tags, productLabel, delay }) => ({ tags, productLabel, delay })),
      products: products.map(({ trustBadges }) => trustBadges),
    };
  }

  async function seenAt(path: string): Promise<string> {
    const { port } = new URL(machine.emulator.url);
    const headers = { host: `taken-example.localhost:${port}` };
    const call = get({ host: "127.0.0.1", port, path, headers });
    const [answer] = (await once(call, "response")) as [IncomingMessage];
    return text(answer);
  }

  async function expectAsBefore(before: unknown): Promise<void> {
    await run("up", "--yes");
    expect(account()).toEqual(before);
    await run("preview", "--detailed-exitcode");
    await run("drift", "--detailed-exitcode");
  }

  test("an update of a product", async () => {
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

  rest("an update of a page's content, which was a draft by then", { tags: ["thorough"] }, async () => {
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
  ])("the destruction of %s", { tags: ["thorough"] }, async (_, method, where) => {
    const before = account();
    await killAt(["destroy"], method, where);
    await expectAsBefore(before);
  });

  rest.each([
    ["with the code of before", /^\/pages\/publish$/, "Old brand"],
    ["with the same code", /^\/pages\/content$/, "New brand"],
  ])("a changed variable of a public page, %s", { tags: ["thorough"] }, async (_, where, brand) => {
    const page = (value: string): string =>
      `landform: 1\nname: taken\nsites: { main: { name: taken.example } }\n` +
      `pages: { a: { template: tpl-hero, variables: { brand: ${value} }, publish: { site: main, slug: a } } }\n`;
    machine.write("landform.yaml", page("Old brand"));
    await run("up", "--yes", "--force");
    machine.write("landform.yaml", page("New brand"));
    await killAt(["up"], where.source.includes("publish") ? "POST" : "PATCH", where);
    machine.write("landform.yaml", page(brand));
    await run("up", "--yes");
    expect(await seenAt("/a")).toContain(brand);
    expect(await seenAt("/a")).not.toContain(brand === "Old brand" ? "New brand" : "Old brand");
    await run("preview", "--detailed-exitcode");
    await run("drift", "--full", "--detailed-exitcode");
  });

  rest("what the API never shows, or only on writes", { tags: ["thorough"] }, async () => {
    const code = (word: string, more = ""): string =>
      `landform: 1\nname: taken\n` +
      `projects: { shop: { description: ${"A shop for mugs. ".repeat(4)}, context: ${`${word} people drink. `.repeat(15)} } }\n` +
      `pages: { a: { project: shop, tags: [${word}], productLabel: ${word}, delay: { time: ${word.length} }${more} } }\n` +
      `products: { mug: { project: shop, trustBadges: [${word}] } }\n`;
    machine.write("landform.yaml", code("old"));
    await run("up", "--yes", "--force");
    const before = unshown();
    for (const where of [/^\/projects\//, /^\/pages\/metadata$/, /^\/pages\/delay$/, /^\/products$/]) {
      machine.write("landform.yaml", code("newer"));
      await killAt(["up"], "PATCH", where);
      expect(unshown()).not.toEqual(before);
      machine.write("landform.yaml", code("old"));
      await run("up", "--yes");
      expect(unshown(), String(where)).toEqual(before);
      await run("preview", "--detailed-exitcode");
    }
  });

  rest.each([0, 1])(
    "a page that made way for its replacement: publication %i",
    { tags: ["thorough"] },
    async (number) => {
      const page = (template: string): string =>
        `landform: 1\nname: taken\nsites: { main: { name: taken.example } }\n` +
        `pages: { c: { template: ${template}, variables: { brand: A, support_email: a@b.example, date: today, product: Mug, price: "1" }, content: {}, publish: { site: main, slug: c } } }\n`;
      machine.write("landform.yaml", page("tpl-hero"));
      await run("up", "--yes", "--force");
      const before = await seenAt("/c");
      machine.write("landform.yaml", page("tpl-presell"));
      await killAt(["up", "--force"], "POST", /^\/pages\/publish$/, number);
      machine.write("landform.yaml", page("tpl-hero"));
      const said = await run("up", "--yes");
      expect(await seenAt("/c")).toBe(before);
      await run("preview", "--detailed-exitcode");
      const { pages: rows = [] } = machine.emulator.records() as Partial<
        Record<string, readonly Readonly<Record<string, string>>[]>
      >;
      const others = rows.filter(({ status, slug }) => status === "published" && slug !== "c");
      expect(others).toEqual([]);
      expect(said).toMatch(/Removed page /);
    },
  );

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
