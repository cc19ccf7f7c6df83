import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { hostile, hostileTexts } from "./accounts.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { forEachTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");

const account = forEachTest(() => TestAccount.open({ seed: "demo" }));
const folder = forEachTest(() => new TestFolder());

thorough("a program type checks, plans what the manifest plans, and takes over without a write", async () => {
  const { api } = account;
  for (const name of hostile) await api.products.create({ name, description: name });
  const { id } = await api.pages.createFromTemplate({ template_id: "tpl-hero", name: "new class" });
  const { fields } = await api.builder.contentMap(id);
  const keys = (fields as { key: string }[]).map(({ key }) => key);
  const updates = Object.fromEntries(hostileTexts.slice(-keys.length).map((text, index) => [keys[index] ?? "", text]));
  await api.pages.updateContent({ page_id: id, updates });
  await api.funnels.create({ name: "let", pages: [{ pageId: id, pageType: "sales" }] });
  await folder.export(account);
  const { model } = await folder.export(account, { format: "typescript" });
  await promisify(execFile)(process.execPath, [tsc, "--noEmit", "-p", folder.path]);
  account.calls();
  await folder.run("up", account);
  expect((await folder.run("preview", account, "typescript")).summary).toEqual({ same: model.resources.length + 1 });
  expect(account.writes()).toEqual([]);
});

test("invisible characters are escaped, an emoji of several characters is not", async () => {
  await account.api.products.create({ name: "Mug \u202Egum", description: "👩🏽‍💻 and 🏳️‍🌈, a\u200Db" });
  await folder.export(account, { format: "typescript" });
  const program = folder.read("index.ts");
  expect(program).toContain(String.raw`name: "Mug \u{202e}gum"`);
  expect(program).toContain(String.raw`description: "👩🏽‍💻 and 🏳️‍🌈, a\u{200d}b"`);
});

test("keys stay when names change, as long as the program is untouched", async () => {
  await folder.export(account, { format: "typescript" });
  const [page] = await account.api.pages.list();
  await account.api.pages.updateMetadata({ page_id: page?.id ?? "", name: "Renamed" });
  const { files } = await folder.export(account, { format: "typescript" });
  expect(files).toEqual(["index.ts"]);
  expect(folder.read("index.ts")).toContain('new landform.Page("offer", {\n  adoptId: ');
  expect(folder.read("index.ts")).toContain('name: "Renamed"');
});

test("an edited program is not overwritten without force, and files around it never are", async () => {
  folder.write("package.json", '{ "type": "module" }\n');
  await folder.export(account, { format: "typescript" });
  expect(folder.read("package.json")).toBe('{ "type": "module" }\n');
  folder.edit("price: 12.5", "price: 13", "index.ts");
  const edited = folder.read("index.ts");
  account.calls();
  await expect(folder.export(account, { format: "typescript" })).rejects.toThrow(/index\.ts was edited[^]*--force/);
  expect(folder.read("index.ts")).toBe(edited);
  expect(account.calls()).toEqual([]);
  await folder.export(account, { format: "typescript", force: true });
  expect(folder.read("index.ts")).toContain("price: 12.5");
});

test("a part of an account does not drop the rest of a program", async () => {
  await folder.export(account, { format: "typescript" });
  const options = { format: "typescript", include: ["product"] } as const;
  await expect(folder.export(account, options)).rejects.toThrow(/declares 7 resources that this export leaves out/);
  expect(folder.read("index.ts")).toContain("landform.Page(");
});

test("a program beside a manifest has its name and its keys", async () => {
  await folder.export(account);
  folder.edit("name: example-account", "name: my-project");
  folder.edit("  offer:\n", "  landing:\n");
  folder.edit("page: offer", "page: landing");
  await folder.export(account, { format: "typescript" });
  expect(folder.read("Pulumi.yaml")).toContain("name: my-project\n");
  expect(folder.read("index.ts")).toContain('new landform.Page("landing", {');
});

test("line ends that a checkout changed are no edit", async () => {
  await folder.export(account, { format: "typescript" });
  folder.write("index.ts", folder.read("index.ts").replaceAll("\n", "\r\n"));
  await folder.export(account, { format: "typescript" });
  expect(folder.read("index.ts")).not.toContain("\r");
});
