/** A number that comes in the place of another one has as many decimals: 13.50 becomes 12.50, as it was before. */
import { expect, test } from "vitest";
import { dataReaders, leaves } from "../../../manifest/data/files.ts";
import { Diagnostics } from "../../../manifest/source/diagnostics.ts";
import { SourceFile } from "../../../manifest/source/file.ts";
import { withCells } from "../../../manifest/write/data.ts";

test.each([
  ["prices.csv", "sku,price\nA1,13.50\nB2,22.00\n", 12.5, "sku,price\nA1,12.50\nB2,22.00\n"],
  ["prices.csv", 'sku,price\nA1,"13.50"\n', 9, 'sku,price\nA1,"9.00"\n'],
  ["prices.csv", "sku,price\nA1,13\n", 12.5, "sku,price\nA1,12.5\n"],
  ["prices.csv", "sku,price\nA1,13.5\n", 12.125, "sku,price\nA1,12.125\n"],
  ["prices.csv", "sku,price\nA1,13.5\n", 9, "sku,price\nA1,9\n"],
  ["prices.json", '{ "A1": 13.50, "B2": 22.00 }', 12.5, '{ "A1": 12.50, "B2": 22.00 }'],
  ["prices.yaml", "A1: 13.50 # net\nB2: 22.00\n", 12.5, "A1: 12.50 # net\nB2: 22.00\n"],
  ["prices.yaml", "A1: 13\n", 1e-7, "A1: 1e-7\n"],
])("%s: %j to %d", (name, text, value, wanted) => {
  const file = new SourceFile(`/${name}`, name, text);
  const data = dataReaders[name.slice(name.indexOf("."))]?.(file, new Diagnostics());
  const found = [...(data ? leaves(data) : [])].find((leaf) => /^13/.test(String(leaf.value)));
  if (found === undefined) throw new Error("the file has no such value");
  expect(withCells(file, [{ place: found.place, value }])).toBe(wanted);
});
