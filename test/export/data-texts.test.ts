/** Hand edits go back into the cell of their value, and nowhere else. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { liveTexts, writeLiveTexts, type LiveValues } from "../../manifest/export/live-values.ts";
import { validate, type Sharing } from "../../manifest/index.ts";
import { folderWith } from "../manifest/files.ts";

const MANIFEST = `landform: 1
# Kept as it is.
pages:
  offer:
    each: { file: cities.csv, key: slug }
    name: \${each.name}
    variables: { city: "\${each.name}" }
    content:
      - { file: base.yaml }
      - { file: "copy/*.json", locale: "\${each.lang}" }
      - { file: copy.csv, value: "\${each.lang}" }
      - hero.note: The same for all
        hero.cta: Go to \${each.slug}
  plain:
    content:
      - { file: plain.yaml }
      - hero.title: Written here # and its comment
`;
const CITIES = '\uFEFFslug;name;lang\r\nriga;"Rīga; ""LV""";lv\r\nbern;Bern;de\r\nwien;Wien;de\r\n';

function open(manifest = MANIFEST, more: Record<string, string> = {}) {
  const files = {
    "landform.yaml": manifest,
    "cities.csv": CITIES,
    "base.yaml": "# all\nhero.text: Base\nhero.long: Base\n",
    "copy/lv.json": '{\n\t"hero.title": "Sveiki", "hero.more": "Vairāk {{city}}"\n}',
    "copy/de.json": '{ "hero.title": "Hallo" }\n',
    "copy.csv": "key,lv,de\nfooter,Kājene,Fuß\n",
    "plain.yaml": "hero.text: 'It''s plain' # quoted\nhero.long: |\n  One\n  two\n",
    ...more,
  };
  const folder = folderWith(files);
  const path = join(folder, "landform.yaml");
  const write = (live: readonly LiveValues[], sharing?: Sharing) => {
    const texts = liveTexts(path, live, { outside: { env: {} }, owner: () => undefined, sharing });
    const named = (told: readonly string[]): string[] => told.map((one) => one.replaceAll(`${folder}/`, ""));
    const { shared } = texts;
    return { files: writeLiveTexts(path, texts), updated: named(texts.updated), kept: named(texts.kept), shared };
  };
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  const changed = (): string[] => Object.entries(files).flatMap(([name, text]) => (read(name) === text ? [] : [name]));
  const sound = (): unknown => expect(validate(path).diagnostics).toEqual([]);
  return { write, changed, read, sound };
}

const page = (name: string, texts: Record<string, string>, called?: string): LiveValues => {
  const fields = Object.entries(texts).map(([key, value]) => ({ path: ["content", key], value }));
  return {
    type: "Page",
    name,
    fields: [...(called === undefined ? [] : [{ path: ["name"], value: called }]), ...fields],
  };
};

test("a text of one page goes into its JSON, CSV or YAML, in the layout that is there", () => {
  const { write, changed, read, sound } = open();
  const { updated, kept } = write([
    page("offer-riga", { "hero.title": 'Labdien, "Rīga"', footer: "Viena, divas" }),
    page("plain", { "hero.text": "It's edited: yes", "hero.long": "One\nthree\n", "hero.title": "Edited" }),
  ]);
  expect(kept).toEqual([]);
  expect([...updated].sort()).toEqual([
    "pages.offer-riga.content.footer (copy.csv:2:8)",
    "pages.offer-riga.content.hero.title (copy/lv.json:2:16)",
    "pages.plain.content.hero.long (plain.yaml:2:12)",
    "pages.plain.content.hero.text (plain.yaml:1:12)",
    "pages.plain.content.hero.title",
  ]);
  expect(read("copy/lv.json")).toBe('{\n\t"hero.title": "Labdien, \\"Rīga\\"", "hero.more": "Vairāk {{city}}"\n}');
  expect(read("copy.csv")).toBe('key,lv,de\nfooter,"Viena, divas",Fuß\n');
  expect(read("plain.yaml")).toBe("hero.text: 'It''s edited: yes' # quoted\nhero.long: |\n  One\n  three\n");
  expect(read("landform.yaml")).toBe(MANIFEST.replace("Written here", "Edited"));
  expect(changed()).toEqual(["landform.yaml", "copy/lv.json", "copy.csv", "plain.yaml"]);
  sound();
});

test("what several pages say by one cell, the key of a row and the words of the entry are left, with the place", () => {
  const { write, changed } = open();
  const { files, updated, kept } = write([
    page("offer-bern", { "hero.title": "Grüezi", "hero.text": "Only here" }),
    page("offer-riga", { "hero.note": "Mine", "hero.cta": "Go there" }, "Riga"),
  ]);
  expect([files, updated, changed()]).toEqual([[], [], []]);
  expect(kept).toEqual([
    expect.stringMatching(
      /hero\.note \(.*landform\.yaml:12:20 is used for all of offer\. To change this one, write it under rows: \{ "riga": … \}/,
    ),
    expect.stringMatching(
      /hero\.cta \(.*landform\.yaml:13:19 is used for all of offer\. To change this one, write it under rows: \{ "riga": … \}/,
    ),
    expect.stringMatching(/^pages\.offer-bern\.content\.hero\.title \(.*copy\/de\.json:1:17 is used in 2 places/),
    expect.stringMatching(
      /^pages\.offer-bern\.content\.hero\.text \(copy\/de\.json, hero\.text would be used in 2 places/,
    ),
    expect.stringMatching(/^pages\.offer-riga\.name \(.*cities\.csv:2:6 is used in 2 places/),
  ]);
});

test("a shared cell is written for all, or the text is written out for one that has a place of its own", () => {
  const edited = [
    page("offer-bern", { "hero.title": "Grüezi" }),
    page("plain", { "hero.text": "Only here", "hero.long": "Short" }),
  ];
  const shared = MANIFEST.replace("{ file: plain.yaml }", "{ file: base.yaml }").replace(
    / {6}- hero\.title: Written here.*\n/,
    "",
  );
  const left = open(shared).write(edited);
  expect(left.kept).toEqual([
    expect.stringMatching(
      /^pages\.offer-bern\.content\.hero\.title .*To change this one, write it under rows: \{ "bern": … \}/,
    ),
    expect.stringMatching(
      /^pages\.plain\.content\.hero\.text .*is used in 4 places \(1 Latvian, 2 German, 1 other\)\. .* To change this one, write it out for this one/,
    ),
    expect.stringMatching(/^pages\.plain\.content\.hero\.long .*is used in 4 places/),
  ]);
  expect(left.shared.map(({ what, uses, ways }) => [what, uses, ways.join()])).toEqual([
    ["pages.offer-bern.content.hero.title", 2, "all,own"],
    ["pages.plain.content.hero.text", 4, "all,own"],
    ["pages.plain.content.hero.long", 4, "all,own"],
  ]);

  const all = open(shared);
  expect(all.write(edited, "all")).toMatchObject({ kept: [], files: ["copy/de.json", "base.yaml"] });
  expect(all.read("base.yaml")).toBe("# all\nhero.text: Only here\nhero.long: Short\n");
  all.sound();

  const own = open(shared);
  expect(own.write(edited, "own")).toMatchObject({ files: ["landform.yaml"], kept: [] });
  const ofRow = "    rows:\n      bern:\n        content:\n          hero.title: Grüezi\n";
  expect(own.read("landform.yaml")).toBe(
    `${shared.replace("  plain:\n", `${ofRow}  plain:\n`)}      - hero.text: Only here\n        hero.long: Short\n`,
  );
  own.sound();
  expect(own.write([page("plain", { "hero.text": "Again" })])).toMatchObject({ kept: [] });
  expect(own.read("landform.yaml")).toContain("- hero.text: Again\n");
});

const MATRIX = `landform: 1
products:
  mug: # a comment
    each: { matrix: { brand: { file: brands.csv, key: code }, size: [small, large] } }
    name: "\${each.brand.title} mug"
    price: "\${each.brand.price}"
pages:
  about:
    each: { matrix: { brand: { file: brands.csv, key: code }, lang: [en, de] } }
    content:
      hero.title: "\${each.brand.title}"
      hero.text: "Hello from \${each.brand.title}"
      hero.note: For all
    publish: { site: { id: s }, slug: "\${each.key}" }
`;

test("a row of a matrix gets a value of its own: of a cell, of a part of a text, and of what the entry says for all rows", () => {
  const brands = "code,title,price\nacme,Acme,12\nzen,Zen,13\n";
  const files = { "landform.yaml": MATRIX, "brands.csv": brands };
  const matrix = open(MATRIX, files);
  const price = { type: "Product", name: "mug-acme-small", fields: [{ path: ["price"], value: 9 }] };
  const edited = [
    page("about-acme-en", { "hero.title": "Acme Ltd", "hero.text": "Hello from Acme Ltd", "hero.note": "For one" }),
    page("about-zen-de", {}, "Über Zen"),
    price,
  ];
  const left = matrix.write(edited);
  expect([left.files, left.updated]).toEqual([[], []]);
  expect(left.shared.map(({ what, ways }) => [what, ways.join()])).toEqual([
    ["pages.about-acme-en.content.hero.title", "all,own"],
    ["pages.about-acme-en.content.hero.text", "all,own"],
    ["products.mug-acme-small.price", "all,own"],
  ]);
  expect(matrix.write(edited, "own").kept).toEqual([]);
  const ofProducts = "    rows:\n      acme-small:\n        price: 9\n";
  const texts =
    "          hero.note: For one\n          hero.title: Acme Ltd\n          hero.text: Hello from Acme Ltd\n";
  const ofPages = `    rows:\n      acme-en:\n        content:\n${texts}      zen-de:\n        name: Über Zen\n`;
  expect(matrix.read("landform.yaml")).toBe(`${MATRIX.replace("pages:\n", `${ofProducts}pages:\n`)}${ofPages}`);
  matrix.sound();
  // The values of a row are the entry's from now on, and those of the other rows are as they were.
  expect(matrix.write(edited)).toMatchObject({ files: [], kept: [], updated: [] });
  const again = matrix.write([page("about-acme-en", { "hero.title": "Acme & Co" })]);
  expect(again).toMatchObject({ files: ["landform.yaml"], kept: [], shared: [] });
  expect(matrix.read("landform.yaml")).toContain("hero.title: Acme & Co\n");
  expect(matrix.write([page("about-acme-de", { "hero.title": "Acme" })]).files).toEqual([]);
});

test("a number and a truth value of a row go into their cells", () => {
  const csv = "slug,name,price,full\nmug,Mug,12.5,true\n";
  const products = `landform: 1
products:
  shop: { each: { file: mugs.csv, key: slug }, name: "\${each.name}", price: "\${each.price}", showFullProduct: "\${each.full}" }
`;
  const { write, read } = open(products, { "mugs.csv": csv });
  const fields = [
    { path: ["price"], value: 13 },
    { path: ["showFullProduct"], value: false },
  ];
  expect(write([{ type: "Product", name: "shop-mug", fields }])).toMatchObject({ kept: [], files: ["mugs.csv"] });
  expect(read("mugs.csv")).toBe(csv.replace("12.5,true", "13,false"));
});

const UNITS = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="a" source-language="en" target-language="de" datatype="plaintext"><body>
    <trans-unit id="hero.title"><source>Hello</source><target state="final">Hallo</target><note>Short</note></trans-unit>
    <trans-unit id="hero.text"><source>Text</source><target>Wort</target></trans-unit>
  </body></file>
</xliff>
`;

test("a text of an XLIFF file goes into its target, and a text of a folder is its file", () => {
  const manifest = "landform: 1\npages:\n  a: { content: [{ file: de.xlf }, { folder: texts }] }\n";
  const { write, read } = open(manifest, { "de.xlf": UNITS, "texts/footer.md": "Old\n" });
  const { files, kept } = write([page("a", { "hero.title": "Grüße & <mehr>", footer: "New\n" })]);
  expect([kept, files.toSorted()]).toEqual([[], ["de.xlf", "texts/footer.md"]]);
  expect(read("de.xlf")).toBe(UNITS.replace("Hallo", "Grüße &amp; &lt;mehr&gt;"));
  expect(read("texts/footer.md")).toBe("New\n");
});

test("a text that is put together goes into the one cell that explains it, if all its pages have changed alike", () => {
  const manifest = `landform: 1
pages:
  page:
    each:
      matrix:
        brand: { file: brands.csv, key: brand }
        page: { file: titles.csv, key: page }
    name: "\${each.brand.name}: \${each.page.title} (\${each.page.key})"
`;
  const tables = {
    "brands.csv": "brand,name\na,Acme\nb,Bell\n",
    "titles.csv": 'page,title\nx,"Now, or never"\ny,Deal\n',
  };
  const opened = (): ReturnType<typeof open> => open(manifest, tables);
  const named = (...all: [page: string, name: string][]): LiveValues[] =>
    all.map(([key, name]) => page(`page-${key}`, {}, name));
  const all = opened();
  const { kept, updated } = all.write(named(["a-x", "Acme: Today (x)"], ["b-x", "Bell: Today (x)"]));
  expect([kept, updated]).toEqual([
    [],
    ["pages.page-a-x.name (titles.csv:2:3)", "pages.page-b-x.name (titles.csv:2:3)"],
  ]);
  expect(all.read("titles.csv")).toBe('page,title\nx,"Today"\ny,Deal\n');
  const left: [page: string, name: string, why: RegExp][] = [
    ["a-x", "Acme: Today (x)", /titles\.csv:2:3 is used in 2 places/],
    ["a-x", "Our Acme: Today (x)", /is used for all of page/],
    ["a-y", "Acme: Deal (z)", /is the key of the row/],
  ];
  for (const [key, name, why] of left)
    expect(opened().write(named([key, name]))).toMatchObject({ updated: [], kept: [expect.stringMatching(why)] });
});
