// @module-tag thorough
/** `drift --write` takes hand edits back into the manifest: values, references and shared cells, and nothing else of the files changes. */
import { mkdirSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";

const desk = forAllTests(() => NearDesk.open("quickstart-yaml"));
let before: string;

beforeAll(
  () => desk.edit("landform.yaml", "hero.title: A mug", "# Marketing likes this one.\n      hero.title: A mug"),
  240_000,
);

test("drift --write changes the declared place of each edit, and no other byte", async () => {
  await desk.up();
  before = desk.read("landform.yaml");
  await desk.edits("Offer", { "hero.title": 'Say "hello": #1', "hero.cta.text": "Take it" });
  const stepsTo = (pageType: string) =>
    desk.app("PATCH", "/funnels", {
      funnel_id: desk.rows("funnels")[0]?.id,
      pages: [{ pageId: desk.page("Thank you"), pageType }],
    });
  await stepsTo("thankyou");
  desk.writes();
  const { code, stdout, stderr } = await desk.run(["drift", "--full", "--write", "--detailed-exitcode"]);
  expect([code, stderr]).toEqual([2, ""]);
  expect(desk.writes()).toEqual([]);
  expect(stdout).toContain("written  pages.offer.content.hero.title");
  const after = desk.read("landform.yaml");
  expect(after).toContain("# Marketing likes this one.\n");
  expect(after).toMatch(/hero\.title: ['"]Say .*#1['"]/);
  expect(after).toContain("hero.cta.text: Take it");
  expect(after).toMatch(/steps:\n\s+- \{ page: thanks, pageType: thankyou \}\n/);
  // The text stands only in the draft.
  expect(stdout).toMatch(/takes it into the state, and publishes Page offer: visitors don't get these edits yet/);
  const visitors = (): Promise<string> => desk.visited("mugs-example/offer");
  expect(await visitors()).toContain("A mug");
  expect(await visitors()).not.toContain("Take it");
  const changed = (text: string) =>
    text.split("\n").filter((line) => !/hero\.title|hero\.cta\.text|pageType/.test(line));
  expect(changed(after)).toEqual(changed(before));
  const applied = await desk.clean("up", "--refresh", "--yes");
  expect(applied).toMatch(/publishes .*content\["hero\.title"\], which the draft has already/);
  expect(applied).not.toContain("held back");
  expect(await visitors()).toContain("Take it");
  expect(await desk.says(0, "drift", "--full", "--detailed-exitcode")).toContain("no drift");

  // The code takes out a step that a person has changed: a person has to choose.
  await stepsTo("upsell");
  desk.declare(desk.read("landform.yaml").replace(/steps:\n\s+- \{ page: thanks.*/, "steps: []"));
  const without = desk.read("landform.yaml");
  const left = await desk.says(0, "drift", "--full", "--write");
  expect(left).toMatch(
    /left {5}Funnel .* steps\[0\]\.pageType \(changed in both: the code says nothing now, the app "upsell"\)/,
  );
  expect(left).toContain("Write those that are to stay into the code yourself");
  expect(desk.read("landform.yaml")).toBe(without);
});

test("the advice after a drift tells which values drift --write takes, and which it leaves", async () => {
  const desk = await NearDesk.own();
  desk.also.env = { SKU: "the-sku" };
  const declare = (ctaText: string) =>
    desk.declare(
      `landform: 1\nname: mixed\nproducts: { mug: { price: 1, ctaText: ${ctaText}, sku: { env: SKU, secret: true } } }\n`,
    );
  await declare("Buy").applies();
  const [mug] = desk.rows("products");
  const change = (fields: object): Promise<unknown> =>
    desk.app("PATCH", "/products", { product_id: mug?.id, ...fields });
  await change({ price: 7 });
  expect(await desk.says(0, "drift", "--full")).toContain("drift --write takes the edits into the code.");
  await change({ cta_text: "Theirs", sku: "of others" });
  expect(await declare("Order").says(0, "drift", "--full")).toContain(
    "drift --write takes Product mug price into the code, and leaves Product mug ctaText (changed in both), Product mug sku (a secret) to you.",
  );
  expect(await desk.says(0, "drift", "--full", "--write")).toMatch(
    /written +\S*price[^]*left +Product mug ctaText \(changed in both[^]*left +Product mug sku \(a secret\)/,
  );
  expect(await desk.says(0, "drift", "--full")).not.toContain("drift --write");
});

test("of a program that reads data files, the cell or text that says it is changed; the rest of the file stays, to the byte", async () => {
  desk.program(`import { readFileSync } from "node:fs";
const eyebrow = readFileSync("eyebrow.txt", "utf8").trim();
const content = landform.content([{ file: "copy.csv" }, { file: "copy.yaml" }, { file: "copy.xlf" }, { folder: "texts" }]);
new landform.Page("told", { templateId: "tpl-hero", content: { ...content, "hero.eyebrow": eyebrow } });`);
  const csv = '\uFEFFkey,value\r\nhero.title,"Mugs, all of them"\r\ntop.brand,Since 1980\r\n';
  const yaml = "# Of marketing.\nhero.text: 'Made by hand' # and fired twice\n";
  const xliff = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="copy" source-language="en" target-language="de" datatype="plaintext">
    <body>
      <trans-unit id="hero.cta.text"><source>Take one</source><target state="translated">Nimm eine</target></trans-unit>
    </body>
  </file>
</xliff>
`;
  for (const [name, text] of Object.entries({ "copy.csv": csv, "copy.yaml": yaml, "copy.xlf": xliff }))
    desk.write(name, text);
  desk.write("eyebrow.txt", "By hand\n");
  mkdirSync(desk.path("texts"));
  desk.write("texts/hero.note.md", "A note of its own.\r\n");
  await desk.edit("Pulumi.yaml", "name: test", "name: cells").up();
  await desk.edits("told", {
    "hero.title": 'Mugs, "all" of them',
    "hero.text": "Made: by hand",
    "hero.cta.text": "Nimm < zwei",
    "hero.note": "Another note.",
    "hero.eyebrow": "By hands",
  });
  const told = await desk.says(0, "drift", "--full", "--write");
  expect(told.match(/written {2}[\w./]+: Page told content/g)).toHaveLength(5);
  expect(desk.read("copy.csv")).toBe(csv.replace("Mugs, all of them", 'Mugs, ""all"" of them'));
  expect(desk.read("copy.yaml")).toBe(yaml.replace("Made by hand", "Made: by hand"));
  expect(desk.read("copy.xlf")).toBe(xliff.replace("Nimm eine", "Nimm &lt; zwei"));
  expect(desk.read("texts/hero.note.md")).toBe("Another note.");
  expect(desk.read("eyebrow.txt")).toBe("By hands\n");
  await desk.clean("up", "--refresh", "--yes");
  await desk.plansNothing("--refresh");
});

/** Cells that rows of a matrix share: it offers both ways, and writes the chosen one. */
const ABOUT = `landform: 1
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
  { way: "own", written: `${ABOUT}${ROW}`, titles: ["Acme", "Acme Ltd", "Zen", "Zen"] },
  { way: "all", written: ABOUT, titles: ["Acme Ltd", "Acme Ltd", "Zen", "Zen"] },
])("--shared $way", async ({ way, written, titles }) => {
  const desk = await NearDesk.own();
  await desk.declare(ABOUT).write("brands.csv", "code,title\nacme,Acme\nzen,Zen\n").up();
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
