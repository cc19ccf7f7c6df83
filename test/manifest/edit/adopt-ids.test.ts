/** Ids of adopted objects: written into the entry of one object, and by the keys of the rows into an entry of several. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeAdoptIds } from "../../../manifest/export/live-values.ts";
import { checked, soundIn } from "../checked.ts";
import { folderWith } from "../files.ts";

const MANIFEST = `landform: 1
pages:
  home: {}
  offer: { each: { file: cities.csv, key: slug } }
  legal: # Kept
    each: [de, fr]
    name: Legal
  step: { each: { matrix: { brand: [a, b], city: { file: cities.csv, key: slug } } } }
  own: { adoptId: "\${each.id}", each: { file: ids.csv, key: slug } }
`;

const opened = () => {
  const folder = folderWith({
    "landform.yaml": MANIFEST,
    "cities.csv": "slug,name\nriga,Riga\nbern,Bern\n",
    "ids.csv": "slug,id\nx,page_x\ny,\n",
  });
  return { path: join(folder, "landform.yaml"), read: () => soundIn(folder) };
};

test("rows of a file, of a list and of a matrix get their ids, and keep those of an earlier look", () => {
  const { path, read } = opened();
  const ids = new Map([
    ["pages.home", "page_1"],
    ["pages.offer-riga", "page_2"],
    ["pages.legal-fr", "page_3"],
    ["pages.step-a-bern", "page_4"],
    ["pages.step-b-riga", "page_5"],
  ]);
  expect(writeAdoptIds(read(), ids)).toEqual({ files: ["landform.yaml"], kept: [] });
  expect(writeAdoptIds(read(), new Map([["pages.legal-de", "page_6"]])).files).toEqual(["landform.yaml"]);
  const adopted = read().entries.filter(({ inputs }) => inputs["adoptId"] !== undefined);
  expect(Object.fromEntries(adopted.map(({ address, inputs }) => [address, inputs["adoptId"]]))).toEqual({
    ...Object.fromEntries(ids),
    "pages.legal-de": "page_6",
    "pages.own-x": "page_x",
  });
  expect(readFileSync(path, "utf8")).toContain("legal: # Kept\n");
});

test("the id of a row goes into its empty cell, if the entry takes its ids from a column", () => {
  const { path, read } = opened();
  expect(writeAdoptIds(read(), new Map([["pages.own-y", "page_y"]]))).toEqual({ files: ["ids.csv"], kept: [] });
  expect(readFileSync(join(path, "../ids.csv"), "utf8")).toBe("slug,id\nx,page_x\ny,page_y\n");
  expect(readFileSync(path, "utf8")).toBe(MANIFEST);
});

test("an id of a row that is gone is told", () => {
  const { manifest, diagnostics } = checked("pages: { p: { each: [de], adoptId: { dee: page_1 } } }\n");
  expect(manifest?.entries.map(({ inputs }) => inputs["adoptId"])).toEqual([undefined]);
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'pages.p.adoptId: there is no row "dee", did you mean "de"?',
  ]);
});
