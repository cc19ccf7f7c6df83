/** Each row of an entry knows the place of its data. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { validate } from "../../manifest/index.ts";
import { folderWith } from "./files.ts";

const COLUMNS = Array.from({ length: 20 }, (_, index) => `text${index}`);
const MANIFEST = `landform: 1
pages:
  page:
    each: { file: pages.csv, key: page }
    template: { id: tpl-hero }
    content:
${COLUMNS.map((name) => `      ${name}: Says \${each.${name}}\n`).join("")}`;

function filesOf(rows: number): Record<string, string> {
  const lines = Array.from({ length: rows }, (_, row) =>
    [row, ...COLUMNS.map((name) => `${name} of ${row}`)].join(","),
  );
  return { "landform.yaml": MANIFEST, "pages.csv": [["page", ...COLUMNS].join(","), ...lines, ""].join("\n") };
}

test("each row tells of each of its inputs what the manifest calls it, where it stands, and where its data does", () => {
  const { manifest } = validate(join(folderWith(filesOf(3)), "landform.yaml"));
  const entries = manifest?.entries ?? [];
  expect(entries).toHaveLength(3);
  for (const [row, { places, one, address }] of entries.entries()) {
    expect(one?.row).toMatchObject({ key: String(row), keys: [{ start: one?.row.place.start }] });
    for (const name of COLUMNS) {
      const spot = places.get(`content.${name}`);
      expect(spot?.path).toBe(`${address}.content.${name}`);
      expect(spot && textAt(spot.place)).toBe(`Says \${each.${name}}`);
      expect(spot?.from?.map(textAt)).toEqual([`${name} of ${row}`]);
      expect(places.has(`content.${name}`)).toBe(true);
    }
    expect([...places].map(([input]) => input)).toEqual([
      "templateId",
      "content",
      ...COLUMNS.map((name) => `content.${name}`),
    ]);
    expect([...places].every(([input, spot]) => JSON.stringify(places.get(input)) === JSON.stringify(spot))).toBe(true);
  }
});

function textAt({ file, start, end }: { file: { text: string }; start: number; end: number }): string {
  return file.text.slice(start, end);
}
