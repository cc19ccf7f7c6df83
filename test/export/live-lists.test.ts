/** The export knows every item of a list: an item that is no longer live leaves landform.yaml, and the file stays consistent. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { liveTexts, writeLiveTexts, type LiveField } from "../../manifest/export/live-values.ts";
import { validate } from "../../manifest/index.ts";
import { folderWith } from "../manifest/files.ts";

const FUNNEL = `funnels:
  f:
    steps:
      - { page: a, pageType: presell } # first
      - url: https://old.example
        pageType: sales
`;

/** Returns the steps in the file after these edits. */
function written(fields: readonly LiveField[]): string {
  const folder = folderWith({ "landform.yaml": `landform: 1\npages: { a: {}, b: {} }\n${FUNNEL}` });
  const path = join(folder, "landform.yaml");
  const owner = (id: string) => ({ page_a: { type: "Page", name: "a" }, page_b: { type: "Page", name: "b" } })[id];
  const texts = liveTexts(path, [{ type: "Funnel", name: "f", fields }], { outside: { env: {} }, owner });
  expect(texts.kept).toEqual([]);
  writeLiveTexts(path, texts);
  expect(validate(path).diagnostics).toEqual([]);
  return readFileSync(path, "utf8").split("    steps:")[1] ?? "";
}

const field = (index: number, name: string, value?: string): LiveField => ({ path: ["steps", index, name], value });

test("steps that changed places are moved", () =>
  expect(
    written([
      field(0, "pageId"),
      field(0, "pageType", "sales"),
      field(0, "url", "https://old.example"),
      field(1, "pageType", "presell"),
      field(1, "url"),
      field(1, "pageId", "page_a"),
    ]),
  ).toBe(
    "\n      - url: https://old.example\n        pageType: sales\n      - { page: a, pageType: presell } # first\n",
  ));

test("removed steps leave nothing behind, whether one or all", () => {
  const first = [field(0, "pageId"), field(0, "pageType")];
  const second = [field(1, "pageType"), field(1, "url")];
  expect(written(second)).toBe("\n      - { page: a, pageType: presell } # first\n");
  expect(written([...first, ...second])).toMatch(/^ \[\]\n/);
});
