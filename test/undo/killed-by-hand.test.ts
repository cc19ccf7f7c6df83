/**
 * The undo of a killed run, where somebody else has been at work since: what that run was not writing, and what is neither as
 * it was nor as it was sent, is somebody's edit.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { Killed, type Row } from "../faults/whole/killed.ts";

const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", ...parts, ""].join("\n");

let killed: Killed;
beforeEach(async () => {
  killed = await Killed.open(manifest());
});
afterEach(() => killed.close());

async function up(text: string): Promise<void> {
  killed.declare(text);
  await killed.up("--force");
}

async function killedUp(text: string, call: (asked: Asked) => boolean): Promise<void> {
  killed.declare(text);
  await killed.kill(["up"], call);
}

const only = (kind: string): Row => killed.rows(kind)[0] ?? {};
const patches =
  (path: string) =>
  (asked: Asked): boolean =>
    asked.method === "PATCH" && asked.path.startsWith(path);

describe("an edit by hand after the kill", () => {
  const product = (price: number): string => manifest("products:", `  cup: { name: Cup, price: ${price}, sku: S1 }`);
  const edit = (fields: Row): Promise<unknown> =>
    killed.app("PATCH", "/products", { product_id: only("products")["id"], ...fields });
  const held = (): unknown[] => [only("products")["price"], only("products")["sku"]];

  test.each([
    ["of what the run was not writing", { sku: "HAND" }, "sku", [3, "HAND"]],
    ["of what it was writing", { price: 99 }, "price", undefined],
    ["of both", { sku: "HAND", price: 99 }, "price", undefined],
  ] as const)("%s is a conflict, and stays", { tags: ["thorough"], timeout: 120_000 }, async (_, by, field, rest) => {
    await up(product(3));
    await killedUp(product(4), patches("/products"));
    await edit(by);
    const account = held();
    const { code, said } = await killed.machine.run(["undo", "--yes", "--force"]);
    expect([code, said]).toEqual([3, expect.stringContaining(`Product cup: ${field} was changed by hand`)]);
    expect(held()).toEqual(account);
    const skipped = await killed.machine.run(["undo", "--yes", "--force", "--skip-conflicts"]);
    expect(skipped.code, skipped.said).toBe(0);
    expect(held()).toEqual(rest ?? account);
  });

  test(
    "of what the run had written over is none where it is back",
    { tags: ["thorough"], timeout: 120_000 },
    async () => {
      await up(product(3));
      await killedUp(product(4), patches("/products"));
      await edit({ price: 3 });
      const { code, said } = await killed.machine.run(["undo", "--yes", "--force"]);
      expect([code, said]).toEqual([0, expect.stringContaining("There is nothing left of run")]);
    },
  );

  test(
    "of another text of a page is a conflict, and goes to no visitor",
    { tags: ["thorough"], timeout: 120_000 },
    async () => {
      const page = (title: string): string =>
        manifest(
          "sites: { main: { name: killed.example } }",
          "pages:",
          `  a: { template: tpl-hero, variables: { brand: A }, content: { hero.title: ${title}, hero.text: Text }, publish: { site: main, slug: a } }`,
        );
      await up(page("Hello"));
      await killedUp(page("Bye"), patches("/pages/content"));
      await killed.app("PATCH", "/pages/content", {
        page_id: only("pages")["id"],
        updates: { "hero.text": "By hand" },
      });
      const document = (): string => JSON.stringify(only("documents")["draft"]);
      const { code, said } = await killed.machine.run(["undo", "--yes", "--force"]);
      expect([code, said]).toEqual([3, expect.stringContaining('content["hero.text"] was changed by hand')]);
      expect(document()).toContain("By hand");
      await killed.machine.run(["undo", "--yes", "--force", "--skip-conflicts"]);
      expect(document()).toContain("By hand");
      expect(JSON.stringify(only("documents")["live"])).not.toContain("By hand");
    },
  );
});
