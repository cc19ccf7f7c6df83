/** Rules about tables: each finding stands at its cell, and a plan tells unasked what it would publish. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withFindings, type Look } from "../../stack/checks/check.ts";
import { lint as lintCheck } from "../../stack/checks/lint.ts";
import { lint, validate } from "../../manifest/index.ts";
import { openProject } from "../../stack/project/open.ts";
import { Redactor } from "../../stack/report/redact.ts";
import type { Change, Report } from "../../stack/report/model.ts";
import { soundIn } from "../manifest/checked.ts";
import { folderWith } from "../manifest/files.ts";

const SHOP = `landform: 1
sites: { main: { name: s.example } }
pages:
  page:
    each: { file: pages.csv, key: key }
    name: Page \${each.key}
    variables: { brand: Acme }
    content: { note: "\${each.note}!", cta.url: "\${each.url}", when: "\${each.when}" }
    publish: { site: main, slug: "\${each.slug}" }
products:
  mug: { each: { file: mugs.csv, key: key }, price: "\${each.price}", comparePrice: "\${each.before}" }
`;
const PAGES = "key,note,url,when,slug\n";
const MUGS = "key,price,before\n";

function found(files: Record<string, string>, more = ""): string[] {
  const tables = { "pages.csv": `${PAGES}a,A,/a,1,a\n`, "mugs.csv": `${MUGS}a,12.5,15\n`, ...files };
  const manifest = soundIn(folderWith({ "landform.yaml": SHOP + more, ...tables }));
  return lint(manifest).map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`);
}

test("a number is a date if its column is named so, whatever key the text has", () => {
  const found = (column: string, note = `\${each.${column}}`): string[] => {
    const page = `page: { each: { file: pages.csv, key: key }, content: { note: "${note}" } }`;
    const files = { "landform.yaml": `landform: 1\npages:\n  ${page}\n`, "pages.csv": `key,${column}\na,44276\n` };
    return lint(soundIn(folderWith(files))).map(({ code }) => code);
  };
  for (const column of ["sale_date", "Datum"]) expect(found(column)).toEqual(["date-number"]);
  expect(found("zip")).toEqual([]);
  expect(found("launch_date", "Launched ${each.launch_date}")).toEqual(["date-number"]);
  expect(found("zip", "Sent to ${each.zip}")).toEqual([]);
});

test("a sound table has no finding", () => {
  const pages = `${PAGES}a,Café,/a,2026-01-03,a\nb,44276 sold,#top,2026-02-03,/\n`;
  const mugs = `${MUGS}a,1290,1500\nb,9.99,\nc,10,0\n`;
  expect(found({ "pages.csv": pages, "mugs.csv": mugs })).toEqual([]);
});

test("the cell of a text is named, also if the text is put together", () => {
  const rows = ["a,Made by {brand},/a,1,a", "b,GemÃ¼se,/b,1,b", "c,#NAME?,/c,1,c"].join("\n");
  expect(found({ "pages.csv": `${PAGES}${rows}\n` })).toEqual([
    expect.stringMatching(/^pages\.csv:2:3 single-braces pages\.page-a\.content\.note says {brand}/),
    expect.stringMatching(/^pages\.csv:3:3 garbled-text pages\.page-b\.content\.note holds broken letters/),
    expect.stringMatching(/^pages\.csv:4:3 formula-error pages\.page-c\.content\.note says "#NAME\?"/),
  ]);
});

test("an empty cell publishes no page at the root, and a slash does", () => {
  expect(found({ "pages.csv": `${PAGES}a,x,/a,1,\n` })).toEqual([
    expect.stringMatching(/^pages\.csv:2:10 root-slug pages\.page-a is published at the root/),
  ]);
  for (const root of ["/", '""']) expect(found({ "pages.csv": `${PAGES}a,x,/a,1,${root}\n` })).toEqual([]);
  const parts = SHOP.replace('slug: "${each.slug}"', 'slug: "${each.note}/${each.slug}"');
  expect(parts).not.toBe(SHOP);
  expect(found({ "landform.yaml": parts, "pages.csv": `${PAGES}a,en,/a,1,\nb,de,/b,1,x\n` })).toEqual([
    expect.stringMatching(/^pages\.csv:2:11 root-slug pages\.page-a is published at \/en, because/),
  ]);
  expect(found({ "landform.yaml": parts, "pages.csv": `${PAGES}a,en,/a,1,/\n` })).toEqual([]);
});

describe("prices", () => {
  test("two exchanged columns are one finding of their table", () => {
    const rows = "a,20,10\nb,30,25\nc,9,8\nd,5,7\n";
    expect(found({ "mugs.csv": MUGS + rows })).toEqual([
      "mugs.csv:2:3 odd-price products.mug-a.price is above comparePrice, as in 3 of 4 rows: are the two columns exchanged?",
    ]);
    expect(found({ "mugs.csv": `${MUGS}a,20,10\nb,5,7\nc,5,7\n` })).toEqual([
      expect.stringMatching(/^mugs\.csv:2:6 odd-price products\.mug-a\.comparePrice \(10\) is not above price \(20\)/),
    ]);
  });

  test("thousands, and the limits of the project", () => {
    const rows = { "mugs.csv": `${MUGS}a,1.290,\nb,0,\nc,5000,\n` };
    expect(found(rows)).toEqual([
      expect.stringMatching(/^mugs\.csv:2:3 odd-price .*was written 1\.290 and means 1\.29/),
      expect.stringMatching(/^mugs\.csv:3:3 odd-price .*is 0/),
    ]);
    expect(found(rows, "lint: { odd-price: { least: 2, most: 4000 } }\n")).toEqual([
      expect.stringMatching(/^mugs\.csv:2:3 .*is 1\.29, and the lowest of this project is 2$/),
      expect.stringMatching(/^mugs\.csv:2:3 .*was written 1\.290/),
      expect.stringMatching(/^mugs\.csv:3:3 .*is 0/),
      expect.stringMatching(/^mugs\.csv:4:3 .*is 5000, and the highest of this project is 4000$/),
    ]);
    expect(found({ "mugs.csv": `${MUGS}b,0,\n` }, "lint: { odd-price: { least: 0 } }\n")).toEqual([]);
  });
});

describe("in a plan that nobody asked to lint", () => {
  type Files = Readonly<Record<string, string>>;
  type Field = readonly [path: string[], old: unknown, now: unknown];
  const update = (type: string, name: string, ...changed: readonly Field[]): Change => {
    const fields = changed.map(([path, old, now]) => ({ path, old, new: now }));
    return { type, name, op: "update", fields } as unknown as Change;
  };
  const price = (name: string, old: number, now: number): Change =>
    update("Product", `mug-${name}`, [["price"], old, now]);

  async function told(files: Files, changes: readonly Change[], intent: object = {}): Promise<string[]> {
    const folder = await openProject(folderWith(files));
    const session = { folder, redactor: new Redactor([]) };
    const ran = { preview: { told: new Map(), changes } };
    const look = { session, intent: { kind: "up", ...intent }, ran } as unknown as Look;
    const report = { result: "succeeded", changes, findings: [], failures: [] } as unknown as Report;
    const after = withFindings(report, { ...(await lintCheck.run(look, report)), name: "lint" }, look.intent);
    return [
      ...after.findings.map(({ weight, text, allowed = "" }) => `${weight} ${text} ${allowed}`.trim()),
      ...after.failures.map(({ message }) => `refuse ${message}`),
    ];
  }

  const shop = (mugs: string): Files => ({
    "landform.yaml": SHOP,
    "pages.csv": `${PAGES}a,x,#,1,a\n`,
    "mugs.csv": MUGS + mugs,
  });

  test("it tells of what it changes, and prices that move by more than the limit", async () => {
    const files = shop("a,12,\nb,0,\nc,1290,\n");
    const changes = [price("a", 10, 12), price("c", 12.9, 1290)];
    expect(await told(files, changes)).toEqual([
      expect.stringMatching(/^hold products\.mug-c\.price goes up from 12\.9 to 1290, by 9900 % .*--force/s),
    ]);
    expect(await told(files, changes, { force: true })).toEqual([expect.stringMatching(/^warn products\.mug-c/)]);
    expect(await told(shop("a,12,\n"), [price("a", 20, 12)])).toEqual([
      expect.stringMatching(/^warn products\.mug-a\.price goes down/),
    ]);
    expect(await told(files, [])).toEqual([]);
    expect(await told(files, [price("b", 12, 0)])).toEqual([
      expect.stringMatching(/^warn products\.mug-b\.price is 0/),
      expect.stringMatching(/^hold products\.mug-b\.price goes down from 12 to 0, by 100 % .*--force/s),
    ]);
    const gone = [update("Product", "mug-a", [["comparePrice"], 15, 0])];
    expect(await told(shop("a,12,0\n"), gone)).toEqual([]);
    const asked = `${SHOP}lint: { price-change: { percent: 10 }, empty-link: off, odd-price: off }\n`;
    const byLimit = await told({ ...files, "landform.yaml": asked }, changes);
    expect(byLimit.filter((one) => one.includes("price-"))).toEqual([
      "warn products.mug-a.price goes up from 10 to 12, by 20 % [price-change]",
      expect.stringMatching(/^hold products\.mug-c/),
    ]);
    expect(await told(files, changes, { failOn: ["price-change"] })).toContainEqual(
      expect.stringMatching(/^refuse products\.mug-c/),
    );
  });

  test("many prices that move are told once for those that hold it, and once for the rest, with the largest", async () => {
    const names = "a b c d e f g".split(" ");
    const files = shop(names.map((name) => `${name},20,\n`).join(""));
    const moved = (old: (at: number) => number): Promise<string[]> => {
      const changes = names.map((name, at) => price(name, old(at), 20));
      return told(files, changes);
    };
    expect(await moved((at) => 15 - Math.min(at, 5))).toEqual([
      "warn products.mug-f.price goes up from 10 to 20, by 100 %, the largest of 7 changes by more than 30 % [price-change]",
    ]);
    expect(await moved((at) => (at === 0 ? 10 : at / 10))).toEqual([
      expect.stringMatching(/^warn products\.mug-a\.price goes up from 10 to 20, by 100 % \[/),
      expect.stringMatching(/^hold products\.mug-b\.price goes up from 0\.1 .*, the largest of 6 changes/s),
    ]);
  });

  test("rows whose texts are those of other rows are told, and hold it if no other text changes", async () => {
    const before = ["Mug", "Cup", "Bowl", "Plate", "Jug", "Vase"];
    const found = async (now: readonly string[], keys = "offer about story team jobs press"): Promise<string[]> => {
      const named = keys.split(" ");
      const rows = named.map((key, at) => `${key},${now[at]},/${key},1,${key}\n`).join("");
      const files = { ...shop("a,12,\n"), "pages.csv": PAGES + rows };
      const fields = named.map((_, at): Field => [["content", "note"], `${before[at]}!`, `${now[at]}!`]);
      const changes = fields.map((field, at) => update("Page", `page-${named[at]}`, field));
      const found = await told(
        files,
        changes.filter((_, at) => now[at] !== before[at]),
      );
      return found.filter((one) => one.includes("[moved-rows]"));
    };
    const sorted = before.toSorted();
    const held = /^hold \S*pages\.csv: 4 rows have the texts that other rows had .* \(column note\).*--force/s;
    for (const keys of [undefined, "a1 a2 a3 a4 a5 a6"])
      expect(await found(sorted, keys)).toEqual([expect.stringMatching(held)]);
    const turned = ["Vase", ...before.slice(0, 5)];
    expect(await found(turned)).toEqual([expect.stringMatching(/^hold \S*pages\.csv: 6 rows/)]);
    const shorter = ["Big Mug", ...before.slice(2), "Cup"];
    expect(await found(shorter)).toEqual([expect.stringMatching(/^warn \S*pages\.csv: 5 rows/)]);
    // People put a list into another order, exchange two texts, write new ones, and give rows the same text.
    expect(await found(turned, "a1 a2 a3 a4 a5 a6")).toEqual([]);
    for (const now of [
      ["Cup", "Mug", ...before.slice(2)],
      ["Cup", "Bowl", "Mug", ...before.slice(3)],
      before.map((one) => `${one} of clay`),
      before.map(() => "Mug"),
      ["Mug", "Mug", "Cup", "Bowl", "New", "Vase"],
    ])
      expect(await found(now)).toEqual([]);
  });

  test("two columns of prices that it exchanges hold it, and those that stood so before do not", async () => {
    const files = shop("a,15,12\nb,25,20\nc,9,8\n");
    const exchanges = update("Product", "mug-a", [["price"], 12, 15], [["comparePrice"], 15, 12]);
    expect(await told(files, [exchanges])).toEqual([
      expect.stringMatching(/^hold products\.mug-a\.price is above comparePrice, as in 3 of 3 rows.*--force/s),
    ]);
    expect(await told(files, [])).toEqual([]);
  });

  test("a translation of another row is told if it has lost a placeholder", async () => {
    const files = {
      "landform.yaml": MARKETS.replace("[en, de, fr]", "[en, de]"),
      "copy.csv": "key,en,de\na,By {{brand}},Bald\nb,Soon,Von {{brand}}\n",
    };
    const [a, b] = ["Von {{brand}}", "Bald"];
    const sorted = update("Page", "page-de", [["content", "a"], a, b], [["content", "b"], b, a]);
    expect((await told(files, [sorted])).filter((one) => one.includes("[lost-placeholder]"))).toEqual([
      expect.stringMatching(/^warn pages\.page-de\.content\.a: the translation \(de\) has lost {{brand}}/),
      expect.stringMatching(/^warn pages\.page-de\.content\.b: the translation \(de\) has {{brand}}/),
    ]);
    expect(await told(files, [])).toEqual([]);
  });

  test.each([
    ["#NAME?", "hold"],
    ["#BEZUG!", "hold"],
    ["Err:508", "hold"],
    ["GemÃ¼se", "hold"],
    ["A IRMÃ”", "warn"],
  ])("%s in a text that it changes is a %s, and nothing where it stood before", async (text, weight) => {
    const files = { ...shop("a,12,\n"), "pages.csv": `${PAGES}a,${text},/a,1,a\n` };
    const change = update("Page", "page-a", [["content", "note"], "A!", `${text}!`]);
    expect(await told(files, [change])).toEqual([expect.stringMatching(`^${weight} pages\\.page-a\\.content\\.note`)]);
    expect(await told(files, [])).toEqual([]);
    const asked = { ...files, "landform.yaml": `${SHOP}lint: { too-long: off }\n` };
    expect(await told(asked, [])).toEqual([expect.stringMatching(/^warn /)]);
  });

  const MARKETS = `landform: 1
copy: { source: en }
pages:
  page: { each: [en, de, fr], content: { file: copy.csv, locale: "\${each.key}" } }
`;
  const rows = (header: string): string => `key,${header}\na,One,Eins,Un\nb,Two,Zwei,Deux\nc,Three,Drei,Trois\n`;
  const TEXTS = { en: ["One", "Two", "Three"], de: ["Eins", "Zwei", "Drei"], fr: ["Un", "Deux", "Trois"] } as const;
  type Locale = keyof typeof TEXTS;
  const reads = (name: Locale, now: Locale): Change => {
    const fields = ["a", "b", "c"].map((key, at): Field => [["content", key], TEXTS[name][at], TEXTS[now][at]]);
    return update("Page", `page-${name}`, ...fields);
  };

  const exchanged = ["texts of de are now the texts of fr", "texts of fr are now the texts of de"];

  test.each([
    ["two translations", "en,fr,de", [reads("de", "fr"), reads("fr", "de")], exchanged],
    ["source and translation", "de,en,fr", [reads("en", "de"), reads("de", "en")], ["are now the original texts"]],
  ])("%s that are exchanged hold it, and --force allows them", async (_name, header, changes, says) => {
    const files = { "landform.yaml": MARKETS, "copy.csv": rows(header) };
    const held = (await told(files, changes)).filter((one) => one.includes("[exchanged-language]"));
    expect(held[0]).toMatch(/^hold column \w+ of copy\.csv: 3 texts .*--force/s);
    const allowed = await told(files, changes, { force: true });
    for (const words of says) expect(allowed).toContainEqual(expect.stringMatching(`warn .*${words}`));
  });
});

test("the examples have no finding of these rules", () => {
  const rules = [
    ...["formula-error", "garbled-text", "single-braces", "empty-link", "date-number", "root-slug", "odd-price"],
    "exchanged-language",
  ];
  const root = join(import.meta.dirname, "../../examples");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const manifests = files.filter((name) => /\.yaml$/.test(name) && !/node_modules|Pulumi|\.github/.test(name));
  const looked = manifests.flatMap((name) => {
    if (!readFileSync(join(root, name), "utf8").includes("landform: 1")) return [];
    const { manifest } = validate(name, { cwd: root });
    return manifest === undefined ? [] : [lint(manifest, { only: rules })];
  });
  expect(looked.length).toBeGreaterThan(3);
  expect(looked.flat()).toEqual([]);
});
