/** Texts go out to translators and back into the files that pages take them from. The commands name stale ones and lose nothing. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { called } from "../cli/called.ts";
import { findingsOf } from "../../stack/lint/of-plan.ts";
import { openProject } from "../../stack/project/open.ts";
import type { Change } from "../../stack/report/model.ts";
import { CopyRecord, lint, validate } from "../../manifest/index.ts";
import { folderWith } from "../manifest/files.ts";

const TEXTS: Readonly<Record<string, string>> = {
  "hero.title": "Hello {{brand}}",
  "hero.text": 'Line one\nline "two", <b>bold</b> & co 👩‍👩‍👧‍👦',
  "hero.cta": "Buy now",
};
const GERMAN: Readonly<Record<string, string>> = {
  "hero.title": "Hallo {{brand}} \u05e9\u05dc\u05d5\u05dd",
  "hero.text": 'Zeile eins\nZeile "zwei"; <b>fett</b> & Co 👩‍👩‍👧‍👦',
  "hero.cta": "Jetzt kaufen",
};

const PAGES = (layer: string): string => `landform: 1
copy: { source: en }
pages:
  offer:
    each: [en, de]
    name: Offer \${each.key}
    content: { ${layer}, locale: "\${each.key}" }
    variables: { brand: Acme }
`;

/** Returns a manifest with a page for each table of texts. */
const pagesFrom = (tables: readonly string[]): string =>
  `landform: 1\ncopy: { source: en }\npages:\n${tables
    .map(
      (name) => `  ${name}:
    each: [en, de]
    name: ${name} \${each.key}
    content: { file: ${name}.csv, locale: "\${each.key}" }
    variables: { brand: Acme }
`,
    )
    .join("")}`;

const ofEach = (line: (key: string, text: string) => string, texts = TEXTS): string =>
  Object.entries(texts)
    .map(([key, text]) => line(key, text))
    .join("");
const yaml = (texts: Readonly<Record<string, string>>): string =>
  `# kept\n${ofEach((key, text) => `${key}: ${JSON.stringify(text)}\n`, texts)}`;
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

interface Shape {
  layer: string;
  files: Record<string, string>;
  /** The file with the German texts. */
  home: string;
}

/** A file for each language. */
const filesOf = (ending: string, content: string): Shape => ({
  layer: `file: content/offer.*.${ending}`,
  files: { [`content/offer.en.${ending}`]: content },
  home: `content/offer.de.${ending}`,
});

const XLIFF = ofEach(
  (key, text) => `<trans-unit id="${key}"><source>x</source><target><![CDATA[${text}]]></target></trans-unit>`,
);

const SHAPES: Readonly<Record<string, Shape>> = {
  YAML: filesOf("yaml", yaml(TEXTS)),
  JSON: filesOf("json", JSON.stringify(TEXTS)),
  CSV: filesOf("csv", `key,value\r\n${ofEach((key, text) => `${key},${cell(text)}\r\n`)}`),
  "columns of a CSV file": {
    layer: "file: content/offer.csv",
    files: { "content/offer.csv": `key;en;de\n${ofEach((key, text) => `${key};${cell(text)};\n`)}` },
    home: "content/offer.csv",
  },
  XLIFF: filesOf(
    "xlf",
    `<xliff version="1.2"><file original="o" source-language="en" target-language="en"><body>${XLIFF}</body></file></xliff>`,
  ),
};

const project = ({ layer, files }: Shape): string => folderWith({ "landform.yaml": PAGES(layer), ...files });

function contentIn(folder: string, address: string): unknown {
  const { manifest, diagnostics } = validate("landform.yaml", { cwd: folder });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return manifest?.entries.find((entry) => entry.address === address)?.inputs["content"];
}

function staleIn(folder: string): string[] {
  const { manifest } = validate("landform.yaml", { cwd: folder });
  if (!manifest) throw new Error("no manifest");
  return lint(manifest, { record: CopyRecord.read(folder), only: ["stale"] }).map(({ message }) => message);
}

/** Writes the German texts for translators. */
const extracted = (folder: string, out: string) =>
  called("copy", "extract", "-C", folder, "--locale", "de", "--out", out);
const imported = (folder: string, from: string) => called("copy", "import", from, "-C", folder);
const accepted = (folder: string, ...names: string[]) => called("copy", "accept", ...names, "-C", folder);

/** Imports a table of this text. */
async function taken(folder: string, table: string): Promise<{ code: number; text: string }> {
  writeFileSync(join(folder, "back.csv"), table);
  return imported(folder, join(folder, "back.csv"));
}

/** Imports a table that is refused whole, for this reason. */
async function refusesWhole(folder: string, table: string, reason: RegExp): Promise<void> {
  expect(await taken(folder, table)).toEqual({ code: 4, text: expect.stringMatching(reason) as unknown });
}

function edit(path: string, from: string, to: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

/** A plan's change of a page's text. */
function change(name: string, key: string, old: string, now: string): Change {
  const fields = [{ path: ["content", key], kind: "update", old, new: now }];
  return { type: "Page", name, op: "update", fields } as unknown as Change;
}

const findingsIn = async (folder: string, changes: readonly Change[]) =>
  findingsOf(await openProject(folder), { told: new Map(), changes });

/** Fills in a text as a translator does. */
function translated(text: string): string {
  const inline = (key: string): string =>
    (GERMAN[key] ?? "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replace("{{brand}}", '<x id="1" equiv-text="{{brand}}"/>');
  return text.replaceAll(
    /<trans-unit id="([^"]+)"[^]*?<\/source>/g,
    (unit, key: string) => `${unit}<target>${inline(key)}</target>`,
  );
}

describe("out, translated and in again: each text is the one that was written", () => {
  test.each(Object.keys(SHAPES))("XLIFF into %s", async (name) => {
    const shape = SHAPES[name] as Shape;
    const folder = project(shape);
    const out = join(folder, "for-translators.xlf");
    expect(await extracted(folder, out)).toMatchObject({
      code: 0,
      text: expect.stringContaining("3 texts for de, 3 of them without a translation, 0 stale") as unknown,
    });
    expect(contentIn(folder, "pages.offer-de")).toEqual(TEXTS);
    writeFileSync(out, translated(readFileSync(out, "utf8")));
    expect(await imported(folder, out)).toEqual({
      code: 0,
      text: expect.stringContaining("3 translations taken") as unknown,
    });
    expect(contentIn(folder, "pages.offer-de")).toEqual(GERMAN);
    expect(contentIn(folder, "pages.offer-en")).toEqual(TEXTS);
    expect(staleIn(folder)).toEqual([]);
    // The second time there is nothing to do, and no file changes.
    const before = readFileSync(join(folder, shape.home), "utf8");
    expect((await imported(folder, out)).text).toMatch(/0 translations taken, 3 as they were/);
    expect(readFileSync(join(folder, shape.home), "utf8")).toBe(before);
  });

  test.each(Object.keys(SHAPES))(
    "CSV into %s, as a spreadsheet saves it: with a mark, semicolons and CRLF",
    async (name) => {
      const folder = project(SHAPES[name] as Shape);
      const out = join(folder, "out.csv");
      await extracted(folder, out);
      const home = name === "columns of a CSV file" ? "content/offer.csv#de" : (SHAPES[name] as Shape).home;
      const rows = Object.entries(GERMAN).map(([key, text]) => [home, key, TEXTS[key] ?? "", text].map(cell).join(";"));
      expect(readFileSync(out, "utf8")).toContain(`${home},hero.title,Hello {{brand}},,new`);
      writeFileSync(out, `\uFEFF${["file;key;source;target", ...rows].join("\r\n")}\r\n`);
      expect(await imported(folder, out)).toMatchObject({ code: 0 });
      expect(contentIn(folder, "pages.offer-de")).toEqual(GERMAN);
    },
  );
});

describe("a translation whose source has moved is stale until it is translated anew", () => {
  test.each(Object.keys(SHAPES))("%s", async (name) => {
    const shape = SHAPES[name] as Shape;
    const folder = project(shape);
    const out = join(folder, "out.xlf");
    const [source] = Object.keys(shape.files) as [string];
    await extracted(folder, out);
    writeFileSync(out, translated(readFileSync(out, "utf8")));
    await imported(folder, out);
    edit(join(folder, source), "Buy now", "Get it now");
    expect(staleIn(folder)).toEqual([
      expect.stringMatching(
        /pages\.offer-de\.content\["hero\.cta"\]: the source says "[^"]+" now \(\S+\), and its translation \(de\) still says "/,
      ) as unknown,
    ]);
    expect(await called("check", join(folder, "landform.yaml"))).toMatchObject({
      code: 0,
      text: expect.stringContaining("[stale]") as unknown,
    });
    expect((await called("check", join(folder, "landform.yaml"), "--fail-on", "stale")).code).toBe(1);
    // The old file again, which belongs to the old source.
    expect((await imported(folder, out)).text).toContain("3 as they were");
    expect(staleIn(folder)).toHaveLength(1);
    await extracted(folder, out);
    expect(readFileSync(out, "utf8")).toContain('<target state="needs-translation">Jetzt kaufen');
    expect((await imported(folder, out)).text).toContain("1 marked as unfinished");
    edit(out, 'state="needs-translation">Jetzt kaufen', 'state="translated">Jetzt holen');
    expect((await imported(folder, out)).text).toContain("1 translation taken");
    expect(staleIn(folder)).toEqual([]);
    expect(contentIn(folder, "pages.offer-de")).toMatchObject({ "hero.cta": "Jetzt holen" });
  });
});

/** The English texts in a file, and the German ones by hand in another, which belong to the English ones. */
async function byHandInYaml(): Promise<string> {
  const { layer, files } = SHAPES["YAML"] as Shape;
  const folder = folderWith({ "landform.yaml": PAGES(layer), ...files, "content/offer.de.yaml": yaml(GERMAN) });
  await accepted(folder);
  return folder;
}

/** A row of a table for that file. */
const row = (key: string, source: string, target: string): string =>
  `content/offer.de.yaml,${key},${cell(source)},${cell(target)}\r\n`;

test("a table with source and target exchanged is refused whole, and so is one that nobody translated", async () => {
  const folder = await byHandInYaml();
  const german = (): string => readFileSync(join(folder, "content/offer.de.yaml"), "utf8");
  const out = join(folder, "de.csv");
  await extracted(folder, out);
  const sent = readFileSync(out, "utf8");
  const exchanged = /back\.csv:\d+:\d+: error: 3 of 3 texts are the same as their sources, [^]*exchanged/;
  await refusesWhole(folder, sent.replace("source,target", "target,source"), exchanged);
  expect(german()).toBe(yaml(GERMAN));
  const untranslated = Object.entries(TEXTS).map(([key, text]) => row(key, text, text));
  expect((await taken(folder, `file,key,source,target\r\n${untranslated.join("")}`)).code).toBe(4);
  expect(german()).toBe(yaml(GERMAN));
  // The rule ignores a single word that is the same in both languages.
  expect((await taken(folder, sent.replace("Jetzt kaufen", "Buy now"))).code).toBe(0);
});

test("a table with the texts of another language is refused whole", async () => {
  const folder = folderWith({
    "landform.yaml": PAGES("file: offer.csv").replace("[en, de]", "[en, de, fr]"),
    "offer.csv": "key,en,de,fr\nhero.cta,Buy now,,Acheter\nhero.text,Soon,,Bientôt\n",
  });
  const table = "file,key,target\noffer.csv#de,hero.cta,Acheter\noffer.csv#de,hero.text,Bientôt\n";
  await refusesWhole(folder, table, /2 of 2 texts are those of offer\.csv#fr, first "hero\.cta"/);
  expect((await taken(folder, table.replace("Bientôt", "Bald"))).code).toBe(0);
});

test("a table without the column of the states finishes nothing stale, and the import names the rows that it leaves out", async () => {
  const folder = await byHandInYaml();
  edit(join(folder, "content/offer.en.yaml"), "Buy now", "Buy today");
  const head = "file,key,source,target\r\n";
  const title = row("hero.title", TEXTS["hero.title"] ?? "", GERMAN["hero.title"] ?? "");
  expect(await taken(folder, head + row("hero.cta", "Buy today", "Jetzt kaufen") + title)).toEqual({
    code: 0,
    text: expect.stringMatching(
      /0 translations taken, 1 as they were, 1 marked as unfinished\.\n {2}not in the file: pages\.offer-de\.content\["?hero\.text"?\] \(de\)/,
    ) as unknown,
  });
  const { text } = await taken(folder, head + row("hero.cta", "Buy today", "Heute kaufen"));
  expect(text).toContain("1 translation taken.");
});

test("a table whose column of targets has moved by a row is refused whole", async () => {
  const before = "key,en,de\na,One,Eins\nb,Two,Zwei\nc,Three,Drei\nd,Four,Vier\n";
  const folder = folderWith({ "landform.yaml": PAGES("file: offer.csv"), "offer.csv": before });
  await refusesWhole(
    folder,
    "file,key,target\noffer.csv#de,a,\noffer.csv#de,b,Eins\noffer.csv#de,c,Zwei\noffer.csv#de,d,Drei\n",
    /3 of 3 texts are those of other rows, first "b" of offer\.csv#de: nothing is taken/,
  );
  expect(readFileSync(join(folder, "offer.csv"), "utf8")).toBe(before);
});

test.each([
  ["up", (texts: readonly string[]) => [...texts.slice(1), ""]],
  ["down from the second row", ([first = "", ...rest]: readonly string[]) => [first, "", ...rest.slice(0, -1)]],
  ["around", ([first = "", ...rest]: readonly string[]) => [...rest, first]],
  ["by sorting", (texts: readonly string[]) => texts.toSorted()],
])("a column of targets over several files that has moved %s is refused whole", async (_, move) => {
  const files = ["home", "story", "gift"];
  const texts = files.flatMap((file) => [`Die ${file}`, `{{brand}} macht ${file}`, `Zu ${file}`]);
  const folder = folderWith({
    "landform.yaml": pagesFrom(files),
    ...Object.fromEntries(
      files.map((file) => [
        `${file}.csv`,
        `key,en,de\na,The ${file},Die ${file}\nb,{{brand}} makes ${file},{{brand}} macht ${file}\nc,To ${file},Zu ${file}\n`,
      ]),
    ),
  });
  const rows = move(texts).map(
    (text, at) => `${files[Math.floor(at / 3)] ?? ""}.csv#de,${"abc"[at % 3] ?? ""},${text}\n`,
  );
  const reason = /(\d) of \1 texts are those of other rows, first .*: nothing is taken/;
  await refusesWhole(folder, `file,key,target\n${rows.join("")}`, reason);
  expect(readFileSync(join(folder, "home.csv"), "utf8")).toContain("a,The home,Die home\n");
});

test("a file may take a text that another file has and keeps", async () => {
  const folder = folderWith({
    "landform.yaml": pagesFrom(["offer", "gift"]),
    "offer.csv": "key,en,de\na,Buy,Kaufen\n",
    "gift.csv": "key,en,de\nb,Order now,Bestellen\nc,Get it,Holen\n",
  });
  const table = "file,key,target\noffer.csv#de,a,Kaufen\ngift.csv#de,b,Kaufen\ngift.csv#de,c,Kaufen\n";
  expect((await taken(folder, table)).text).toContain("2 translations taken");
});

test("a file of another language is told once for all its texts", async () => {
  const folder = folderWith({
    "landform.yaml": PAGES("file: offer.*.yaml"),
    "offer.en.yaml": "a: One\nb: Two\n",
    "offer.de.yaml": "a: Eins\nb: Zwei\n",
  });
  const out = join(folder, "back.xlf");
  await extracted(folder, out);
  edit(out, 'target-language="de"', 'target-language="fr"');
  const { code, text } = await imported(folder, out);
  expect([code, text.match(/says that it is in "fr"/g)]).toEqual([1, [expect.anything()]]);
  expect(text).toContain("0 translations taken, 2 not taken");
});

test("a column of the source is missing only where nothing before it has the texts", async () => {
  const rows = { "offer.csv": "key,eng,de\nhero.cta,Buy now,Kaufen\n", "base.csv": "key,value\nhero.cta,Buy now\n" };
  const shop = (content: string): string =>
    folderWith({ ...rows, "landform.yaml": PAGES("X").replace(/content: .*/, `content: ${content}`) });
  const layer = '{ file: offer.csv, locale: "${each.key}" }';
  const alone = await called("check", join(shop(layer), "landform.yaml"));
  expect(alone.text).toMatch(/pages\.offer-en\.content: \S*offer\.csv has no column en, did you mean "eng"\?/);
  expect(alone.text).toContain("Texts without a translation are missing here");
  const behind = await called("check", join(shop(`[{ file: base.csv }, ${layer}]`), "landform.yaml"));
  expect([behind.code, behind.text]).toEqual([0, expect.not.stringContaining("no column")]);
});

test("a new language gets its column with its first text, also in a table that is separated by semicolons", async () => {
  const folder = folderWith({
    "landform.yaml": PAGES("file: offer.csv").replace("[en, de]", "[en, de, es]"),
    "offer.csv": "sep=;\r\nkey;en;de\r\nhero.cta;Buy now;Kaufen\r\nhero.text;Soon;",
  });
  const table = "file,key,target\noffer.csv#es,hero.cta,Comprar; ya\noffer.csv#es,hero.txt,x\n";
  const { code, text } = await taken(folder, table);
  expect([code, text]).toEqual([1, expect.stringContaining("1 translation taken, 1 not taken")]);
  expect(readFileSync(join(folder, "offer.csv"), "utf8")).toBe(
    'sep=;\r\nkey;en;de;es\r\nhero.cta;Buy now;Kaufen;"Comprar; ya"\r\nhero.text;Soon;;',
  );
  expect(contentIn(folder, "pages.offer-es")).toEqual({ "hero.cta": "Comprar; ya", "hero.text": "Soon" });
});

describe("a translation that was written by hand", () => {
  const byHand = (): string =>
    folderWith({
      "landform.yaml": PAGES("file: offer.csv"),
      "offer.csv":
        "key,en,de\nhero.title,Hello {{brand}},Hallo {{brand}}\nhero.cta,Buy now,Jetzt kaufen\nhero.text,Soon,\n",
    });
  const editTable = (folder: string, from: string, to: string): void => edit(join(folder, "offer.csv"), from, to);

  test("is told as untracked until somebody says of which source it is, and stale from then on", async () => {
    const folder = byHand();
    const path = join(folder, "landform.yaml");
    const looked = await called("check", path);
    expect(looked.text).toMatch(
      /offer\.csv:2:\d+: warning: pages\.offer-de\.content\["hero\.title"\] and 1 more of offer\.csv#de: .*\[untracked-translation\]/,
    );
    expect(looked.text.match(/untracked-translation/g)).toHaveLength(1);
    expect((await called("check", path, "--fail-on", "stale,untracked-translation")).code).toBe(1);

    expect(await accepted(folder)).toEqual({
      code: 0,
      text: "Accepted 2 translations of the original texts as they are now.\nChanged landform.copy.json.\n",
    });
    expect((await called("check", path, "--fail-on", "stale,untracked-translation")).code).toBe(0);
    editTable(folder, "Buy now", "Get it now");
    expect(staleIn(folder)).toEqual([expect.stringContaining('pages.offer-de.content["hero.cta"]') as unknown]);
    expect((await called("check", path)).text).toContain("npx landform copy accept pages.offer-de.content.hero.cta");
    expect((await accepted(folder)).text).toBe(
      'No translation was waiting to be accepted.\n1 is stale, and not named: pages.offer-de.content["hero.cta"].\n',
    );
    expect((await accepted(folder, "offer.csv")).text).toContain("Accepted 1 translation");
    expect(staleIn(folder)).toEqual([]);

    // Both sides have changed: nobody knows which came first.
    editTable(folder, "Get it now,Jetzt kaufen", "Have it now,Jetzt haben");
    expect(staleIn(folder)).toEqual([]);
    expect((await called("check", path)).text).toContain("[untracked-translation]");
    expect(await accepted(folder, "pages.offer-de.content.hero.ct")).toEqual({
      code: 4,
      text: expect.stringContaining("there is no translation") as unknown,
    });
  });

  test("is stale in the plan that changes its source and leaves it", async () => {
    const folder = byHand();
    editTable(folder, "Buy now,Jetzt kaufen", "Get it now,Jetzt kaufen");
    editTable(folder, "Hello {{brand}},Hallo", "Hi {{brand}},Hi");
    const changes = [
      change("offer-en", "hero.cta", "Buy now", "Get it now"),
      change("offer-en", "hero.title", "Hello {{brand}}", "Hi {{brand}}"),
      change("offer-de", "hero.title", "Hallo {{brand}}", "Hi {{brand}}"),
    ];
    expect((await findingsIn(folder, changes)).map(({ code, path, line }) => [code, path, line])).toEqual([
      ["stale", 'pages.offer-de.content["hero.cta"]', 3],
    ]);
  });
});

test("before anything was deployed nothing is stale, and later a plan names what it causes and counts the rest", async () => {
  const folder = folderWith({
    "landform.yaml": PAGES("file: offer.csv"),
    "offer.csv": "key,en,de\na,One,Eins\nb,Two,Zwei\nc,Three,Drei\n",
  });
  await accepted(folder);
  for (const [from, to] of Object.entries({ One: "1", Two: "2", Three: "3" }))
    edit(join(folder, "offer.csv"), from, to);
  const told = async (changes: readonly object[]): Promise<string[]> =>
    (await findingsIn(folder, changes as Change[])).map(({ message }) => message);
  const page = (name: string) => ({ type: "Page", name, op: "create", fields: [] });
  expect(await told([page("offer-en"), page("offer-de")])).toEqual([]);
  expect(await told([change("offer-en", "a", "One", "1")])).toEqual([
    expect.stringMatching(/^pages\.offer-de\.content\.a: the source says "1" now/),
    "2 translations were stale before this change: pages.offer-de.content.b, …",
  ]);
});
