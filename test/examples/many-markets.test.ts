/** Sixty pages of one short manifest, and the purpose of its files: rows, texts, translations. examples.test.ts has its life. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CopyRecord, lint, translationsIn, validate, type Manifest } from "../../manifest/index.ts";
import { repository } from "./folders.ts";

function copied(): string {
  const folder = mkdtempSync(join(tmpdir(), "landform-many-markets-"));
  cpSync(join(repository, "examples/many-markets"), folder, { recursive: true });
  return folder;
}

function opened(folder: string): Manifest {
  const { manifest, diagnostics } = validate("landform.yaml", { cwd: folder });
  expect(diagnostics).toEqual([]);
  if (!manifest) throw new Error("no manifest");
  return manifest;
}

function edit(folder: string, file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  const before = readFileSync(path, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
}

const keysOf = ({ entries }: Manifest, section: string): string[] =>
  entries.filter(({ definition }) => definition.section === section).map(({ key }) => key);

test("three brands in four languages with five pages each, and three funnels, in less than 80 lines", () => {
  const folder = copied();
  const manifest = opened(folder);
  expect(readFileSync(join(folder, "landform.yaml"), "utf8").split("\n").length).toBeLessThan(80);
  expect(keysOf(manifest, "pages")).toHaveLength(3 * 4 * 5);
  expect(keysOf(manifest, "funnels")).toHaveLength(3);
  expect(lint(manifest)).toEqual([]);
});

test("a row in the middle is a brand more, and takes no other one's name", () => {
  const folder = copied();
  const before = opened(folder);
  edit(folder, "brands.csv", (text) => text.replace("\nrota,", "\nkiln,Kiln & Co,kiln.example,fr,New.\nrota,"));
  const after = opened(folder);
  for (const [section, more] of [
    ["pages", 20],
    ["sites", 1],
    ["funnels", 1],
  ] as const) {
    const keys = keysOf(after, section);
    expect(keys).toEqual(expect.arrayContaining(keysOf(before, section)));
    expect(keys.filter((key) => !keysOf(before, section).includes(key))).toHaveLength(more);
  }
});

test("an English text that changes names its three translations, and no other", () => {
  const folder = copied();
  expect(translationsIn(opened(folder)).filter(({ target }) => target === undefined)).toMatchObject([
    { key: "hero.text", locale: "es", home: { name: "copy/es/story.xlf" } },
  ]);
  edit(folder, "copy/offer.csv", (text) => text.replace("Until the kiln is empty.", "Until Sunday."));
  const found = lint(opened(folder), { record: CopyRecord.read(folder), only: ["stale"] });
  expect(found.map(({ file }) => file)).toEqual(["copy/de/offer.xlf", "copy/fr/offer.xlf", "copy/es/offer.xlf"]);
});
