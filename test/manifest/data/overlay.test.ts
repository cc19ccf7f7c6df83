/** Texts from several files, in order. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { DataFiles, type Asking } from "../../../manifest/data/files.ts";
import { jsonOf, type DataValue } from "../../../manifest/data/value.ts";
import { layerOf, overlaid, type Layer } from "../../../manifest/data/layers.ts";
import { localeChain } from "../../../manifest/language/locales.ts";
import { Diagnostics } from "../../../manifest/source/diagnostics.ts";
import { SourceFile } from "../../../manifest/source/file.ts";
import { Folder, MAX_FILE_BYTES } from "../../../manifest/source/folder.ts";
import { folderWith } from "../files.ts";
import fc from "fast-check";

function reading(files: Record<string, string | Uint8Array>) {
  const folder = folderWith({ "landform.yaml": "landform: 1\n", ...files });
  const diagnostics = new Diagnostics();
  const data = new DataFiles(new Folder(folder, folder), diagnostics);
  const from = join(folder, "landform.yaml");
  const place = new SourceFile(from, "landform.yaml", "landform: 1\n").whole;
  const asking: Asking = { from, place, path: "pages.a.content" };
  const layer = (name: string, columns = {}): Layer | undefined => {
    const file = data.open(name, asking);
    return file && layerOf(file, columns, diagnostics, asking);
  };
  const told = () => diagnostics.list().map((one) => `${one.code} ${one.file}:${one.line} ${one.message}`);
  return { texts: (folder: string) => data.texts(folder, asking), layer, told };
}

const stated = (texts: ReadonlyMap<string, { value: DataValue }>): unknown =>
  [...texts].map(([key, { value }]) => [key, jsonOf(value)]);

test("later files stand over earlier ones; each value knows its file, its line and what it stands over", () => {
  const { layer } = reading({
    "base.yaml": "hero.title: Hello\nhero.text: Text\n",
    "de.json": '{\n  "hero.title": "Hallo"\n}\n',
    "de-AT.csv": "key,value\nhero.title,Servus\nhero.text,\nmore,Mehr\n",
  });
  const layers = ["base.yaml", "de.json", "de-AT.csv"].map((name) => layer(name) ?? new Map());
  const texts = overlaid(layers);
  expect(stated(texts)).toEqual([
    ["hero.title", "Servus"],
    ["hero.text", "Text"],
    ["more", "Mehr"],
  ]);
  const title = texts.get("hero.title");
  const placeOf = ({ place }: { place: { file: SourceFile; start: number } }): string => place.file.locate(place.start);
  expect(title && [title, ...title.over].map(placeOf)).toEqual(["de-AT.csv:2:12", "de.json:2:17", "base.yaml:1:13"]);
});

test("columns are chosen by name, and an empty cell leaves what lies below", () => {
  const { layer, told } = reading({ "copy.csv": "id,en,de\na,Hello,Hallo\nb,World,\n" });
  const chosen = (value: string): Layer => layer("copy.csv", { key: "id", value }) ?? new Map();
  const texts = overlaid([chosen("en"), chosen("de")]);
  expect(stated(texts)).toEqual([
    ["a", "Hallo"],
    ["b", "World"],
  ]);
  expect(layer("copy.csv", { key: "id", value: "dee" })).toBeUndefined();
  expect(told()).toEqual(['data landform.yaml:1 pages.a.content: copy.csv has no column "dee", did you mean "de"?']);
});

test("a folder of texts is a map; two files of one name are told", () => {
  const { texts, told } = reading({
    "copy/hero.title.txt": "Hello",
    "copy/hero.text.md": "# Text\n",
    "copy/.hidden": "x",
    "two/a.md": "",
    "two/a.txt": "",
  });
  const copy = texts("copy");
  expect(copy && jsonOf(copy)).toEqual({ "hero.title": "Hello", "hero.text": "# Text\n" });
  expect(["two", "none", "copy/hero.text.md"].map(texts)).toEqual([undefined, undefined, undefined]);
  expect(told()).toEqual([
    "file-unreadable landform.yaml:1 pages.a.content: none does not exist",
    "file-unreadable landform.yaml:1 pages.a.content: copy/hero.text.md is not a folder",
    'duplicate-key landform.yaml:1 pages.a.content: two/a.txt and two/a.md are both the text of "a"',
  ]);
});

test("too large, outside, of no known kind, with a key twice", () => {
  const { layer, told } = reading({
    "large.csv": new Uint8Array(50 * 1024 * 1024).fill(0x61),
    "notes.txt": "a",
    "twice.csv": "key,value\na,1\nb,2\na,3\n",
    "list.yaml": "- a\n",
  });
  for (const name of ["large.csv", "../x.csv", "notes.txt", "twice.csv", "list.yaml"])
    expect(layer(name)).toBeUndefined();
  expect(told()).toEqual([
    `file-unreadable landform.yaml:1 pages.a.content: large.csv has 52428800 bytes, and at most ${MAX_FILE_BYTES} are read`,
    "file-outside landform.yaml:1 pages.a.content: ../x.csv is outside the folder of the manifest",
    "data landform.yaml:1 pages.a.content: notes.txt is no data file",
    'duplicate-key twice.csv:4 "a" is written twice, first at twice.csv:2:1',
    "data list.yaml:1 list.yaml holds no map of keys and values",
  ]);
});

test("the chain of a language", () => {
  for (const chain of [["de", "de-AT"], ["zh", "zh_Hant", "zh_Hant_TW"], ["fr"]])
    expect(localeChain(chain.at(-1) ?? "")).toEqual(chain);
});

test("the last layer that has a key says it, whatever the layers", () => {
  const layers = fc.array(fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.string()), { maxLength: 5 });
  fc.assert(
    fc.property(layers, (all) => {
      const place = new SourceFile("/x", "x", "").whole;
      const made = all.map(
        (one) => new Map(Object.entries(one).map(([key, value]) => [key, { key, value, keyPlace: place, place }])),
      );
      const texts = overlaid(made);
      expect(Object.fromEntries([...texts].map(([key, { value }]) => [key, value]))).toEqual({
        ...Object.assign({}, ...all),
      });
      for (const [key, { value, over }] of texts) {
        const said = all.flatMap((one) => (key in one ? [one[key]] : [])).reverse();
        expect([value, ...over.map((below) => below.value)]).toEqual(said);
      }
    }),
  );
});
