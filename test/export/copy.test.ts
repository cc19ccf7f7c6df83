// @module-tag thorough
/** Copies for another account: a value that the API doesn't show has a stand-in, or a setting if only the user knows it. */
import { beforeEach, expect, test } from "vitest";
import { join } from "node:path";
import { validate } from "../../manifest/index.ts";
import { LONG } from "./accounts.ts";
import { settles } from "./apply.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { forEachTest, inTest } from "../suite/opened.ts";

const account = forEachTest(() => TestAccount.open());
const folder = forEachTest(() => new TestFolder());

beforeEach(async () => {
  const { api } = account;
  const project_id = await account.project();
  const { id: site_id } = await api.sites.create({ name: "mugs.example", project_id });
  const page = { template_id: "tpl-hero", name: "Offer", project_id, site_id };
  await api.pages.createFromTemplate(page);
  await api.pages.create({ name: "Blank" });
  await account.oddProducts(project_id);
});

test("everything that a new account asks for is there, and what only the user can tell is a setting", async () => {
  const { settings } = await folder.export(account, { asNew: true });
  const { diagnostics } = validate(join(folder.path, "landform.yaml"));
  expect(diagnostics).toEqual([]);
  const text = folder.read();
  expect(settings).toEqual(["offer-template"]);
  expect(text).toContain("# npx landform config set offer-template ID\n");
  expect(text).toContain("    template: { config: offer-template }\n    site: mugs-example\n");
  expect(text).toMatch(
    /# A stand-in for the brief.*\n {4}context: \{ file: content\/projects\/spring\/context\.txt \}/,
  );
  expect(folder.read("content/projects/spring/context.txt")).toContain(
    'stands in for the brand and offer brief of the project "Spring"',
  );
  expect(text).toContain("    bundleItems:\n      - name: Item 1\n      - name: Item 2\n");
  expect(text).toContain("    subscription:\n      enabled: true\n");
  expect(text).toMatch(/ {2}blank:\n {4}name: Blank\n\n/);
});

test("it is made in another account without a word more, once templates are named", async () => {
  await folder.export(account, { asNew: true, templates: new Map([["", "tpl-hero"]]) });
  const target = await inTest(TestAccount.open());
  await settles(target, folder);
  const [bundle] = await target.api.products.list({ type: "bundle" });
  expect(bundle?.bundle_item_count).toBe(2);
});

test.each(["yaml", "typescript"] as const)("what somebody wrote in place of a stand-in stays: %s", async (format) => {
  const code = format === "yaml" ? "landform.yaml" : "index.ts";
  await folder.export(account, { asNew: true, format });
  folder.write("content/projects/spring/context.txt", LONG);
  if (format === "yaml") folder.edit("      - name: Item 1\n", "      - sku: MUG\n");
  const before = folder.read(code);
  expect((await folder.export(account, { asNew: true, format })).files).toEqual([]);
  expect(folder.read(code)).toBe(before);
  expect(folder.read("content/projects/spring/context.txt")).toBe(LONG);
});
