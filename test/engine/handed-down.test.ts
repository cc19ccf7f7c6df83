// @module-tag thorough
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Bench } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const bench = forEachTest(() => Bench.open());

test("children take retainOnDelete and deletedWith from their parent, unless they say otherwise", async () => {
  await bench.program(`
    const group = new pulumi.ComponentResource("demo:index:Group", "g", {}, { retainOnDelete: true });
    new Thing("kept", {}, { parent: group });
    new Thing("gone", {}, { parent: group, retainOnDelete: false });
    const base = new Thing("base");
    const with_ = new pulumi.ComponentResource("demo:index:Group", "w", {}, { deletedWith: base });
    new Thing("spared", {}, { parent: with_ });
  `);
  await bench.apply();
  await bench.run("destroy");
  expect((await bench.calls("delete")).sort()).toEqual(["delete base", "delete gone"]);
});

test("a destroy that refreshes first does not delete what is gone already", async () => {
  await bench.program(`new Thing("a"); new Thing("b");`);
  await bench.apply();
  await rm(join(bench.root, `${(await bench.resource("b"))?.id ?? ""}.json`));
  expect((await bench.run("destroy", { refresh: true })).result).toBe("succeeded");
  expect(await bench.calls("delete")).toEqual(["delete a"]);
});
