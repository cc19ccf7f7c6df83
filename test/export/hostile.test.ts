import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { validate } from "../../manifest/index.ts";
import type { Model, Resource } from "../../manifest/match/model.ts";
import { writeYaml } from "../../manifest/export/index.ts";
import type { Json } from "../../provider/values/json.ts";
import { hostile, hostileTexts } from "./accounts.ts";
import { adopts } from "./apply.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const account = forEachTest(() => TestAccount.open());
const folder = forEachTest(() => new TestFolder());

test("hostile names give plain keys and come back as they are", async () => {
  account.emulator.notShown.normaliseNames = false;
  for (const name of [...hostile, " spaces around ", "two\nlines"]) await account.api.products.create({ name });
  const { model } = await folder.export(account);
  const keys = model.resources.map(({ key }) => key);
  expect(keys.every((key) => /^[a-z][a-z0-9-]*$/.test(key))).toBe(true);
  expect(new Set(keys).size).toBe(hostile.length + 2);
  expect(keys).toEqual(
    expect.arrayContaining(["product-true", "product-007", "product-2026-11-21", "product-constructor"]),
  );
  await adopts(account, folder);
});

test("hostile texts come back byte for byte, whatever the shape of the content map", async () => {
  const id = await account.filledPage("Hero");
  const { variables } = await account.api.builder.contentMap(id);
  expect(variables).toEqual([]);
  const { model } = await folder.export(account);
  const keys = Object.keys(model.resources[0]?.inputs["content"] as object);
  const odd = ["{{placeholder}} ${x}", "x".repeat(1024 * 1024), "long\r\n".repeat(100)];
  const texts = [...odd, ...hostileTexts.slice(-20), ...hostileTexts].slice(0, keys.length);
  const updates = Object.fromEntries(texts.map((text, index) => [keys[index] ?? "", text]));
  await account.edit(id, updates);
  for (const contentShape of ["array-key-value", "map-scalars", "nested-groups"] as const) {
    account.emulator.notShown.contentShape = contentShape;
    await folder.export(account);
    const { manifest } = validate(join(folder.path, "landform.yaml"));
    expect(manifest?.entries[0]?.inputs["content"]).toMatchObject(updates);
    await adopts(account, folder);
  }
});

test("JSON that looks like a form stays JSON", () => {
  const values: Json[] = [
    { file: "secret.txt" },
    { env: "HOME" },
    { literal: 1 },
    { deep: [{ config: "x" }] },
    [{ ref: "pages.a.id" }],
    { empty: null },
    true,
    0,
    -0.5,
    [],
    {},
    { "<<": { a: 1 }, null: null, "a: b": "c", true: false },
  ];
  const content = Object.fromEntries(values.map((value, index) => [`key-${index}`, value]));
  const page: Resource = { kind: "page", key: "a", id: "page_1", name: "a", inputs: { content }, notes: [] };
  const model: Model = { title: "", name: "", resources: [page], leftOut: [], copy: false, warnings: [] };
  for (const [path, text] of writeYaml(model).files) folder.write(path, text);
  const { manifest, diagnostics } = validate(join(folder.path, "landform.yaml"));
  expect(diagnostics).toEqual([]);
  expect(manifest?.entries[0]?.inputs["content"]).toEqual(content);
});

test("retired funnels and leftovers of interrupted runs are left out, and named", async () => {
  await account.api.funnels.create({ name: "Old\nstyle [retired by landform]" });
  await account.api.funnels.create({ name: "Current" });
  await account.api.pages.create({ name: "Offer [lf-01234567-0123456789-abcd]" });
  const { model } = await folder.export(account);
  expect(model.resources.map(({ key }) => key)).toEqual(["current"]);
  expect(model.leftOut.map(({ kind }) => kind)).toEqual(["page", "funnel"]);
  expect(folder.read()).toMatch(/# Left out: funnel "Old\\nstyle \[retired by landform\]" \(funnel_\w+\), retired: /);
  expect(folder.read()).toMatch(/# Left out: page "Offer \[lf-/);
  await adopts(account, folder);
});

test("two sites of one name, and two pages at one path", async () => {
  account.emulator.notShown.duplicateSlug = "newest-wins";
  const sites = [];
  for (const name of ["shop.example", "shop.example"]) sites.push((await account.api.sites.create({ name })).id);
  const pages = [];
  for (const site_id of [sites[0], sites[0], sites[1]]) {
    const id = await account.filledPage("Offer");
    await account.api.pages.publish({ page_id: id, site_id: site_id ?? "" });
    pages.push(id);
  }
  await folder.export(account);
  const text = folder.read();
  expect(text).toContain("  shop-example-2:\n");
  const [, first = "", second = "", third = ""] = text.split(/^ {2}offer(?:-\d)?:$/m);
  expect(first).toMatch(/# publish: .*is declared by "pages.offer-2" too/);
  expect(second).toContain("publish: { site: shop-example }");
  expect(third).toContain("publish: { site: shop-example-2 }");
  await adopts(account, folder);
});

describe("what an account may hold and nobody could declare anew", () => {
  test("short descriptions, hidden contexts, bundles and subscriptions", async () => {
    await account.api.projects.update(await account.project(), { description: "short" });
    await account.oddProducts();
    await folder.export(account);
    const text = folder.read();
    expect(text).toContain("description: short\n");
    expect(text).toContain("    # bundleItems: 2 items, not shown by the API\n");
    expect(text).toContain("    # subscription: active, its terms not shown by the API\n");
    await adopts(account, folder);
  });

  test("content without visible values is named, not declared", async () => {
    account.emulator.notShown.contentShape = "no-values";
    await account.filledPage("Hero");
    await folder.export(account);
    expect(folder.read()).not.toContain("    content:");
    expect(folder.read()).toMatch(/# content: no value is shown for "top\.brand", /);
    await adopts(account, folder);
  });
});
