// @module-tag thorough
/** Copies for another account: a value that the API doesn't show has a stand-in, or a setting if only the user knows it. */
import { beforeEach, expect, test } from "vitest";
import { join } from "node:path";
import { validate } from "../../manifest/index.ts";
import { LONG } from "./accounts.ts";
import { Stack } from "./apply.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { forEachTest, inTest } from "../suite/opened.ts";

const account = forEachTest(() => TestAccount.open());
const folder = forEachTest(() => new TestFolder());
let offer: string;

beforeEach(async () => {
  const { api } = account;
  const { id: project_id } = await api.projects.create({ name: "Spring", description: LONG, context: LONG });
  const { id: site_id } = await api.sites.create({ name: "mugs.example", project_id });
  const page = { template_id: "tpl-hero", name: "Offer", project_id, site_id };
  offer = (await api.pages.createFromTemplate(page)).id;
  await api.pages.create({ name: "Blank" });
  const items = [{ id: "a" }, { id: "b" }];
  await api.products.create({ name: "Set", type: "bundle", bundle_items_json: items, project_id });
  await api.products.create({ name: "Plan", subscription_json: { enabled: true, discountPercent: 5, benefits: [] } });
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
  const stack = new Stack(target);
  await stack.up(folder);
  expect(await stack.pending()).toEqual([]);
  await stack.close();
  const [bundle] = await target.api.products.list({ type: "bundle" });
  expect(bundle?.bundle_item_count).toBe(2);
});

test.each(["yaml", "typescript"] as const)("what somebody wrote in place of a stand-in stays: %s", async (format) => {
  await folder.export(account, { asNew: true, format });
  folder.write("content/projects/spring/context.txt", LONG);
  if (format === "yaml") folder.edit("      - name: Item 1\n", "      - sku: MUG\n");
  const before = folder.read(format === "yaml" ? "landform.yaml" : "index.ts");
  expect((await folder.export(account, { asNew: true, format })).files).toEqual([]);
  expect(folder.read(format === "yaml" ? "landform.yaml" : "index.ts")).toBe(before);
  expect(folder.read("content/projects/spring/context.txt")).toBe(LONG);
});

test("a template that is named later takes the place of the setting, and of no other value", async () => {
  await folder.export(account, { asNew: true });
  const templates = new Map([["", "tpl-hero"]]);
  const { updated } = await folder.export(account, { asNew: true, templates });
  expect(updated).toEqual(["pages.offer.template"]);
  expect(folder.read()).toContain("    template: tpl-hero\n    site: mugs-example\n");
  folder.edit("template: tpl-hero", "template: { env: TEMPLATE }");
  expect((await folder.export(account, { asNew: true, templates })).files).toEqual([]);
});

test("what a part refers to outside of itself is named, and left out", async () => {
  await account.api.pages.publish({
    page_id: offer,
    site_id: (await account.api.sites.list())[0]?.id ?? "",
    slug: "a",
  });
  await folder.export(account, { asNew: true, include: ["page"] });
  const text = folder.read();
  expect(text).toMatch(/# project: was with proj_\w+, which is not part of this export/);
  expect(text).toMatch(/# publish: was with site_\w+, which is not part of this export/);
  expect(text).not.toMatch(/^ {4}(project|publish):/m);
});

test("namesakes are known again, however often a copy is exported", async () => {
  for (const price of [1, 2]) await account.api.products.create({ name: "Mug", price });
  await folder.export(account, { asNew: true });
  const before = folder.read();
  expect(await folder.export(account, { asNew: true })).toMatchObject({ files: [], added: [] });
  await account.api.products.create({ name: "Mug", price: 3 });
  expect(await folder.export(account, { asNew: true })).toMatchObject({ updated: [], added: ["products.mug-3"] });
  expect(folder.read()).toContain(before.slice(0, before.indexOf("\n# Hooks")));
});

test("a second site of one name gets a number, since a new site is found by its name", async () => {
  await account.api.sites.create({ name: "mugs.example " });
  const { model } = await folder.export(account, { asNew: true });
  expect(folder.read()).toContain(
    "    # Another site of this export has the original's name\n    name: mugs.example 2\n",
  );
  const target = await inTest(TestAccount.open());
  const stack = new Stack(target);
  const templates = new Map([["", "tpl-hero"]]);
  expect((await folder.export(account, { asNew: true, templates })).updated).toEqual(["pages.offer.template"]);
  await stack.up(folder);
  await stack.close();
  expect((await target.api.sites.list()).map(({ site_name }) => site_name).sort()).toEqual([
    "mugs.example",
    "mugs.example 2",
  ]);
  expect(model.resources.filter(({ kind }) => kind === "site")).toHaveLength(2);
});

test("a video is one that the other account has", async () => {
  const { settings } = await folder.export(account, { asNew: true, include: ["videoPlayer"] });
  expect(settings).toHaveLength((await account.api.videos.list()).length);
  expect(folder.read()).toContain("    video: { config: mug-tour-video }\n");
});
