/** An export after edits on both sides: the last run's values tell who made each edit. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Stack } from "./apply.ts";
import { TestAccount, TestFolder } from "./harness.ts";
import { forEachTest, inTest } from "../suite/opened.ts";

const MANIFEST = `landform: 1
pages:
  offer:
    each: { file: pages.csv, key: slug }
    name: Offer \${each.name} # of the file
    template: { id: tpl-hero }
    variables: { brand: Acme }
    content:
      - { file: "copy/*.csv", locale: "\${each.slug}" }
      - { file: "xliff/*.xlf", locale: "\${each.slug}" }
  home:
    template: { id: tpl-hero }
    content: # by hand
      hero.title: Home of {{brand}}
      hero.text: Text
      hero.note: Note
    variables: { brand: Acme }
`;
const COPY = 'key,value\r\nhero.title,One\r\nhero.text,"Two, {{brand}}"\r\nhero.note,Three\r\n';
const XLIFF = `<xliff version="1.2"><file original="x" source-language="en" target-language="de" datatype="plaintext"><body>
  <trans-unit id="hero.cta.text"><source>Buy</source><target state="final">Kaufen</target></trans-unit>
  <trans-unit id="hero.eyebrow"><source>New</source><target>Neu</target></trans-unit>
</body></file></xliff>
`;
const FILES = {
  "landform.yaml": MANIFEST,
  "pages.csv": "slug,name\nriga,Riga\nbern,Bern\n",
  "copy/riga.csv": COPY,
  "copy/bern.csv": COPY,
  "xliff/riga.xlf": XLIFF,
  "xliff/bern.xlf": XLIFF,
};

const account = forEachTest(() => TestAccount.open());
const folder = forEachTest(() => new TestFolder());
let stack: Stack;

beforeEach(async () => {
  for (const [name, text] of Object.entries(FILES)) folder.write(name, text);
  // A person has decided for the code, where the account says otherwise.
  stack = new Stack(account, "include");
  await stack.up(folder);
});

afterEach(() => stack.close());

async function edited(name: string, updates: Record<string, string>): Promise<void> {
  const { id = "" } = stack.lastApplied("Page", name) ?? {};
  await account.edit(id, updates);
}

const merged = () => folder.export(account, { lastApplied: (type, name) => stack.lastApplied(type, name) });

test("edits of the account go into their cells, those of the code stay, and both sides of a conflict are shown", async () => {
  const texts = { "hero.title": "One, live", "hero.note": "Three, live", "hero.cta.text": "Kauf <jetzt>" };
  await edited("offer-riga", texts);
  await edited("home", { "hero.text": "Text, live", "hero.note": "Note, live" });
  folder.edit("hero.note,Three", "hero.note,Code", "copy/riga.csv");
  folder.edit("Two, {{brand}}", "Zwei, {{brand}}", "copy/riga.csv");
  folder.edit("<target>Neu<", "<target>Anders<", "xliff/riga.xlf");
  folder.edit("      hero.title: Home of {{brand}}\n", "      hero.title: At {{brand}}\n");
  folder.edit("hero.note: Note", "hero.note: Note, code");

  const { kept, ahead } = await merged();
  expect(kept).toEqual([
    'pages.offer-riga.content.hero.note (changed in both: the code says "Code" now, the account "Three, live")',
    'pages.home.content.hero.note (changed in both: the code says "Note, code" now, the account "Note, live")',
  ]);
  expect([...ahead].sort()).toEqual([
    "pages.home.content.hero.title",
    "pages.offer-riga.content.hero.eyebrow",
    "pages.offer-riga.content.hero.text",
  ]);
  expect(folder.read("copy/riga.csv")).toBe(
    COPY.replace("One", '"One, live"').replace("Three", "Code").replace("Two", "Zwei"),
  );
  expect(folder.read("xliff/riga.xlf")).toBe(XLIFF.replace("Kaufen", "Kauf &lt;jetzt&gt;").replace("Neu", "Anders"));
  for (const name of ["pages.csv", "copy/bern.csv", "xliff/bern.xlf"] as const)
    expect(folder.read(name)).toBe(FILES[name]);
  const manifest = folder.read().replace(/^ {4}adoptId: .*\n/m, "");
  expect(manifest).toBe(
    MANIFEST.replace("Home of", "At")
      .replace("hero.text: Text", "hero.text: Text, live")
      .replace("hero.note: Note", "hero.note: Note, code"),
  );

  // The next run applies the code, and then both sides agree.
  await stack.apply(folder);
  expect(await stack.pendingOf(folder)).toEqual([]);
  expect(await merged()).toMatchObject({ files: [], kept: [], ahead: [] });
});

test("an export into code that manages the objects writes no field that nobody declared, and the next plan does nothing", async () => {
  const its = await inTest(TestAccount.open());
  const own = await inTest(new TestFolder());
  const mine = await inTest(new Stack(its));
  const text = `landform: 1
sites: { main: { name: main.example } }
pages:
  made:
    template: { id: tpl-hero }
    variables: { brand: Acme }
    content: { hero.text: Mine }
    publish: { site: main, slug: made }
products:
  mug:
    price: 12.5
`;
  own.write("landform.yaml", text);
  await mine.up(own);
  const { id = "" } = mine.lastApplied("Page", "made") ?? {};
  await its.edit(id, { "hero.text": "Mine, live" });
  // A service that fills it in.
  const { products = [], ...rest } = its.emulator.records();
  its.emulator.restore({ ...rest, products: products.map((product) => ({ ...product, rating: "4.9" })) });
  const lastApplied = (type: string, name: string) => mine.lastApplied(type, name);
  const { updated, kept } = await own.export(its, { lastApplied });
  expect(kept).toEqual([]);
  expect(updated.filter((path) => !path.endsWith(".adoptId"))).toEqual(["pages.made.content.hero.text"]);
  expect(own.read().replaceAll(/( |^ +)adoptId: [\w"]+,?\n?/gm, "")).toContain("  mug:\n    price: 12.5\n");
  await mine.apply(own);
  expect(await mine.pendingOf(own)).toEqual([]);
  expect(await own.export(its, { lastApplied })).toMatchObject({ files: [], kept: [], ahead: [] });
});
