/** Data files of every sort: quotes, line ends, marks, faults, and the place of each value. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Diagnostics } from "../../../manifest/source/diagnostics.ts";
import { dataReaders, leaves } from "../../../manifest/data/files.ts";
import { jsonOf, type DataValue } from "../../../manifest/data/value.ts";
import { scanCsv, quotedCell } from "../../../manifest/data/csv.ts";
import { SourceFile } from "../../../manifest/source/file.ts";

function read(name: string, text: string): { json: unknown; told: string[]; data: DataValue | undefined } {
  const diagnostics = new Diagnostics();
  const extension = name.slice(name.lastIndexOf("."));
  const data = dataReaders[extension]?.(new SourceFile(`/${name}`, name, text), diagnostics);
  const told = diagnostics.list().map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`);
  return { json: data && jsonOf(data), told, data };
}

const csv = (text: string) => read("a.csv", text);

test("rows are maps from column to cell; quotes, line breaks and separators in cells come back as they are", () => {
  expect(csv('slug,name\r\nriga,"Rīga, ""Latvija"""\r\noslo,"a\r\nb"\r\n').json).toEqual([
    { slug: "riga", name: 'Rīga, "Latvija"' },
    { slug: "oslo", name: "a\r\nb" },
  ]);
});

test("an empty cell is no text, and one in quotes is an empty one", () =>
  expect(csv('a,b,c\n,"",x\n,x,""\n').json).toEqual([
    { a: null, b: "", c: "x" },
    { a: null, b: "x", c: "" },
  ]));

test("the line that tells Excel what sets columns apart is none of the table", () => {
  const { data, json } = csv("sep=;\r\nslug;name\r\nriga;a,b\r\n");
  expect(json).toEqual([{ slug: "riga", name: "a,b" }]);
  expect(placesOf(data)).toEqual(["a.csv:3:1", "a.csv:3:6"]);
});

test.each([";", "\t"])("columns may be set apart by %j", (separator) => {
  const text = ["key", "value"].join(separator) + "\n" + ["a", "b, c"].join(separator);
  expect(csv(text).json).toEqual([{ key: "a", value: "b, c" }]);
});

test("blank lines, and columns without a name and cells, say nothing", () =>
  expect(csv("a,b,\n\n1,2,\n,,\n\n3,4\n").json).toEqual([
    { a: "1", b: "2" },
    { a: "3", b: "4" },
  ]));

test.each([
  ["", "data 1:1 a.csv is empty"],
  ["\n\n", "data 1:1 a.csv is empty"],
  ['a,b\n1,"2\n3,4\n', "data 2:3 the quote that opens here is never closed"],
  [
    "a,b\n<<<<<<< A\n1,2\n=======\n1,3\n>>>>>>> B\n",
    "data 2:1 a.csv holds both sides of a merge that git left to a person",
  ],
  ['a,b\n1,"2\n3,"4",5\n', "data 2:3 the quote that opens here is closed in another line, where the cell goes on"],
  ['a,b\n1,"2"x\n', "data 2:6 a cell ends with its closing quote, and here it goes on"],
  ["a,b\n1,2,3\n", "data 2:5 this row has 3 cells, and the header 2 columns"],
  ["a,b\n1\n", "data 2:1 this row has 1 cell, and the header 2 columns"],
  ["a,b,a\n1,2,3\n", 'data 1:5 two columns are named "a": the first is at a.csv:1:1'],
  ["a,,c\n1,2,3\n", "data 1:3 column 2 has no name"],
  ["a,__proto__\n1,2\n", "data 1:3 a column named __proto__ can't be stored"],
])("csv %j is told", (text, message) => expect(csv(text)).toMatchObject({ json: undefined, told: [message] }));

test.each([
  ['{"a": 1,}', "data 1:9 a text in double quotes is missing here, or isn't closed"],
  ['{"a": 1, "a": 2}', 'duplicate-key 1:10 "a" is written twice, first at a.json:1:2'],
  ["{'a': 1}", "data 1:2 a text in double quotes is missing here, or isn't closed"],
  ['{"a": 01}', "data 1:7 a JSON number can't begin with 0; put a text in double quotes"],
  ['["\\ud800"]', "data 1:2 half of a surrogate pair is not a character"],
  ["[1] 2", "data 1:5 the file goes on behind its value"],
  ["", "data 1:1 this is not JSON"],
  ['{"a": 12345678901234567890}', "data 1:7 this number has more digits than a number can keep"],
  ['{"__proto__": 1}', "data 1:13 a key named __proto__ can't be stored"],
  ["[".repeat(200), "nested-too-deep 1:102 values are nested more than 100 levels deep"],
])("json %j is told", (text, message) => {
  expect(read("a.json", text)).toMatchObject({ json: undefined, told: [message] });
});

test("a long text is no burden", () => {
  const text = 'x\\"'.repeat(3_000_000);
  expect(read("a.json", `["${text}"]`).json).toEqual(['x"'.repeat(3_000_000)]);
});

test("JSON is read as JSON.parse reads it, and each place is that of the value", () =>
  fc.assert(
    fc.property(fc.json({ stringUnit: "grapheme" }), fc.nat(4), (text, indent) => {
      const value: unknown = JSON.parse(text.replaceAll("__proto__", "proto").replaceAll(/-0\b(?!\.)/g, "0"));
      const written = JSON.stringify(value, null, indent);
      const { data, told } = read("a.json", written);
      expect(told).toEqual([]);
      if (data)
        for (const one of leaves(data))
          expect(JSON.parse(written.slice(one.place.start, one.place.end))).toBe(one.value);
      expect(data && jsonOf(data)).toEqual(value);
    }),
  ));

test("CSV comes back as it was written, and each cell's place holds it", () => {
  const odd = fc.constantFrom('"', "a\r\nb", ",", ";", " x ", "😀", "שלום", "=1");
  const cell = fc.oneof(fc.string({ unit: "grapheme" }), odd);
  const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 2, maxLength: 5 });
  const cells = fc.array(fc.array(cell, { minLength: 5, maxLength: 5 }));
  const [separators, ends] = [fc.constantFrom(",", ";", "\t"), fc.constantFrom("\n", "\r\n")];
  fc.assert(
    fc.property(names, cells, separators, ends, fc.boolean(), (header, wide, separator, end, quoted) => {
      const rows = wide.map((row) => row.slice(0, header.length));
      const line = (cells: string[]): string => cells.map((one) => quotedCell(one, separator, quoted)).join(separator);
      const text = [header.join(separator), ...rows.map(line)].join(end) + end;
      const { json, told } = csv(text);
      expect(told).toEqual([]);
      expect(json).toEqual(rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index]]))));
      const scanned = scanCsv(new SourceFile("/a.csv", "a.csv", text), new Diagnostics());
      for (const [index, row] of (scanned?.rows ?? []).entries())
        for (const [column, { place }] of row.entries())
          expect(text.slice(place.start, place.end)).toBe(quotedCell(rows[index]?.[column] ?? "", separator, quoted));
    }),
  );
});

test("YAML as a manifest reads it, with places, aliases and merge keys", () => {
  const { json, data } = read("a.yaml", "base: &b { x: 1 }\nmore: { <<: *b, y: 'two' }\nlist: [*b, null]\n");
  expect(json).toEqual({ base: { x: 1 }, more: { y: "two", x: 1 }, list: [{ x: 1 }, null] });
  expect(placesOf(data)).toEqual(["a.yaml:1:15", "a.yaml:2:20", "a.yaml:1:15", "a.yaml:1:15", "a.yaml:3:12"]);
  expect(read("a.yaml", "a: [1\nb: 2\n").told[0]).toMatch(/^syntax /);
});

function placesOf(data: DataValue | undefined): string[] {
  return data === undefined ? [] : [...leaves(data)].map(({ place }) => place.file.locate(place.start));
}
