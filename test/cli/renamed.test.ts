/** Resources whose logical name changed, by hand or with the key of a row: the plan tells it. */
import { describe, expect, test } from "vitest";
import type { PropertyMap, StepEventMetadata } from "../../engine/index.ts";
import { renamedIn } from "../../stack/report/notes.ts";
import type { Told } from "../../stack/report/steps.ts";
import { NearDesk } from "./near-desk.ts";

type Sides = Readonly<{ old?: PropertyMap; now?: PropertyMap }>;

function told(op: StepEventMetadata["op"], type: string, name: string, { old, now }: Sides): Told {
  const full = `pulumi-nodejs:dynamic/landform:${type}`;
  const urn = `urn:pulumi:dev::test::${full}::${name}`;
  const state = (inputs: PropertyMap) => ({
    ...{ type: full, urn, custom: true, delete: false, id: "", parent: "", protect: false, retainOnDelete: false },
    ...{ inputs, outputs: {}, provider: "", initErrors: [] },
  });
  const step = {
    ...{ op, urn, type: full, keys: [], diffs: [], detailedDiff: {}, logical: true, provider: "" },
    ...(old && { old: state(old) }),
    ...(now && { new: state(now) }),
  } as StepEventMetadata;
  const rest = { leftovers: new Map(), underWay: new Set<never>(), failed: false, outputs: {}, id: "" };
  return { urn, steps: new Map([[op, step]]), ...rest };
}

describe("a changed logical name", () => {
  const page = { name: "Offer", templateId: "tpl-hero", publish: { siteId: "s", slug: "offer" } };

  test("is refused with the alias to write", () => {
    const all = [told("create", "Page", "new", { now: page }), told("delete", "Page", "old", { old: page })];
    expect(renamedIn(all)).toMatchObject({
      failures: [{ cause: "program", message: expect.stringContaining('aliases: [{ name: "old" }]') as string }],
      warnings: [],
    });
  });

  test("of many resources is refused once", () => {
    const all = ["a", "b", "c", "d"].flatMap((one) => {
      const now = { ...page, name: one, publish: { siteId: "s", slug: one } };
      return [told("create", "Page", `new-${one}`, { now }), told("delete", "Page", `old-${one}`, { old: now })];
    });
    const { failures } = renamedIn(all);
    expect(failures).toHaveLength(1);
    expect(failures[0]?.message).toMatch(/^4 resources of the type Page.*"old-a" is now "new-a".* and 1 more/);
  });

  test("of a project, though its name comes from the logical one", () => {
    const brief = { description: "d".repeat(60), context: "c".repeat(220) };
    const all = [
      told("create", "Project", "new", { now: { ...brief, name: "new" } }),
      told("delete", "Project", "old", { old: { ...brief, name: "old" } }),
    ];
    expect(renamedIn(all).failures).toHaveLength(1);
  });

  test("is told of a draft and of a product, of which there may be two", () => {
    const pairs: [string, PropertyMap][] = [
      ["Page", { name: "Offer", templateId: "tpl-hero" }],
      ["Product", { price: 5 }],
      ["Funnel", { name: "Spring", steps: [] }],
    ];
    for (const [type, inputs] of pairs) {
      const made = ["one", "two"].map((name) => told("create", type, name, { now: inputs }));
      const { failures, warnings } = renamedIn([...made, told("delete", type, "old", { old: inputs })]);
      expect(failures).toEqual([]);
      expect(warnings).toEqual([
        `${type} one is new, with the same inputs as old, which goes. If it was renamed, give it the option aliases: [{ name: "old" }] (in landform.yaml, options: { aliases: [old] }), and it stays the same object.`,
      ]);
    }
  });

  test("is not seen in another page at that path, a page of the same name elsewhere, or a site", () => {
    const other = { ...page, templateId: "tpl-sales" };
    const pairs: [string, string, PropertyMap, string, PropertyMap][] = [
      ["Page", "old", page, "new", other],
      ["Page", "offer", page, "offer", page],
      ["Site", "a.example", { name: "a.example" }, "b.example", { name: "b.example" }],
    ];
    for (const [type, then, old, name, now] of pairs) {
      const all = [told("create", type, name, { now }), told("delete", type, then, { old })];
      expect(renamedIn(all), `${type} ${then}`).toEqual({ failures: [], warnings: [] });
    }
  });
});

const desk = NearDesk.each();

const page = (each: string, slug: string, more = ""): string =>
  `    { each: ${each}, ${more}template: tpl-hero, variables: { brand: A }, publish: { site: main, slug: "${slug}" } }`;
const MATRIX = "{ matrix: { brand: { file: brands.csv, key: key }, lang: [de, en, fr] } }";
const manifest = (...pages: string[]): string =>
  ["landform: 1", "name: rows", "sites: { main: { name: rows.example } }", "pages:", ...pages, ""].join("\n");

test("one refusal names the pages that a changed key renames, and its two ways out keep them", async () => {
  const slug = "${each.brand.slug}-${each.lang.value}";
  desk.write("brands.csv", "key,slug\nacme,x\nbolt,y\n");
  await desk.declare(manifest("  page:", page(MATRIX, slug))).applies();
  const ids = desk.rows("pages").map(({ id }) => id);
  const said = await desk.write("brands.csv", "key,slug\nacme2,x\nbolt,y\n").says(4, "preview");
  expect(said.match(/^error: .*$/gm)).toEqual([
    expect.stringMatching(
      /3 resources of the type Page.*"page-acme-de" is now "page-acme2-de".*put the earlier key of the entry or the row back.*"page-\$\{each\.was\}"/,
    ),
  ]);
  desk.write("brands.csv", "key,slug,was\nacme2,x,acme\nbolt,y,\n");
  const aliases = 'options: { aliases: ["page-${each.brand.was}-${each.lang.value}"] }, ';
  await desk.declare(manifest("  page:", page(MATRIX, slug, aliases))).applies();
  expect(desk.rows("pages").map(({ id }) => id)).toEqual(ids);
});

test('an empty cell is the root of the site, as "" is', async () => {
  const home = (slug: string): string => manifest("  home:", page("{ file: homes.csv, key: key }", slug));
  await desk.write("homes.csv", 'key,slug\nroot,""\n').declare(home("${each.slug}")).applies();
  await desk.write("homes.csv", "key,slug\nroot,\n").plansNothing();
  desk.declare(manifest("  home-root: { template: tpl-hero, variables: { brand: A }, publish: { site: main } }"));
  await desk.plansNothing();
});
