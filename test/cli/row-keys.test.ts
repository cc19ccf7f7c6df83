/** Rows of a spreadsheet whose key changes, or whose empty cell a spreadsheet writes in another way. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

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
  desk.write("homes.csv", 'key,slug\nroot,""\n');
  await desk.declare(home("${each.slug}")).applies();
  await desk.write("homes.csv", "key,slug\nroot,\n").plansNothing();
  desk.declare(manifest("  home-root: { template: tpl-hero, variables: { brand: A }, publish: { site: main } }"));
  await desk.plansNothing();
});
