/** `drift --write` of a cell that rows of a matrix share: it offers both ways, and writes the chosen one. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";

const MANIFEST = `landform: 1
name: shared
sites: { main: { name: shared.example } }
pages:
  about:
    each: { matrix: { brand: { file: brands.csv, key: code }, lang: [en, de] } }
    template: tpl-hero
    variables: { brand: "\${each.brand.title}" }
    content: { hero.title: "\${each.brand.title}" }
    publish: { site: main, slug: "\${each.key}" }
`;
const ROW = "    rows:\n      acme-en:\n        content:\n          hero.title: Acme Ltd\n";

test.each([
  { way: "own", written: `${MANIFEST}${ROW}`, titles: ["Acme", "Acme Ltd", "Zen", "Zen"] },
  { way: "all", written: MANIFEST, titles: ["Acme Ltd", "Acme Ltd", "Zen", "Zen"] },
])("--shared $way", async ({ way, written, titles }) => {
  const desk = await NearDesk.own();
  desk.declare(MANIFEST);
  desk.write("brands.csv", "code,title\nacme,Acme\nzen,Zen\n");
  await desk.up();
  await desk.edits("about-acme-en", { "hero.title": "Acme Ltd" });
  const told = await desk.says(0, "drift", "--write");
  for (const offered of ["all", "own"])
    expect(told).toContain(`drift --write --shared ${offered} writes pages.about-acme-en.content.hero.title`);
  expect(told).toContain("Nothing was written.");
  await desk.says(0, "drift", "--write", "--shared", way);
  expect(desk.read("landform.yaml")).toBe(written);
  await desk.applies("--refresh");
  expect(await desk.says(0, "drift", "--full", "--detailed-exitcode")).toContain("no drift");
  for (const [index, slug] of ["acme-de", "acme-en", "zen-de", "zen-en"].entries())
    expect(await desk.visited(`shared-example/${slug}`)).toContain(`${titles[index]}<`);
});
