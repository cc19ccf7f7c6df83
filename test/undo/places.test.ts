/** The advice of an undo for the source names the cell of the value, if the source is a data file. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { sourceLines } from "../../stack/undo/source.ts";
import type { SettledStep } from "../../stack/undo/undo-plan.ts";
import { validate } from "../../manifest/index.ts";
import { folderWith } from "../manifest/files.ts";

test("a cell of the row, of a layer, and a text of the manifest itself", () => {
  const folder = folderWith({
    "landform.yaml": `landform: 1
pages:
  offer:
    each: { file: cities.csv, key: slug }
    name: \${each.name}
    content:
      - { file: copy.csv }
      - hero.note: Note
`,
    "cities.csv": "slug,name\nriga,Riga\n",
    "copy.csv": "key,value\nhero.title,Hello\n",
  });
  const { manifest } = validate(join(folder, "landform.yaml"));
  const due = [{ field: "name" }, { field: "content", key: "hero.title" }, { field: "content", key: "hero.note" }];
  const step = {
    kind: "revert",
    type: "Page",
    name: "offer-riga",
    due: due.map((leaf) => ({ leaf, declared: "Old", inState: true })),
  } as unknown as SettledStep;
  expect(
    sourceLines([step], manifest).map((line) => line.replaceAll(`${folder}/`, "").replace(/^.*\/(?=\w+\.\w+:)/, "")),
  ).toEqual([
    'cities.csv:2:6  Page offer-riga name: "Old"',
    'copy.csv:2:12  Page offer-riga content["hero.title"]: "Old"',
    'landform.yaml:8:20  Page offer-riga content["hero.note"]: "Old"',
  ]);
  expect(sourceLines([step])).toEqual([
    'Page offer-riga name: "Old"',
    'Page offer-riga content["hero.title"]: "Old"',
    'Page offer-riga content["hero.note"]: "Old"',
  ]);
});
