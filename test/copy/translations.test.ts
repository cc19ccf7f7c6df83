/** Texts go out to translators and back into the files that pages take them from. The commands name stale ones and lose nothing. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { called } from "../cli/called.ts";
import { findingsOf } from "../../stack/lint/of-plan.ts";
import { openProject } from "../../stack/project/open.ts";
import type { Change } from "../../stack/report/model.ts";
import { CopyRecord, lint, translationsIn, validate } from "../../manifest/index.ts";
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

const yaml = (texts: Readonly<Record<string, string>>): string =>
  `# kept\n${Object.entries(texts)
    .map(([key, text]) => `${key}: ${JSON.stringify(text)}\n`)
    .join("")}`;
const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

interface Shape {
  layer: string;
  files: Record<string, string>;
  /** The file with the German texts. */
  home: string;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  YAML: {
    layer: "file: content/offer.*.yaml",
    files: { "content/offer.en.yaml": yaml(TEXTS) },
    home: "content/offer.de.yaml",
  },
  JSON: {
    layer: "file: content/offer.*.json",
    files: { "content/offer.en.json": JSON.stringify(TEXTS) },
    home: "content/offer.de.json",
  },
  CSV: {
    layer: "file: content/offer.*.csv",
    files: {
      "content/offer.en.csv": `key,value\r\n${Object.entries(TEXTS)
        .map(([key, text]) => `${key},${cell(text)}\r\n`)
        .join("")}`,
    },
    home: "content/offer.de.csv",
  },
  "columns of a CSV file": {
    layer: "file: content/offer.csv",
    files: {
      "content/offer.csv": `key;en;de\n${Object.entries(TEXTS)
        .map(([key, text]) => `${key};${cell(text)};\n`)
        .join("")}`,
    },
    home: "content/offer.csv",
  },
  XLIFF: {
    layer: "file: content/offer.*.xlf",
    files: {
      "content/offer.en.xlf": `<xliff version="1.2"><file original="o" source-language="en" target-language="en"><body>${Object.entries(
        TEXTS,
      )
        .map(
          ([key, text]) =>
            `<trans-unit id="${key}"><source>x</source><target><![CDATA[${text}]]></target></trans-unit>`,
        )
        .join("")}</body></file></xliff>`,
    },
    home: "content/offer.de.xlf",
  },
};

function project({ layer, files }: Shape): string {
  return folderWith({ "landform.yaml": PAGES(layer), ...files });
}

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

test.each(["rubbish\n", "", "file,key,note\n"])("import refuses a table without its columns: %j", async (text) => {
  const folder = project(SHAPES["YAML"] as Shape);
  writeFileSync(join(folder, "back.csv"), text);
  const refused = await called("copy", "import", "-C", folder, join(folder, "back.csv"));
  expect(refused).toEqual({
    code: 4,
    text: expect.stringMatching(/has no column "file"|is empty|has no column "target"/) as unknown,
  });
});

test("a file whose name says neither format is not written", async () => {
  const folder = project(SHAPES[Object.keys(SHAPES)[0] ?? ""] as Shape);
  const out = join(folder, "de.docx");
  const refused = await called("copy", "extract", "-C", folder, "--locale", "de", "--out", out);
  expect(refused).toEqual({
    code: 4,
    text: expect.stringContaining("ends with neither .xlf (XLIFF) nor .csv") as unknown,
  });
  expect(existsSync(out)).toBe(false);
  const said = await called("copy", "extract", "-C", folder, "--locale", "de", "--out", out, "--format", "csv");
  expect([said.code, existsSync(out)]).toEqual([0, true]);
});

describe("out, translated and in again: each text is the one that was written", () => {
  test.each(Object.keys(SHAPES))("XLIFF into %s", async (name) => {
    const shape = SHAPES[name] as Shape;
    const folder = project(shape);
    const out = join(folder, "for-translators.xlf");
    expect(await called("copy", "extract", "-C", folder, "--locale", "de", "--out", out)).toMatchObject({
      code: 0,
      text: expect.stringContaining("3 texts for de, 3 of them without a translation, 0 stale") as unknown,
    });
    expect(contentIn(folder, "pages.offer-de")).toEqual(TEXTS);
    writeFileSync(out, translated(readFileSync(out, "utf8")));
    const taken = await called("copy", "import", out, "-C", folder);
    expect(taken).toEqual({ code: 0, text: expect.stringContaining("3 translations taken") as unknown });
    expect(contentIn(folder, "pages.offer-de")).toEqual(GERMAN);
    expect(contentIn(folder, "pages.offer-en")).toEqual(TEXTS);
    expect(staleIn(folder)).toEqual([]);
    // The second time there is nothing to do, and no file changes.
    const before = readFileSync(join(folder, shape.home), "utf8");
    expect((await called("copy", "import", out, "-C", folder)).text).toMatch(/0 translations taken, 3 as they were/);
    expect(readFileSync(join(folder, shape.home), "utf8")).toBe(before);
  });

  test.each(Object.keys(SHAPES))(
    "CSV into %s, as a spreadsheet saves it: with a mark, semicolons and CRLF",
    async (name) => {
      const folder = project(SHAPES[name] as Shape);
      const out = join(folder, "out.csv");
      await called("copy", "extract", "-C", folder, "--locale", "de", "--out", out);
      const home = name === "columns of a CSV file" ? "content/offer.csv#de" : (SHAPES[name] as Shape).home;
      const rows = Object.entries(GERMAN).map(([key, text]) => [home, key, TEXTS[key] ?? "", text].map(cell).join(";"));
      expect(readFileSync(out, "utf8")).toContain(`${home},hero.title,Hello {{brand}},,new`);
      writeFileSync(out, `\uFEFF${["file;key;source;target", ...rows].join("\r\n")}\r\n`);
      expect(await called("copy", "import", out, "-C", folder)).toMatchObject({ code: 0 });
      expect(contentIn(folder, "pages.offer-de")).toEqual(GERMAN);
    },
  );
});

test("a table whose line ends were all changed on the way is of the same source, and no text takes them over", async () => {
  const folder = project(SHAPES["YAML"] as Shape);
  const out = join(folder, "out.csv");
  await called("copy", "extract", "-C", folder, "--locale", "de", "--out", out);
  const home = "content/offer.de.yaml";
  const rows = Object.entries(GERMAN).map(([key, text]) => [home, key, TEXTS[key] ?? "", text].map(cell).join(","));
  writeFileSync(out, ["file,key,source,target", ...rows].join("\n").replaceAll("\n", "\r\n"));
  expect((await called("copy", "import", out, "-C", folder)).text).not.toContain("stale");
  expect(contentIn(folder, "pages.offer-de")).toEqual(GERMAN);
  expect(staleIn(folder)).toEqual([]);
});

test("a column that is the source by its name and as a language is no translation of itself", () => {
  const folder = folderWith({
    "landform.yaml": `landform: 1
pages:
  a:
    each: [en, de]
    content: [{ file: t.csv, value: en }, { file: t.csv, locale: "\${each.key}" }]
`,
    "t.csv": "key,en,de\na,Two words,Zwei Worte\n",
  });
  const { manifest } = validate("landform.yaml", { cwd: folder });
  if (!manifest) throw new Error("no manifest");
  expect(translationsIn(manifest).map(({ locale, target }) => [locale, target?.text])).toEqual([["de", "Zwei Worte"]]);
});

describe("a translation whose source has moved is stale until it is translated anew", () => {
  test.each(Object.keys(SHAPES))("%s", async (name) => {
    const shape = SHAPES[name] as Shape;
    const folder = project(shape);
    const out = join(folder, "out.xlf");
    const [source] = Object.keys(shape.files) as [string];
    await called("copy", "extract", "-C", folder, "--locale", "de", "--out", out);
    writeFileSync(out, translated(readFileSync(out, "utf8")));
    await called("copy", "import", out, "-C", folder);
    writeFileSync(join(folder, source), readFileSync(join(folder, source), "utf8").replace("Buy now", "Get it now"));
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
    expect((await called("copy", "import", out, "-C", folder)).text).toContain("3 as they were");
    expect(staleIn(folder)).toHaveLength(1);
    await called("copy", "extract", "-C", folder, "--locale", "de", "--out", out);
    expect(readFileSync(out, "utf8")).toContain('<target state="needs-translation">Jetzt kaufen');
    expect((await called("copy", "import", out, "-C", folder)).text).toContain("1 marked as unfinished");
    writeFileSync(
      out,
      readFileSync(out, "utf8").replace('state="needs-translation">Jetzt kaufen', 'state="translated">Jetzt holen'),
    );
    expect((await called("copy", "import", out, "-C", folder)).text).toContain("1 translation taken");
    expect(staleIn(folder)).toEqual([]);
    expect(contentIn(folder, "pages.offer-de")).toMatchObject({ "hero.cta": "Jetzt holen" });
  });
});

test("a table with source and target exchanged is refused whole, and so is one that nobody translated", async () => {
  const { layer, files } = SHAPES["YAML"] as Shape;
  const folder = folderWith({
    "landform.yaml": PAGES(layer),
    ...files,
    "content/offer.de.yaml": yaml(GERMAN),
  });
  await called("copy", "accept", "-C", folder);
  const table = join(folder, "de.csv");
  const untouched = (): unknown =>
    expect(readFileSync(join(folder, "content/offer.de.yaml"), "utf8")).toBe(yaml(GERMAN));
  await called("copy", "extract", "-C", folder, "--locale", "de", "--out", table);
  const sent = readFileSync(table, "utf8");
  writeFileSync(table, sent.replace("source,target", "target,source"));
  expect(await called("copy", "import", table, "-C", folder)).toEqual({
    code: 4,
    text: expect.stringMatching(
      /de\.csv:\d+:\d+: error: 3 of 3 texts come back as their own sources, [^]*exchanged/,
    ) as unknown,
  });
  untouched();
  const row = (text: string): string =>
    `content/offer.de.yaml,${text},${cell(TEXTS[text] ?? "")},${cell(TEXTS[text] ?? "")}\r\n`;
  writeFileSync(table, `file,key,source,target\r\n${Object.keys(TEXTS).map(row).join("")}`);
  expect((await called("copy", "import", table, "-C", folder)).code).toBe(4);
  untouched();
  // The rule ignores a single word that is the same in both languages.
  writeFileSync(table, sent.replace("Jetzt kaufen", "Buy now"));
  expect((await called("copy", "import", table, "-C", folder)).code).toBe(0);
});

test("a table with the texts of another language is refused whole", async () => {
  const folder = folderWith({
    "landform.yaml": PAGES("file: offer.csv").replace("[en, de]", "[en, de, fr]"),
    "offer.csv": "key,en,de,fr\nhero.cta,Buy now,,Acheter\nhero.text,Soon,,Bientôt\n",
  });
  const table = join(folder, "back.csv");
  writeFileSync(table, "file,key,target\noffer.csv#de,hero.cta,Acheter\noffer.csv#de,hero.text,Bientôt\n");
  expect(await called("copy", "import", table, "-C", folder)).toEqual({
    code: 4,
    text: expect.stringMatching(/2 of 2 texts are those of offer\.csv#fr, first "hero\.cta"/) as unknown,
  });
  writeFileSync(table, "file,key,target\noffer.csv#de,hero.cta,Acheter\noffer.csv#de,hero.text,Bald\n");
  expect((await called("copy", "import", table, "-C", folder)).code).toBe(0);
});

test("a new language gets its column with its first text, also in a table that is separated by semicolons", async () => {
  const folder = folderWith({
    "landform.yaml": PAGES("file: offer.csv").replace("[en, de]", "[en, de, es]"),
    "offer.csv": "sep=;\r\nkey;en;de\r\nhero.cta;Buy now;Kaufen\r\nhero.text;Soon;",
  });
  const table = join(folder, "back.csv");
  writeFileSync(table, "file,key,target\noffer.csv#es,hero.cta,Comprar; ya\noffer.csv#es,hero.txt,x\n");
  const { code, text } = await called("copy", "import", table, "-C", folder);
  expect([code, text]).toEqual([1, expect.stringContaining("1 translation taken, 1 not taken")]);
  expect(readFileSync(join(folder, "offer.csv"), "utf8")).toBe(
    'sep=;\r\nkey;en;de;es\r\nhero.cta;Buy now;Kaufen;"Comprar; ya"\r\nhero.text;Soon;;',
  );
  expect(contentIn(folder, "pages.offer-es")).toEqual({ "hero.cta": "Comprar; ya", "hero.text": "Soon" });
});

test("a later layer without a translation leaves the translation of an earlier one, and a table of a header misses no column", () => {
  const folder = folderWith({
    "landform.yaml": PAGES("file: offer.csv").replace(
      /content: (\{.*\})/,
      'content: [$1, { file: own.csv, locale: "${each.key}" }, { file: bare.csv, locale: "${each.key}" }]',
    ),
    "offer.csv": "key,en,de\nhero.cta,Buy now,Kaufen\nhero.text,Soon,\n",
    "own.csv": "key,en,de\nhero.cta,Get it,\nhero.text,Now,\nhero.more,More,Mehr\n",
    "bare.csv": "key,en,de\n",
  });
  const { diagnostics } = validate("landform.yaml", { cwd: folder });
  expect(diagnostics).toEqual([]);
  expect(contentIn(folder, "pages.offer-de")).toEqual({
    "hero.cta": "Kaufen",
    "hero.text": "Now",
    "hero.more": "Mehr",
  });
  expect(contentIn(folder, "pages.offer-en")).toEqual({
    "hero.cta": "Get it",
    "hero.text": "Now",
    "hero.more": "More",
  });
});

describe("a translation that was written by hand", () => {
  const byHand = (): string =>
    folderWith({
      "landform.yaml": PAGES("file: offer.csv"),
      "offer.csv":
        "key,en,de\nhero.title,Hello {{brand}},Hallo {{brand}}\nhero.cta,Buy now,Jetzt kaufen\nhero.text,Soon,\n",
    });
  const edit = (folder: string, from: string, to: string): void => {
    const path = join(folder, "offer.csv");
    writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  };

  test("is told as untracked until somebody says of which source it is, and stale from then on", async () => {
    const folder = byHand();
    const path = join(folder, "landform.yaml");
    const looked = await called("check", path);
    expect(looked.text).toMatch(
      /offer\.csv:2:\d+: warning: pages\.offer-de\.content\["hero\.title"\] and 1 more of offer\.csv#de: .*\[untracked-translation\]/,
    );
    expect(looked.text.match(/untracked-translation/g)).toHaveLength(1);
    expect((await called("check", path, "--fail-on", "stale,untracked-translation")).code).toBe(1);

    expect(await called("copy", "accept", "-C", folder)).toEqual({
      code: 0,
      text: "Accepted 2 translations of the original texts as they are now.\nChanged landform.copy.json.\n",
    });
    expect((await called("check", path, "--fail-on", "stale,untracked-translation")).code).toBe(0);
    edit(folder, "Buy now", "Get it now");
    expect(staleIn(folder)).toEqual([expect.stringContaining('pages.offer-de.content["hero.cta"]') as unknown]);
    expect((await called("check", path)).text).toContain('npx landform copy accept "pages.offer-de.content.hero.cta"');
    const again = await called("copy", "accept", "-C", folder);
    expect(again.text).toBe(
      'No translation was waiting to be accepted.\n1 is stale, and not named: pages.offer-de.content["hero.cta"].\n',
    );
    expect((await called("copy", "accept", "offer.csv", "-C", folder)).text).toContain("Accepted 1 translation");
    expect(staleIn(folder)).toEqual([]);

    // Both sides have changed: nobody knows which came first.
    edit(folder, "Get it now,Jetzt kaufen", "Have it now,Jetzt haben");
    expect(staleIn(folder)).toEqual([]);
    expect((await called("check", path)).text).toContain("[untracked-translation]");
    const unknown = await called("copy", "accept", "pages.offer-de.content.hero.ct", "-C", folder);
    expect(unknown).toEqual({ code: 4, text: expect.stringContaining("there is no translation") as unknown });
  });

  test("is stale in the plan that changes its source and leaves it", async () => {
    const folder = byHand();
    edit(folder, "Buy now,Jetzt kaufen", "Get it now,Jetzt kaufen");
    edit(folder, "Hello {{brand}},Hallo", "Hi {{brand}},Hi");
    const change = (name: string, key: string, old: string, now: string) =>
      ({
        type: "Page",
        name,
        fields: [{ path: ["content", key], kind: "update", old, new: now }],
      }) as unknown as Change;
    const changes = [
      change("offer-en", "hero.cta", "Buy now", "Get it now"),
      change("offer-en", "hero.title", "Hello {{brand}}", "Hi {{brand}}"),
      change("offer-de", "hero.title", "Hallo {{brand}}", "Hi {{brand}}"),
    ];
    const found = findingsOf(await openProject(folder), { told: new Map(), changes });
    expect(found.map(({ code, path, line }) => [code, path, line])).toEqual([
      ["stale", 'pages.offer-de.content["hero.cta"]', 3],
    ]);
  });

  test("in XLIFF has its source beside it, which is set where somebody says that it is still right", async () => {
    const folder = folderWith({
      "landform.yaml": PAGES("file: o.*.xlf")
        .replace("content: {", "content: [{ file: o.csv }, {")
        .replace(/(locale: "[^"]*" )\}/, "$1}]"),
      "o.csv": "key,value\nhero.cta,Buy now\n",
      "o.de.xlf":
        '<xliff version="1.2"><file original="o" source-language="en" target-language="de" datatype="plaintext"><body>\n<trans-unit id="hero.cta"><source>Buy it</source><target state="final">Kaufen</target></trans-unit>\n</body></file></xliff>\n',
    });
    expect(staleIn(folder)).toHaveLength(1);
    expect((await called("copy", "accept", "-C", folder)).text).toContain("1 is stale, and not named");
    expect((await called("copy", "accept", "pages.offer-de.content.*", "-C", folder)).text).toContain(
      "Changed o.de.xlf.",
    );
    expect(staleIn(folder)).toEqual([]);
    expect(readFileSync(join(folder, "o.de.xlf"), "utf8")).toContain("<source>Buy now</source>");
    expect(existsSync(join(folder, "landform.copy.json"))).toBe(false);
  });
});

describe("a language that vanishes", () => {
  const CSV = "key,en,de\nhero.title,Hello,Hallo\nhero.cta,Buy now,Jetzt kaufen\nhero.text,Soon,\n";
  const shop = (csv: string): string => folderWith({ "landform.yaml": PAGES("file: offer.csv"), "offer.csv": csv });
  const change = (key: string, old: string, now: string, name = "offer-de") =>
    ({
      type: "Page",
      name,
      op: "update",
      fields: [{ path: ["content", key], kind: "update", old, new: now }],
    }) as unknown as Change;
  const fallen = [change("hero.title", "Hallo", "Hello"), change("hero.cta", "Jetzt kaufen", "Buy now")];
  const codes = async (folder: string, changes: readonly Change[]): Promise<string[]> => {
    const project = await openProject(folder);
    return findingsOf(project, { told: new Map(), changes }, ["error"]).map(
      ({ code, message }) => `${code}: ${message}`,
    );
  };

  test.each([
    ["a typo in its header", CSV.replace(",de", ",d\u00e9")],
    ["a column that goes", CSV.replaceAll(/,[^,\n]*$/gm, "")],
    ["cells that are emptied", CSV.replace("Hallo", "").replace("Jetzt kaufen", "")],
  ])("%s: each text is named", async (_name, csv) => {
    expect((await codes(shop(csv), fallen)).filter((one) => one.startsWith("lost"))).toEqual([
      'lost-language: column de of offer.csv has lost 2 translations (de), and the pages would show the original texts: pages.offer-de.content["hero.title"], pages.offer-de.content["hero.cta"]',
    ]);
  });

  test("the record knows it without a plan; one cell of several is only told, and a source that changes itself is none", async () => {
    const folder = shop(CSV);
    await called("copy", "accept", "-C", folder);
    writeFileSync(join(folder, "offer.csv"), CSV.replace(",de", ",d\u00e9"));
    const looked = await called("check", join(folder, "landform.yaml"));
    expect([looked.code, looked.text]).toEqual([1, expect.stringContaining("[lost-language]") as unknown]);
    const lost = async (csv: string, changes: readonly Change[]) =>
      (await codes(shop(csv), changes)).filter((one) => one.startsWith("lost"));
    expect(await lost(CSV.replace("Hallo", ""), fallen.slice(0, 1))).toEqual([
      'lost-translation: pages.offer-de.content["hero.title"]: German visitors read English here, because this translation is gone',
    ]);
    const sources = ["offer-en", "offer-de"].map((name) => change("hero.text", "Soon", "Now", name));
    expect(await lost(CSV.replace("Soon", "Now").replace("Hallo", "").replace("Jetzt kaufen", ""), sources)).toEqual(
      [],
    );
  });
});

test("before anything was deployed nothing is stale, and later a plan names what it causes and counts the rest", async () => {
  const folder = folderWith({
    "landform.yaml": PAGES("file: offer.csv"),
    "offer.csv": "key,en,de\na,One,Eins\nb,Two,Zwei\nc,Three,Drei\n",
  });
  await called("copy", "accept", "-C", folder);
  const csv = join(folder, "offer.csv");
  writeFileSync(csv, readFileSync(csv, "utf8").replace("One", "1").replace("Two", "2").replace("Three", "3"));
  const told = async (changes: readonly object[]): Promise<string[]> =>
    findingsOf(await openProject(folder), { told: new Map(), changes: changes as Change[] }).map(
      ({ message }) => message,
    );
  const page = (name: string) => ({ type: "Page", name, op: "create", fields: [] });
  expect(await told([page("offer-en"), page("offer-de")])).toEqual([]);
  const fields = [{ path: ["content", "a"], kind: "update", old: "One", new: "1" }];
  expect(await told([{ type: "Page", name: "offer-en", op: "update", fields }])).toEqual([
    expect.stringMatching(/^pages\.offer-de\.content\.a: the source says "1" now/),
    "2 translations were stale before this change: pages.offer-de.content.b, …",
  ]);
});

test("one source among 50 pages in 20 languages names its 20 translations, and no other", () => {
  const locales = Array.from({ length: 20 }, (_, index) => `x${String.fromCharCode(97 + index)}`);
  const pages = Array.from({ length: 50 }, (_, index) => `p${index}`);
  const files: Record<string, string> = {};
  const record = new CopyRecord();
  for (const page of pages) {
    files[`t/${page}.en.yaml`] = `a: Text of ${page}\nb: More of ${page}\n`;
    for (const locale of locales) {
      files[`t/${page}.${locale}.yaml`] = `a: ${locale} a ${page}\nb: ${locale} b ${page}\n`;
      record.set(`t/${page}.${locale}.yaml`, "a", { source: `Text of ${page}`, target: `${locale} a ${page}` });
      record.set(`t/${page}.${locale}.yaml`, "b", { source: `More of ${page}`, target: `${locale} b ${page}` });
    }
  }
  files["landform.yaml"] = `landform: 1
copy: { source: en }
pages:
  all:
    each: { matrix: { page: [${pages.join(", ")}], locale: [en, ${locales.join(", ")}] } }
    name: \${each.page.key} \${each.locale.key}
    content: { file: "t/\${each.page.key}.*.yaml", locale: "\${each.locale.key}" }
`;
  files["landform.copy.json"] = record.text() ?? "";
  files["t/p7.en.yaml"] = "a: Text of p7\nb: Another text of p7\n";
  const { manifest, diagnostics } = validate("landform.yaml", { cwd: folderWith(files) });
  expect(diagnostics).toEqual([]);
  if (!manifest) throw new Error("no manifest");
  const found = lint(manifest, { record, only: ["stale"] });
  expect(found.map(({ file, line }) => `${file}:${line}`).sort()).toEqual(
    locales.map((locale) => `t/p7.${locale}.yaml:2`).sort(),
  );
  for (const { related } of found) expect(related).toMatchObject([{ file: "t/p7.en.yaml", line: 2 }]);
});

describe("what is wrong with a file that came back is named, and the rest of it is taken", () => {
  const unit = (key: string, target: string, more = ""): string =>
    `<trans-unit id="${key}"${more}><source>${(TEXTS[key] ?? "x").replaceAll("<", "&lt;").replaceAll("&", "&amp;")}</source>${target}</trans-unit>`;
  const file = (units: string, original = "content/offer.de.yaml", language = "de"): string =>
    `<xliff version="1.2"><file original="${original}" source-language="en" target-language="${language}" datatype="plaintext"><body>${units}</body></file></xliff>`;
  const good = unit("hero.cta", "<target>Kaufen</target>");

  test.each<[string, string, RegExp]>([
    [
      "a lost placeholder",
      file(unit("hero.title", "<target>Hallo</target>") + good),
      /"hero\.title": the translation has lost {{brand}}/,
    ],
    [
      "a placeholder that was translated",
      file(unit("hero.title", "<target>Hallo {{marke}}</target>") + good),
      /lost {{brand}}, and has {{marke}}/,
    ],
    [
      "a key of another project",
      file(unit("hero.ctas", "<target>x</target>") + good),
      /has no text "hero\.ctas", did you mean "hero\.cta"\?/,
    ],
  ])("%s", async (_name, text, says) => {
    const folder = folderWith({
      ...(SHAPES["YAML"] as Shape).files,
      "landform.yaml": PAGES("file: content/offer.*.yaml"),
      "back.xlf": text,
    });
    const { code, text: told } = await called("copy", "import", join(folder, "back.xlf"), "-C", folder);
    expect(told).toMatch(says);
    expect(told).toMatch(/back\.xlf: 1 translation taken, 1 not taken: see above/);
    expect(code).toBe(1);
    expect(readFileSync(join(folder, "content/offer.de.yaml"), "utf8")).toBe("hero.cta: Kaufen\n");
  });

  test.each<[string, string, RegExp, number]>([
    [
      "a file of another project",
      file(good, "other/page.de.yaml"),
      /takes no translations from other\/page\.de\.yaml/,
      1,
    ],
    [
      "a file in another language",
      file(good, undefined, "fr"),
      /says that it is in "fr", and content\/offer\.de\.yaml is in de/,
      1,
    ],
    ["an empty translation", file(unit("hero.cta", "<target/>")), /0 translations taken, 1 without a translation/, 0],
    [
      "one that is not finished",
      file(unit("hero.cta", '<target state="needs-review-translation">K</target>')),
      /1 marked as unfinished/,
      0,
    ],
    ["a document type", `<!DOCTYPE x>${file(good)}`, /document type is not taken/, 4],
    ["half an emoji", file(unit("hero.cta", "<target>&#xDE00;</target>")), /not XML/, 4],
    ["the same unit twice", file(good + good), /is written twice/, 4],
  ])("%s", async (_name, text, says, expected) => {
    const folder = folderWith({
      ...(SHAPES["YAML"] as Shape).files,
      "landform.yaml": PAGES("file: content/offer.*.yaml"),
      "back.xlf": text,
    });
    const { code, text: told } = await called("copy", "import", join(folder, "back.xlf"), "-C", folder);
    expect(told).toMatch(says);
    expect(code).toBe(expected);
    expect(existsSync(join(folder, "content/offer.de.yaml"))).toBe(false);
    expect(existsSync(join(folder, "landform.copy.json"))).toBe(false);
  });

  const table = (...rows: string[]): string =>
    ["file,key,source,target,state", ...rows.map((row) => `content/offer.de.yaml,hero.cta,Buy now,${row}`)].join(
      "\r\n",
    );

  test.each<[string, Record<string, string>, RegExp, number]>([
    [
      "a table with two texts for one",
      { "a.csv": table("A,", "B,") },
      /a\.csv:3:\d+: .*is written twice, first at a\.csv:2/,
      4,
    ],
    ["a table with one text twice", { "a.csv": table("A,", "A,") }, /is written twice/, 4],
    [
      "two tables that say two things",
      { "a.csv": table("A,"), "b.csv": table("B,") },
      /b\.csv:2:\d+: .*another translation at a\.csv:2/,
      4,
    ],
    [
      "XLIFF and a table",
      { "a.xlf": file(good), "b.csv": table("B,") },
      /contradict each other, and nothing was written/,
      4,
    ],
    [
      "two XLIFF files",
      { "a.xlf": file(good), "b.xlf": file(unit("hero.cta", "<target>B</target>")) },
      /contradict each other/,
      4,
    ],
    ["a state of a tool", { "a.csv": table("A,needs-review-translation") }, /1 marked as unfinished/, 0],
    [
      "a state of a tool, as a spreadsheet spells it",
      { "a.csv": table("A, Needs-Adaptation ") },
      /1 marked as unfinished/,
      0,
    ],
  ])("%s: nothing is written", async (_name, files, says, expected) => {
    const folder = folderWith({
      ...(SHAPES["YAML"] as Shape).files,
      "landform.yaml": PAGES("file: content/offer.*.yaml"),
      ...files,
    });
    const names = Object.keys(files).map((name) => join(folder, name));
    const { code, text: told } = await called("copy", "import", ...names, "-C", folder);
    expect(told.replaceAll(`${folder}/`, "")).toMatch(says);
    expect(code).toBe(expected);
    expect(existsSync(join(folder, "content/offer.de.yaml"))).toBe(false);
  });

  test.each<[string, Record<string, string>]>([
    ["a new text that somebody has filled in", { "a.csv": table("Kaufen,new") }],
    ["a stale one that was translated anew", { "a.csv": table("Kaufen,needs-translation") }],
    ["two files that agree", { "a.csv": table("Kaufen,new"), "b.xlf": file(good) }],
    [
      "two of which one has none yet, or none that is finished",
      { "a.xlf": file(good), "b.csv": table(",new"), "c.csv": table("B,needs-review") },
    ],
  ])("%s is taken", async (_name, files) => {
    const folder = folderWith({
      ...(SHAPES["YAML"] as Shape).files,
      "landform.yaml": PAGES("file: content/offer.*.yaml"),
      ...files,
    });
    const names = Object.keys(files).map((name) => join(folder, name));
    expect((await called("copy", "import", ...names, "-C", folder)).code).toBe(0);
    expect(readFileSync(join(folder, "content/offer.de.yaml"), "utf8")).toBe("hero.cta: Kaufen\n");
  });

  test("no such file, one of two that is wrong, no such language, nothing that is translated", async () => {
    const folder = folderWith({
      ...(SHAPES["YAML"] as Shape).files,
      "landform.yaml": PAGES("file: content/offer.*.yaml"),
      "good.xlf": file(good),
      "bad.xlf": "{}",
    });
    const bad = (...args: string[]) => called("copy", ...args, "-C", folder);
    expect(await bad("import", join(folder, "none.xlf"))).toEqual({
      code: 4,
      text: expect.stringContaining("does not exist") as unknown,
    });
    expect((await bad("import", join(folder, "good.xlf"), join(folder, "bad.xlf"))).code).toBe(4);
    expect(existsSync(join(folder, "content/offer.de.yaml"))).toBe(false);
    expect(await bad("extract", "--locale", "dee")).toEqual({
      code: 4,
      text: expect.stringContaining('nothing is translated into "dee", did you mean "de"?') as unknown,
    });
    expect((await bad("extract")).code).toBe(4);
    const plain = folderWith({ "landform.yaml": "landform: 1\n" });
    expect(await called("copy", "extract", "--locale", "de", "-C", plain)).toEqual({
      code: 4,
      text: expect.stringContaining("no content that is translated") as unknown,
    });
    writeFileSync(join(folder, "landform.copy.json"), "{");
    expect(await bad("extract", "--locale", "de")).toEqual({
      code: 4,
      text: expect.stringContaining("is not JSON") as unknown,
    });
  });
});

test("the language that is translated from misses nothing; another one without a file is told once, however many pages", () => {
  const folder = folderWith({
    "landform.yaml": `landform: 1
copy: { source: en }
pages:
  offer:
    each: { matrix: { brand: [acme, zen], lang: [en, en-GB, de] } }
    name: Offer \${each.brand.key} \${each.lang.key}
    content: [{ file: offer.csv }, { file: "offer.*.xlf", locale: "\${each.lang.key}" }]
`,
    "offer.csv": "key,value\nhero.title,Hello\n",
  });
  const { diagnostics } = validate("landform.yaml", { cwd: folder });
  expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
    "warning: pages.offer-acme-de.content: there is no offer.de.xlf yet: German visitors read English here",
  ]);
});
