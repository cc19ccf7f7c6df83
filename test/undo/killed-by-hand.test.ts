/**
 * The undo of a killed run, where somebody else has been at work since: what that run was not writing, and what is neither as
 * it was nor as it was sent, is somebody's edit.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";
import { call as callApi } from "./account.ts";

const manifest = (...parts: string[]): string => ["landform: 1", "name: killed", ...parts, ""].join("\n");

let machine: Machine;
beforeEach(async () => {
  machine = await Machine.open({ kind: "embedded", form: "landform.yaml" }, { "landform.yaml": manifest() });
});
afterEach(() => machine.close());

async function up(text: string): Promise<void> {
  machine.write("landform.yaml", text);
  const { code, said } = await machine.run(["up", "--yes", "--force"]);
  expect(code, said).toBe(0);
}

const AFTER_COMMIT = { number: 0, boundary: "after commit" } as const;

async function killedUp(text: string, call: (asked: Asked) => boolean): Promise<void> {
  machine.write("landform.yaml", text);
  const struck = await strike(machine, ["up", "--yes", "--parallel", "1"], AFTER_COMMIT, call);
  await machine.free();
  expect(struck.call, struck.said).toBeDefined();
}

type Row = Readonly<Record<string, unknown>>;
const only = (kind: string): Row => machine.emulator.records()[kind]?.[0] as unknown as Row;
const patches =
  (path: string) =>
  (asked: Asked): boolean =>
    asked.method === "PATCH" && asked.path.startsWith(path);

describe("an edit by hand after the kill", () => {
  const product = (price: number): string => manifest("products:", `  cup: { name: Cup, price: ${price}, sku: S1 }`);
  const edit = (fields: Row): Promise<unknown> =>
    callApi(machine, "PATCH", "/products", { product_id: only("products")["id"], ...fields });
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
    const { code, said } = await machine.run(["undo", "--yes", "--force"]);
    expect([code, said]).toEqual([3, expect.stringContaining(`Product cup: ${field} was changed by hand`)]);
    expect(held()).toEqual(account);
    const skipped = await machine.run(["undo", "--yes", "--force", "--skip-conflicts"]);
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
      const { code, said } = await machine.run(["undo", "--yes", "--force"]);
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
      await callApi(machine, "PATCH", "/pages/content", {
        page_id: only("pages")["id"],
        updates: { "hero.text": "By hand" },
      });
      const document = (): string => JSON.stringify(only("documents")["draft"]);
      const { code, said } = await machine.run(["undo", "--yes", "--force"]);
      expect([code, said]).toEqual([3, expect.stringContaining('content["hero.text"] was changed by hand')]);
      expect(document()).toContain("By hand");
      await machine.run(["undo", "--yes", "--force", "--skip-conflicts"]);
      expect(document()).toContain("By hand");
      expect(JSON.stringify(only("documents")["live"])).not.toContain("By hand");
    },
  );
});
