/** `export --data csv`: what repeats is one entry over a table, and it declares what the plain export declares. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { writeYaml } from "../../manifest/export/index.ts";
import { tablesIn } from "../../manifest/export/tables.ts";
import { Reference, type Model, type Resource } from "../../manifest/match/model.ts";
import { TextFiles } from "../../manifest/write/files.ts";
import { Deferred, isTreeMap, type Tree } from "../../manifest/declare/model.ts";
import { validate } from "../../manifest/index.ts";
import { folderWith } from "../manifest/files.ts";
import { hostileTexts } from "./accounts.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { inTest } from "../suite/opened.ts";
import { thorough } from "../suite/parts.ts";

const modelOf = (resources: readonly Resource[]): Model => ({
  ...{ title: "T", name: "T", resources, leftOut: [], copy: false, warnings: [] },
});

const page = (key: string, slug: string, texts: Record<string, string>, more: object = {}): Resource => ({
  kind: "page",
  key,
  id: `page_${key}`,
  name: key.toUpperCase(),
  inputs: { publish: { siteId: new Reference("site", "main"), ...(slug !== "" && { slug }) }, content: texts, ...more },
  notes: [],
});
const SITE: Resource = { kind: "site", key: "main", id: "site_1", name: "s.example", inputs: {}, notes: [] };

test("pages of one shape are a table, with shared texts in one file and the texts of each in another", () => {
  const shops = ["riga", "bern", "wien"].map((key) =>
    page(key, `offer/${key}`, { title: `In ${key}`, note: "Free, always" }),
  );
  const other = page("about", "about", { text: "We" });
  const funnel: Resource = {
    ...{ kind: "funnel", key: "f", id: "funnel_1", name: "F", notes: [] },
    inputs: { steps: [{ pageId: new Reference("page", "bern"), pageType: "presell" }] },
  };
  const texts = new TextFiles();
  const found = tablesIn(modelOf([SITE, ...shops, other, funnel]), texts);
  expect(found.model.resources.map(({ key }) => key)).toEqual([
    "main",
    "page-riga",
    "page-bern",
    "page-wien",
    "about",
    "f",
  ]);
  const { files } = writeYaml(found.model, texts, found.tables);
  expect(Object.fromEntries([...files].filter(([name]) => name !== "landform.yaml"))).toEqual({
    "content/pages.csv":
      "key,adoptId,name,slug\nriga,page_riga,RIGA,offer/riga\nbern,page_bern,BERN,offer/bern\nwien,page_wien,WIEN,offer/wien\n",
    "content/pages-texts.csv": 'key,value\nnote,"Free, always"\n',
    "content/pages/riga.csv": "key,value\ntitle,In riga\n",
    "content/pages/bern.csv": "key,value\ntitle,In bern\n",
    "content/pages/wien.csv": "key,value\ntitle,In wien\n",
  });
  expect(files.get("landform.yaml")).toContain(`
  page:
    each: { file: content/pages.csv }
    adoptId: \${each.adoptId}
    name: \${each.name}
    publish: { site: main, slug: "\${each.slug}" }
    content:
      - { file: content/pages-texts.csv }
      - { file: "content/pages/\${each.key}.csv" }
`);
  expect(files.get("landform.yaml")).toContain("{ page: page-bern, pageType: presell }");
});

const text = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ maxLength: 20, unit: "grapheme" }));
const pages = fc.array(
  fc.record({
    slug: fc.constantFrom("offer", "a/b"),
    title: text,
    note: fc.constantFrom("same", "other"),
    label: fc.option(fc.constantFrom("Mug", '"x", y', "1.0"), { nil: null }),
    isPlain: fc.boolean(),
  }),
  { minLength: 3, maxLength: 8 },
);

test("any pages are declared as the plain export declares them", () =>
  fc.assert(
    fc.property(pages, (all) => {
      const resources = all.map(({ slug, title, note, label, isPlain }, index) => {
        const texts: Record<string, string> = isPlain ? { title, note } : { title, note, extra: "x" };
        return page(`p${index}`, index === 0 ? "" : `${slug}${index}`, texts, { productLabel: label });
      });
      const model = modelOf([SITE, ...resources]);
      const plainTexts = new TextFiles();
      const texts = new TextFiles();
      const found = tablesIn(model, texts);
      const declared = declaredIn(writeYaml(found.model, texts, found.tables).files);
      expect(declared).toEqual(declaredIn(writeYaml(model, plainTexts).files));
    }),
    { numRuns: 100, seed: 1 },
  ));

/** Returns the inputs of each entry by the object that it adopts, with objects in place of keys. */
function declaredIn(files: ReadonlyMap<string, string>): Record<string, unknown> {
  const folder = folderWith(Object.fromEntries(files));
  const { manifest, diagnostics } = validate("landform.yaml", { cwd: folder });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const ids = new Map((manifest?.entries ?? []).map(({ address, inputs }) => [address, inputs["adoptId"]]));
  const meant = (tree: Tree | undefined): unknown => {
    if (tree instanceof Deferred) return tree.origin.from === "resource" ? ids.get(tree.origin.target) : tree.origin;
    if (Array.isArray(tree)) return tree.map(meant);
    if (!isTreeMap(tree)) return tree;
    // The page of the root has an empty slug, or none.
    const said = Object.entries(tree).filter(([key, inner]) => !(key === "slug" && inner === ""));
    return Object.fromEntries(said.map(([key, inner]) => [key, meant(inner)]));
  };
  return Object.fromEntries(
    (manifest?.entries ?? []).map(({ inputs }) => [JSON.stringify(inputs["adoptId"]), meant(inputs)]),
  );
}

thorough("an account that is exported so is adopted without a write, and merged later", async () => {
  const account = await inTest(TestAccount.open());
  const folder = await inTest(new TestFolder());
  const { api } = account;
  const site = await api.sites.create({ name: "shop.example" });
  const names = ["Riga", "Bern", "Wien", "Oslo"];
  for (const name of names) {
    const { id } = await api.pages.createFromTemplate({ name, template_id: "tpl-hero" });
    await api.pages.replaceVariables({ page_id: id, variables: { brand: name } });
    await api.pages.publish({ page_id: id, site_id: site.id, slug: name.toLowerCase() });
  }
  account.calls();
  await folder.export(account, { data: "csv" });
  expect(folder.read()).toContain("each: { file: content/pages.csv }");
  const written = folder.read("content/pages.csv");
  expect(written.split("\n")).toHaveLength(6);
  await folder.run("preview", account);
  await folder.run("up", account);
  expect(account.writes()).toEqual([]);
  expect((await folder.run("preview", account)).summary).toEqual({ same: 6 });
  const again = await folder.export(account, { data: "csv" });
  expect([again.files, again.kept, folder.read("content/pages.csv")]).toEqual([[], [], written]);

  const [bern] = (await api.pages.list()).filter(({ page_name: name }) => name === "Bern");
  await api.pages.updateContent({ page_id: bern?.id ?? "", updates: { "hero.eyebrow": "New in Bern" } });
  const merged = await folder.export(account);
  expect(merged.files).toEqual(["content/pages/bern.csv"]);
  expect(folder.read("content/pages/bern.csv")).toContain("hero.eyebrow,New in Bern\n");
});
