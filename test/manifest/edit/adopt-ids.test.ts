/** Ids of adopted objects: written into an entry of one object, and reported with the next step for an entry of several. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { leftLines } from "../../../story/look.ts";
import { validate } from "../../../manifest/index.ts";
import { writeAdoptIds } from "../../../manifest/export/live-values.ts";
import { folderWith } from "../files.ts";

test("rows of a file, of a list and of a matrix are named with their ids, and what to do works", () => {
  const folder = folderWith({
    "landform.yaml": `landform: 1
pages:
  home: {}
  offer: { each: { file: cities.csv, key: slug } }
  legal: { each: [de, fr] }
  step: { each: { matrix: { brand: [a, b], city: { file: cities.csv, key: slug } } } }
`,
    "cities.csv": "slug,name\nriga,Riga\nbern,Bern\n",
  });
  const path = join(folder, "landform.yaml");
  const ids = new Map([
    ["pages.home", "page_1"],
    ["pages.offer-riga", "page_2"],
    ["pages.legal-fr", "page_3"],
    ["pages.step-a-bern", "page_4"],
  ]);
  const before = validate(path).manifest;
  if (before === undefined) throw new Error("the manifest is faulty");
  const { files, left } = writeAdoptIds(before, ids);
  expect(files).toEqual(["landform.yaml"]);
  expect(left).toMatchObject([
    { of: "pages.offer", rows: new Map([["riga", "page_2"]]) },
    { of: "pages.legal", data: undefined, rows: new Map([["fr", "page_3"]]) },
    { of: "pages.step", data: undefined, rows: new Map([["a-bern", "page_4"]]) },
  ]);
  const told = left
    .flatMap((one) => leftLines(one, (text) => text))
    .join("\n")
    .replaceAll(`${folder}/`, "");
  expect(told).toContain(
    'Add a column adoptId to cities.csv with these ids, and leave its other cells empty. Add adoptId: "${each.adoptId}" to pages.offer. Then run up:',
  );
  expect(told).toMatch(
    /\n {2}riga {2}page_2\n[^]*pages\.step declares several resources[^]*by themselves for one up[^]*\n {2}a-bern {2}page_4$/,
  );

  const next = folderWith({
    "landform.yaml": readFileSync(path, "utf8").replace("offer: { each", 'offer: { adoptId: "${each.adoptId}", each'),
    "cities.csv": "slug,name,adoptId\nriga,Riga,page_2\nbern,Bern,\n",
  });
  const { manifest, diagnostics } = validate(join(next, "landform.yaml"));
  expect(diagnostics).toEqual([]);
  const adopted = manifest?.entries.map(({ key, inputs }) => [key, inputs["adoptId"]]).filter(([, id]) => id);
  expect(adopted).toEqual([
    ["home", "page_1"],
    ["offer-riga", "page_2"],
  ]);
});
