/** The allowed files: encodings, sizes, includes and the limits of a manifest's folder. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { validate, type Manifest } from "../../manifest/index.ts";
import { checked, sound } from "./checked.ts";
import { corpus, folderWith } from "./files.ts";

const HEAD = "landform: 1\n";

function told(folder: string, file = "landform.yaml"): string[] {
  const { diagnostics } = validate(file, { cwd: folder });
  return diagnostics.map((one) => `${one.code} ${one.file}:${one.line}:${one.column}`);
}

const contentOf = (manifest: Manifest, address: string): Record<string, unknown> =>
  manifest.entries.find((entry) => entry.address === address)?.inputs["content"] as Record<string, unknown>;

test("a missing file, a folder and a file that is not UTF-8 are told", () => {
  const folder = folderWith({ "latin.yaml": Uint8Array.of(0x61, 0x3a, 0x20, 0xfc), "sub/landform.yaml": HEAD });
  for (const name of ["landform.yaml", "nowhere/landform.yaml", "sub", "latin.yaml"])
    expect(told(folder, name)).toEqual([`file-unreadable ${name}:1:1`]);
});

test.each([
  ["a byte of another encoding", [0xe4], "is not UTF-8 text: see line 3"],
  ["a sign that is cut off", [0xe2, 0x82], "is not UTF-8 text: see line 3"],
  ["NUL", [0], "has NUL characters, the first in line 3"],
])("%s is told with its line of the data file", (_, bytes, said) => {
  const table = Buffer.concat([Buffer.from("slug,price\r\n\uFFFD,1\r\nr"), Buffer.from(bytes), Buffer.from("ga,2\n")]);
  const products = "products: { m: { each: { file: t.csv, key: slug }, price: 1 } }\n";
  const { diagnostics } = checked(products, { "t.csv": table });
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    expect.stringMatching(new RegExp(`^file-unreadable: .*t\\.csv .*${said}$`)),
  ]);
});

test("a byte order mark and CRLF move no position and change no text", () => {
  const text =
    "\uFEFFlandform: 1\r\npages:\r\n  offer: { nam: x }\r\n  b:\r\n    content:\r\n      a: |\r\n        x\r\n        y\r\n";
  const folder = folderWith({ "landform.yaml": text, "good.yaml": text.replace("{ nam: x }", "") });
  expect(told(folder)).toEqual(["unknown-property landform.yaml:3:12"]);
  const { manifest } = validate("good.yaml", { cwd: folder });
  expect(manifest && contentOf(manifest, "pages.b")).toEqual({ a: "x\ny\n" });
});

test("a file's text is taken byte for byte, without its byte order mark", () => {
  const text = "Zeile 1\r\n\tZwei 🌷\n\n";
  const pages = "pages:\n  offer: { content: { a: { file: texts/a.md } } }\n";
  expect(contentOf(sound(pages, { "texts/a.md": `\uFEFF${text}` }), "pages.offer")).toEqual({ a: text });
});

test("an alias bomb ends in a message", () => {
  const levels = Array.from({ length: 12 }, (_, level) =>
    level === 0 ? "  l0: &l0 [x]\n" : `  l${level}: &l${level} [${`*l${level - 1}, `.repeat(10)}]\n`,
  );
  const { diagnostics } = checked(`x-bomb:\n${levels.join("")}pages:\n  p: { content: { a: *l11 } }\n`);
  expect(diagnostics.map(({ code }) => code)).toEqual(["alias"]);
});

test.each([
  ["lists", 3000, "[", "]"],
  ["maps", 3000, "{a: ", "}"],
  ["lists", 150, "[", "]"],
])("%s nested %i levels deep are told", (_what, depth, open, close) => {
  const value = `${open.repeat(depth)}1${close.repeat(depth)}`;
  const { diagnostics } = checked(`pages:\n  p: { content: { a: ${value} } }\n`);
  expect([...new Set(diagnostics.map(({ code }) => code))]).toEqual(["nested-too-deep"]);
});

test("included files add their entries, and refer to each other's", () => {
  const manifest = sound("include: [pages/offer.yaml, sites.yaml]\noutputs: { url: pages.offer.url }\n", {
    "pages/offer.yaml":
      "include: [more/thanks.yaml]\npages:\n  offer: { publish: { site: main }, content: { t: { file: t.md } } }\n",
    "pages/more/thanks.yaml": "include: [../../sites.yaml]\npages:\n  thanks: { duplicateOf: offer }\n",
    "pages/t.md": "text",
    "sites.yaml": "sites:\n  main:\n",
  });
  expect(manifest.entries.map(({ address }) => address)).toEqual(["sites.main", "pages.offer", "pages.thanks"]);
  const files = ["landform.yaml", "pages/offer.yaml", "pages/more/thanks.yaml", "sites.yaml"];
  expect(manifest.files.map(({ name }) => name)).toEqual(files);
});

test("faults of an included file are told with its own place", () => {
  const folder = folderWith({
    "landform.yaml": `${HEAD}include: [a.yaml, b.yaml]\npages:\n  offer:\n`,
    "a.yaml": "name: other\npages:\n  offer:\n  more: { tag: x }\n",
    "b.yaml": "include: [landform.yaml]\n",
  });
  expect(told(folder)).toEqual([
    "include a.yaml:1:1",
    "unknown-property a.yaml:4:11",
    "include b.yaml:1:11",
    "duplicate-key landform.yaml:4:3",
  ]);
});

test("no file outside the folder is read, not through links either", () => {
  const secret = folderWith({ "secret.txt": "secret", "pages.yaml": "pages:\n  stolen:\n" });
  const page = "pages:\n  a: { content: { x: { file: link.txt }, y: { file: inside.txt } } }\n";
  const folder = folderWith({ "landform.yaml": `${HEAD}include: [link.yaml]\n${page}`, "real.txt": "fine" });
  symlinkSync(join(secret, "secret.txt"), join(folder, "link.txt"));
  symlinkSync(join(secret, "pages.yaml"), join(folder, "link.yaml"));
  symlinkSync(join(folder, "real.txt"), join(folder, "inside.txt"));
  expect(told(folder)).toEqual(["file-outside landform.yaml:2:11"]);
  writeFileSync(join(folder, "landform.yaml"), HEAD + page);
  expect(told(folder)).toEqual(["file-outside landform.yaml:3:22"]);
});

test("whatever a file is turned into, there is an answer", () => {
  const texts = corpus("good").map(({ text }) => text);
  const cut = fc.record({
    text: fc.constantFrom(...texts),
    at: fc.nat(),
    length: fc.nat(30),
    insert: fc.string({ maxLength: 8, unit: fc.constantFrom(...Array.from("{}[]:,-&*!|>'\"\t\n #<ab1")) }),
  });
  const folder = folderWith({});
  fc.assert(
    fc.property(cut, ({ text, at, length, insert }) => {
      const start = at % (text.length + 1);
      writeFileSync(join(folder, "landform.yaml"), text.slice(0, start) + insert + text.slice(start + length));
      const { manifest, diagnostics } = validate("landform.yaml", { cwd: folder });
      expect(manifest === undefined).toBe(diagnostics.some(({ severity }) => severity === "error"));
    }),
    { numRuns: 600 },
  );
});
