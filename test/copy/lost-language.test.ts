// @module-tag thorough
/** A language that vanishes from its file is not applied without a word: nobody means to show the source instead. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NearDesk } from "../cli/near-desk.ts";

const MANIFEST = `landform: 1
name: lost
copy: { source: en }
pages:
  table: { each: [en, de], name: "Table \${each.key}", template: { id: tpl-hero }, variables: { brand: Acme },
    content: { file: table.csv, locale: "\${each.key}" } }
  file: { each: [en, de], name: "File \${each.key}", template: { id: tpl-hero }, variables: { brand: Acme },
    content: [{ file: en.csv }, { file: "*.xlf", locale: "\${each.key}" }] }
`;
const TABLE = "key,en,de\nhero.title,Hello,Hallo\nhero.text,Soon,Bald\n";
const UNITS = [
  ["hero.title", "Hello", "Hallo"],
  ["hero.text", "Soon", "Bald"],
]
  .map(([key, source, target]) => {
    return `<trans-unit id="${key}"><source>${source}</source><target state="translated">${target}</target></trans-unit>`;
  })
  .join("");
const XLIFF = `<xliff version="1.2"><file original="f" source-language="en" target-language="de"><body>${UNITS}</body></file></xliff>`;
const EN = "key,value\nhero.title,Hello\nhero.text,Soon\n";

test("up refuses a plan that shows no text of a language any more, whatever emptied it; --force allows it", async () => {
  const desk = await NearDesk.own();
  const sound = { "landform.yaml": MANIFEST, "table.csv": TABLE, "en.csv": EN, "de.xlf": XLIFF };
  for (const [name, text] of Object.entries(sound)) desk.write(name, text);
  await desk.up();
  expect(await desk.says(0, "preview")).toContain("no changes");
  desk.writes();
  const ways: [name: keyof typeof sound, text: string | undefined, says: string][] = [
    ["table.csv", TABLE.replaceAll(/,[^,\n]*$/gm, ""), "column de of table.csv"],
    ["table.csv", TABLE.replace("Hallo", "").replace("Bald", ""), "column de of table.csv"],
    ["table.csv", TABLE.replace("Hallo", '""').replace("Bald", '""'), "column de of table.csv"],
    ["de.xlf", XLIFF.replaceAll(/>[^<>]*<\/target>/g, "></target>"), "de.xlf"],
    ["de.xlf", XLIFF.replaceAll(/<target state="translated">[^<>]*<\/target>/g, '<target state="final"/>'), "de.xlf"],
    ["de.xlf", undefined, "de.xlf"],
    ["table.csv", TABLE.replace("Hallo", "Hello").replace("Bald", "Soon"), "column de of table.csv"],
    ["de.xlf", XLIFF.replace("Hallo", "Hello").replace("Bald", "Soon"), "de.xlf"],
    ["table.csv", TABLE.replace(",de", ",d\u00e9"), "column de of table.csv"],
  ];
  for (const [name, text, home] of ways) {
    if (text === undefined) rmSync(join(desk.folder, name));
    else desk.write(name, text);
    const refused = await desk.says(3, "up", "--yes");
    expect(desk.writes()).toEqual([]);
    expect(refused).toMatch(/has lost 2 translations \(de\)[^]*hero\.title[^]*--force/);
    expect(refused).toContain(home);
    expect(await desk.says(0, "preview")).toContain("up will refuse this");
    if (text !== ways.at(-1)?.[1]) desk.write(name, sound[name]);
  }
  await desk.up("--force");
  expect(await desk.says(0, "preview")).toContain("no changes");
}, 240_000);

test("a text without a translation that somebody edits in the app goes back to the original: no translation is lost", async () => {
  const desk = await NearDesk.own();
  desk.declare(MANIFEST);
  for (const [name, text] of Object.entries({ "table.csv": TABLE.replace(",Bald", ","), "en.csv": EN }))
    desk.write(name, text);
  await desk.up();
  await desk.edits("Table de", { "hero.text": "Ein Versuch" });
  await desk.edits("File de", { "hero.title": "Ein Versuch", "hero.text": "Ein Versuch" });
  const back = await desk.up("--refresh");
  expect(back).toContain("2 updated");
  expect(back).not.toMatch(/has lost|is gone/);
  expect(await desk.says(0, "preview", "--refresh")).toContain("no changes");
  desk.write("table.csv", TABLE.replace(",Bald", ",").replace("Hallo", ""));
  await desk.edits("Table de", { "hero.text": "Versuch" });
  expect(await desk.says(3, "up", "--yes", "--refresh")).toMatch(
    /has lost 1 translation \(de\), [^:]*: pages\.table-de\.content\["hero\.title"\] \[/,
  );
}, 240_000);

test("a row that goes is told once for all pages that keep its text", async () => {
  const desk = await NearDesk.own();
  desk.declare(MANIFEST.replace(/^ {2}file: [^]*/m, ""));
  desk.write("table.csv", TABLE);
  await desk.up();
  desk.write("table.csv", TABLE.replace(/^hero\.text.*\n/m, ""));
  const told = await desk.says(0, "preview");
  expect(told.match(/the code no longer sets it/g)).toHaveLength(1);
  expect(told).toContain("Page table-en, table-de: content.hero.text stays as it is, since the code no longer sets it");
}, 120_000);

test("an emptied cell is named once for all pages that keep its text, and an empty text clears them", async () => {
  const desk = await NearDesk.own();
  desk.declare(
    `landform: 1
name: emptied
pages:
  page:
    each: [a, b, c]
    name: Page \${each.key}
    template: { id: tpl-hero }
    variables: { brand: Acme }
    content: [{ file: story.csv }]
products: { mug: { each: { file: mugs.csv, key: sku }, price: "\${each.price}", comparePrice: "\${each.compare}" } }
`,
  );
  desk.write("mugs.csv", "sku,price,compare\nred,20,25\n");
  const table = "key,value\nhero.title,Hello\nhero.text,Two days in the kiln\n";
  desk.write("story.csv", table);
  await desk.up();
  desk.writes();
  desk.write("story.csv", table.replace("Two days in the kiln", ""));
  const told = await desk.says(0, "preview");
  expect(
    told.match(/story\.csv:3:11 is empty now, and 3 pages keep the text that stood there: Page page-a/g),
  ).toHaveLength(1);
  expect(told).not.toContain("no longer sets it");
  desk.write("mugs.csv", "sku,price,compare\nred,,25\n");
  expect(await desk.says(0, "preview")).toContain(
    "mugs.csv:2:5 is empty now, and Product mug-red keeps the value that stood there",
  );
  desk.write("mugs.csv", "sku,price,compare\nred,20,25\n");
  await desk.up();
  expect(desk.writes()).toEqual([]);
  expect(await desk.says(0, "preview")).not.toContain("is empty now");
  desk.write("story.csv", table.replace("Two days in the kiln", "Three days in the kiln"));
  await desk.up();
  desk.write("story.csv", table.replace("Hello", "Hi").replace("Two days in the kiln", ""));
  expect(await desk.says(0, "preview")).toContain("the code no longer sets it  story.csv, line 3");
  desk.write("story.csv", table.replace("Two days in the kiln", '""'));
  expect(await desk.up()).toContain("3 updated");
  expect(await desk.says(0, "preview")).toContain("no changes");
}, 240_000);
