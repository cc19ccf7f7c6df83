/** A killed up, and then code that was taken back, or a run that reaches only a part of the stack. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Killed } from "../faults/whole/killed.ts";

const SITE = "sites: { main: { name: killed.example } }";
const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", ...parts, ""].join("\n");

let killed: Killed;
beforeEach(async () => {
  killed = await Killed.open(manifest(SITE));
  await killed.up();
});
afterEach(() => killed.close());

describe("what a killed up was moving to a new project", () => {
  const LONG = `{ description: "${"A shop for mugs. ".repeat(4)}", context: "${"People drink from them. ".repeat(10)}" }`;
  const moved = (projects: readonly string[], project: string): string =>
    manifest(
      SITE,
      `projects: { ${projects.map((name) => `${name}: ${LONG}`).join(", ")} }`,
      `funnels: { way: { project: ${project}, steps: [ { url: https://x.example, pageType: presell } ] } }`,
      `products: { mug: { name: Mug, project: ${project} } }`,
    );

  test.each([
    ["a funnel", "POST", /^\/funnels$/],
    ["a product", "PATCH", /^\/products$/],
  ])("is in nobody's way when the code is taken back: %s", { timeout: 180_000 }, async (_, method, path) => {
    killed.declare(moved(["one"], "one"));
    await killed.up();
    killed.declare(moved(["one", "two"], "two"));
    await killed.killAt(method, path);
    killed.declare(moved(["one"], "one"));
    await killed.up("--force");
    expect(killed.names("products")).toEqual(["Mug"]);
    expect(killed.names("funnels")).toEqual(["way"]);
    await killed.run("preview", "--detailed-exitcode");
  });
});

test(
  "what an up with a target doesn't reach isn't called as it should be, and the next up looks into it",
  { timeout: 180_000 },
  async () => {
    const products = (mug: number, hat: number): string =>
      manifest(SITE, `products: { mug: { price: ${mug} }, hat: { price: ${hat} } }`);
    for (const text of [products(1, 1), products(1, 2)]) {
      killed.declare(text);
      await killed.up();
    }
    killed.declare(products(2, 2));
    await killed.killAt("PATCH", /^\/products$/);
    killed.declare(products(1, 2));
    expect(await killed.run("up", "--target", "Product/hat", "--yes")).toMatch(
      /interrupted earlier: updating \S+::mug: not looked into by this run/,
    );
    const mug = (): unknown => killed.rows("products").find(({ name }) => name === "mug")?.["price"];
    expect(mug()).toBe(2);
    expect(await killed.up()).toMatch(/interrupted earlier: updating \S+::mug: done again/);
    expect(mug()).toBe(1);
    expect(await killed.up()).not.toContain("interrupted");
  },
);
