import { beforeEach, describe, expect, test } from "vitest";
import { adopts } from "./apply.ts";
import { LONG } from "./accounts.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";

const account = forEachTest(() => TestAccount.open({ notShown: { projectContextOnRead: true } }));
const folder = forEachTest(() => new TestFolder());
let page: string;

beforeEach(async () => {
  const { api } = account;
  const project = await account.project();
  const site = await api.sites.create({ name: "spring.example", project_id: project });
  page = await account.filledPage("Thanks", { template: "tpl-thankyou", project });
  await api.pages.publish({ page_id: page, site_id: site.id, slug: "thanks" });
  await api.products.create({ name: "Mug", price: 12.5, description: LONG, project_id: project });
  await api.funnels.create({ name: "Spring", project_id: project, pages: [{ pageId: page, pageType: "thankyou" }] });
  await folder.export(account);
  account.calls();
});

test("nothing is written where nothing changed", async () => {
  const before = folder.read();
  expect(await folder.export(account)).toMatchObject({ files: [], added: [], updated: [], gone: [], kept: [] });
  expect(folder.read()).toBe(before);
});

test("changes of the account are taken in; comments, order and undeclared keys stay", async () => {
  folder.edit("  thanks:\n", "  # The page after the form.\n  thanks: # do not touch the slug\n");
  folder.edit("That worked.\n", "That worked. # legal approved this\n");
  folder.edit("      top.brand: Acme\n", "");
  folder.edit("    content:\n", "    tags: [spring] # for the reports\n\n    # Texts\n    content:\n");
  folder.edit("    price: 12.5\n", "    price: 12.5 # net\n");
  const before = folder.read();
  await account.edit(page, { "hero.title": "Thanks, friend", "hero.text": "ok" });
  const [product] = await account.api.products.list();
  await account.api.products.update({ product_id: product?.id ?? "", price: 9 });
  const { updated, files } = await folder.export(account);
  expect(updated).toEqual([
    "pages.thanks.content.top.brand",
    "pages.thanks.content.hero.title",
    "pages.thanks.content.hero.text",
    "products.mug.price",
  ]);
  expect(files).toEqual(["landform.yaml"]);
  const expected = before
    .replace("hero.title: Thank you! That worked. #", "hero.title: Thanks, friend #")
    .replace(/hero\.text: .*/, "hero.text: ok")
    .replace("price: 12.5 #", "price: 9 #")
    .replace(/( {6}footer\.text: .*\n)/, "$1      top.brand: Acme\n");
  expect(folder.read()).toBe(expected);
});

test("a renamed page keeps its key, and new objects are added at the end of their section", async () => {
  await account.api.pages.updateMetadata({ page_id: page, name: "Danke" });
  await account.api.pages.create({ name: "Thanks" });
  const { added, updated } = await folder.export(account);
  expect(added).toEqual(["pages.thanks-2"]);
  expect(updated).toEqual(["pages.thanks.name"]);
  expect(folder.read()).toContain("    name: Danke\n");
  await adopts(account, folder);
});

test("an entry without adoptId is found by its name, and gets one", async () => {
  folder.edit(/ {4}adoptId: page_.*\n/.exec(folder.read())?.[0] ?? "", "");
  const { updated, added } = await folder.export(account);
  expect({ updated, added }).toEqual({ updated: ["pages.thanks.adoptId"], added: [] });
  await adopts(account, folder);
});

test("a text with placeholders stands as long as it comes out as the page has it", async () => {
  folder.edit("    content:\n", "    variables: { brand: Acme }\n    content:\n");
  folder.edit("top.brand: Acme", 'top.brand: "{{brand}}"');
  expect((await folder.export(account)).files).toEqual([]);
  await account.edit(page, { "top.brand": "Other" });
  expect((await folder.export(account)).updated).toEqual(["pages.thanks.content.top.brand"]);
  expect(folder.read()).toContain('top.brand: "Other"');
});

test("a value from the environment is left alone, a text is written to the file it is in", async () => {
  folder.edit("hero.title: Thank you! That worked.", "hero.title: { env: HERO_TITLE }");
  folder.write("texts/hero.md", "old");
  folder.edit(/hero\.text: .*/.exec(folder.read())?.[0] ?? "", "hero.text: { file: texts/hero.md } # by marketing");
  await account.edit(page, { "hero.title": "new title", "hero.text": "new text\n" });
  const { files, updated } = await folder.export(account);
  expect({ files, updated }).toEqual({
    files: ["texts/hero.md"],
    updated: [expect.stringMatching(/^pages\.thanks\.content\.hero\.text \(\S*texts\/hero\.md:1:1\)$/)],
  });
  expect(folder.read("texts/hero.md")).toBe("new text\n");
});

test("steps and publication follow the account", async () => {
  const { api } = account;
  const other = await api.pages.create({ name: "Other" });
  const [funnel] = await api.funnels.list();
  const pages = [
    { pageId: other.id, pageType: "presell" },
    { pageId: page, pageType: "thankyou" },
  ];
  await api.funnels.update({ funnel_id: funnel?.id ?? "", pages });
  const { site_id } = await api.pages.read(page);
  await api.pages.publish({ page_id: page, site_id: site_id ?? "", slug: "" });
  const { updated } = await folder.export(account);
  expect(updated).toEqual(["pages.thanks.publish", "funnels.spring.steps"]);
  expect(folder.read()).toContain("- { page: other, pageType: presell }\n      - { page: thanks, pageType: thankyou }");
  await adopts(account, folder);
});

test("a page that is gone is reported and its entry stays", async () => {
  const [funnel] = await account.api.funnels.list();
  await account.api.funnels.update({ funnel_id: funnel?.id ?? "", pages: [] });
  await account.api.pages.create({ name: "Another" });
  await account.api.pages.delete(page);
  const { gone } = await folder.export(account);
  expect(gone).toEqual(["pages.thanks"]);
  expect(folder.read()).toContain("thanks:");
});

test("a part of the account is merged without losing or breaking the rest", async () => {
  const site = await account.api.sites.create({ name: "shared.example" });
  const project = await account.project("Autumn");
  const id = await account.page("Leaves", { project });
  await account.api.pages.publish({ page_id: id, site_id: site.id });
  await folder.export(account);
  await account.api.pages.updateMetadata({ page_id: id, name: "Falling leaves" });
  const report = await folder.export(account, { project });
  expect(report).toMatchObject({ updated: ["pages.leaves.name"], added: [], gone: [], kept: [] });
  expect(folder.read()).toContain("publish: { site: shared-example }");
  expect(folder.read()).toContain("  thanks:\n");
});

describe("forms of files", () => {
  test("CRLF stays CRLF", async () => {
    folder.write("landform.yaml", folder.read().replaceAll("\n", "\r\n"));
    await account.api.pages.updateMetadata({ page_id: page, name: "Danke" });
    await folder.export(account);
    expect(folder.read().replaceAll("\r\n", "")).not.toContain("\n");
    await adopts(account, folder);
  });

  test("an indentation of four stays four, lists flush with their key stay flush", async () => {
    const deeper = (spaces: string): string => (spaces.length === 6 ? " ".repeat(12) : spaces + spaces);
    const indented = folder.read().replaceAll(/^( +)/gm, deeper);
    folder.write("landform.yaml", indented.replaceAll(/^ {12}- /gm, "        - "));
    const before = folder.read();
    await account.api.pages.updateMetadata({ page_id: page, name: "Danke" });
    expect((await folder.export(account)).updated).toEqual(["pages.thanks.name"]);
    expect(folder.read()).toBe(before.replace("name: Thanks", "name: Danke"));
  });

  test("an included file is changed where it is", async () => {
    const text = folder.read();
    const [section = ""] = /^pages:\n(?: .*\n|\n(?= ))*/m.exec(text) ?? [];
    folder.write("parts/pages.yaml", section.replaceAll("file: content/", "file: ../content/"));
    const root = text.replace(section, "").replace("landform: 1\n", "landform: 1\ninclude: [parts/pages.yaml]\n");
    folder.write("landform.yaml", root);
    await account.edit(page, { "hero.title": LONG.repeat(2) });
    const { files } = await folder.export(account);
    expect(files).toEqual(["content/pages/thanks/hero.title.txt", "parts/pages.yaml"]);
    expect(folder.read("parts/pages.yaml")).toContain("hero.title: { file: ../content/pages/thanks/hero.title.txt }");
    expect(folder.read()).toBe(root);
    await adopts(account, folder);
  });

  test("a manifest with errors is not touched", async () => {
    folder.edit("    price: 12.5\n", "    price: cheap\n");
    const before = folder.read();
    await expect(folder.export(account)).rejects.toThrow(/landform\.yaml has errors[^]*price/);
    expect(folder.read()).toBe(before);
    expect(account.calls()).toEqual([]);
  });
});
