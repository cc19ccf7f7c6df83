import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { compareModels, comparisonText, openCompared, type Comparison } from "../../manifest/export/index.ts";
import { TestAccount, TestFolder } from "./harness.ts";

const main = join(import.meta.dirname, "../../dist/cli/main.js");

let account: TestAccount;
let folder: TestFolder;

beforeEach(async () => {
  account = await TestAccount.open({ seed: "demo" });
  folder = new TestFolder();
  await folder.export(account);
});

afterEach(async () => {
  folder.close();
  await account.close();
});

function environment({ emulator }: TestAccount, prefix = "LANDFORM"): Record<string, string> {
  return { [`${prefix}_BASE_URL`]: emulator.baseUrl, [`${prefix}_API_KEY`]: emulator.apiKey };
}

async function compare(a: string, b: string, env = environment(account)): Promise<Comparison> {
  return compareModels(...(await openCompared([a, b], env)));
}

test("an account and its export are the same, either way round", async () => {
  for (const [a, b] of [
    ["account:", folder.path],
    [folder.path, "account:"],
    [folder.path, join(folder.path, "landform.yaml")],
  ] as const) {
    expect(await compare(a, b)).toMatchObject({ same: true, compared: 8, differences: [] });
  }
});

test("differences are told by field and by content key", async () => {
  folder.edit("hero.note: Free shipping for two.", "hero.note: Free shipping for two!");
  folder.edit("slug: thanks", "slug: danke");
  folder.edit("price: 12.5", "price: 13");
  folder.edit("{ page: offer, pageType: presell }", "{ page: thanks, pageType: presell }");
  folder.edit("funnels:\n", "funnels:\n  new: {}\n");
  const comparison = await compare("account:", folder.path);
  expect(comparison.differences).toMatchObject([
    { change: "changed", a: "pages.offer", fields: [{ field: 'content["hero.note"]' }] },
    { change: "changed", a: "pages.thanks", fields: [{ field: "publish" }] },
    { change: "changed", a: "funnels.demo", fields: [{ field: "steps" }] },
    { change: "changed", a: "products.mug", fields: [{ field: "price", a: 12.5, b: 13 }] },
    { change: "only-b", b: "funnels.new" },
  ]);
  const text = comparisonText(comparison);
  expect(text).toContain(
    'content["hero.note"]: "Free shipping for two. Thirty days to send it back." → "Free shipping for two! Thirty days to send it back."',
  );
  expect(text).toContain("+ funnels.new  only in B");
});

test("what a side can't show or doesn't declare is no difference; between two manifests it is", async () => {
  const other = new TestFolder();
  await other.export(account);
  folder.edit("    name: Offer\n", "    name: Offer\n    tags: [spring]\n");
  folder.edit("      hero.title: Made by hand, for every morning\n", "");
  folder.edit("    price: 12.5\n", "");
  expect((await compare(folder.path, "account:")).differences).toEqual([]);
  const { differences } = await compare(folder.path, other.path);
  const fields = differences.flatMap((difference) => difference.fields.map(({ field }) => field));
  expect(fields).toEqual(["tags", 'content["hero.title"]', "price"]);
  other.close();
});

test("a value from outside is compared as far as it is known, and told where it is not", async () => {
  folder.edit("hero.note: Free shipping for two. Thirty days to send it back.", "hero.note: { env: NOTE }");
  expect(await compare(folder.path, "account:")).toMatchObject({
    same: true,
    unknown: ["pages.offer.content.hero.note ({ env: NOTE })"],
  });
  const env = { ...environment(account), NOTE: "Another" };
  const comparison = await compare(folder.path, "account:", env);
  expect(comparison).toMatchObject({
    same: false,
    unknown: [],
    differences: [{ a: "pages.offer", fields: [{ field: 'content["hero.note"]' }] }],
  });
  // It may be a secret.
  expect(comparisonText(comparison)).not.toContain("Another");
});

test("a renamed key with the same name is the same thing, and references follow it", async () => {
  folder.edit("  offer:\n", "  landing:\n");
  folder.edit("page: offer", "page: landing");
  folder.edit(/ {4}adoptId: page_.*\n/.exec(folder.read())?.[0] ?? "", "");
  expect((await compare("account:", folder.path)).same).toBe(true);
});

test("two accounts, by the command line", { tags: ["thorough"] }, async () => {
  const other = await TestAccount.open({ seed: "demo" });
  const env = { ...process.env, ...environment(account), ...environment(other, "STAGING") };
  const run = (...args: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr });
      });
    });
  expect(await run("diff", "account:", "account:STAGING", "--detailed-exitcode")).toMatchObject({ code: 0 });
  const [product] = await other.api.products.list();
  await other.api.products.update({ product_id: product?.id ?? "", price: 1 });
  const different = await run("diff", "account:", "account:STAGING", "--detailed-exitcode", "--json");
  expect(different.code).toBe(2);
  expect(JSON.parse(different.stdout)).toMatchObject({ same: false, differences: [{ a: "products.mug" }] });
  expect(await run("diff", "account:", "account:NOWHERE")).toMatchObject({ code: 4 });
  const exported = await run("export", "--out", join(folder.path, "new"), "--include", "products", "--json");
  expect(JSON.parse(exported.stdout)).toMatchObject({
    resources: 1,
    files: ["landform.yaml"],
    added: ["products.mug"],
  });
  await other.close();
});
