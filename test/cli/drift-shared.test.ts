// @module-tag thorough
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
  await desk.write("brands.csv", "code,title\nacme,Acme\nzen,Zen\n").up();
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

const BRANDS = `landform: 1
name: shared
copy: { source: de }
sites: { main: { name: shared.example } }
pages:
  home:
    each: { file: brands.csv, key: code }
    template: tpl-hero
    variables: { brand: "\${each.title}", years: "\${each.years}" }
    content: { file: copy.csv }
    publish: { site: main, slug: "\${each.key}" }
`;

async function brandsWith(text: string): Promise<NearDesk> {
  const desk = await NearDesk.own();
  desk.declare(BRANDS);
  desk.write("brands.csv", "code,title,years\nacme,Acme Mugs,5\nzen,Zen,7\nroe,Roe & Co,5\n");
  await desk.write("copy.csv", `key,value\nhero.title,${text}\n`).up();
  return desk;
}

test.each([
  {
    text: "{{brand}} dreht jede.",
    edit: "Acme Mugs dreht. Acme Mugs brennt.",
    cell: "{{brand}} dreht. {{brand}} brennt.",
  },
  {
    text: "{{brand}} dreht jede.",
    edit: "Acme Mugs GmbH dreht. Nur Acme Mugs!",
    cell: "{{brand}} GmbH dreht. Nur {{brand}}!",
  },
  { text: "Jede von Hand.", edit: "Acme Mugs dreht jede.", cell: "{{brand}} dreht jede." },
])('--shared all writes the variable of each place: "$edit" for "$text"', async ({ text, edit, cell }) => {
  const desk = await brandsWith(text);
  await desk.edits("home-acme", { "hero.title": edit });
  expect(await desk.says(0, "drift", "--write")).toContain(`writes pages.home-acme.content.hero.title "${cell}" into`);
  await desk.says(0, "drift", "--write", "--shared", "all");
  expect(desk.read("copy.csv")).toBe(`key,value\nhero.title,${cell}\n`);
  await desk.applies("--refresh");
  expect(await desk.visited("shared-example/zen")).toContain(`${cell.replaceAll("{{brand}}", "Zen")}<`);
  expect(await desk.says(0, "drift", "--full", "--detailed-exitcode")).toContain("no drift");
});

test.each([
  { how: "by a refresh", plan: ["--refresh"], up: ["--refresh"] },
  { how: "by its review", plan: ["--save", "plan.json"], up: ["--plan", "plan.json"] },
])("after drift --write, code and draft say the same: a run that knows it $how writes over no edit", async (knows) => {
  const desk = await brandsWith("{{brand}} dreht jede.");
  await desk.edits("home-acme", { "hero.title": "Acme Mugs brennt jede." });
  await desk.says(0, "drift", "--write", "--shared", "own");
  expect(desk.read("landform.yaml")).toContain("{{brand}} brennt jede.");
  expect(await desk.says(0, "drift", "--write")).not.toContain("changed in both");
  expect(await desk.plan(...knows.plan)).not.toContain("writes over values");
  await desk.applies(...knows.up);
  expect(await desk.visited("shared-example/acme")).toContain("Acme Mugs brennt jede.<");
});

test("--shared all leaves a text that may say the value of a variable here", async () => {
  const desk = await brandsWith("Jede von Hand.");
  await desk.edits("home-acme", { "hero.title": "5 Jahre von Hand." });
  const told = await desk.says(0, "drift", "--write", "--shared", "all");
  expect(told).toMatch(/left .*the text says the value that a variable has here alone.*\{\{variable\}\}/);
  expect(told).toContain("Nothing was written.");
  expect(told).not.toContain("--shared all writes");
  expect(desk.read("copy.csv")).toContain("Jede von Hand.");
});
