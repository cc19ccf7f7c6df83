/** A row that a filter leaves out because its cell says yes or no in another way is named: its page would be deleted. */
import { expect, test } from "vitest";
import { renderText } from "../../manifest/index.ts";
import { checked } from "./checked.ts";

const PAGES = `pages:
  city: { each: { file: cities.csv, key: slug, where: { live: yes } }, name: "\${each.slug}" }
`;
const told = (cell: string): string =>
  renderText(checked(PAGES, { "cities.csv": `slug,live\nriga,yes\noslo,${cell}\n` }).diagnostics);

test.each(["yse", "ja", "WAHR", "1", "x", "Sí"])("%s", (cell) => {
  expect(told(cell)).toMatch(new RegExp(`cities\\.csv:3:6: .*its live is "${cell}", did you mean "yes"`, "i"));
});

test.each(["no", "", "later", "nein", "0"])("not %j", (cell) => expect(told(cell)).toBe(""));
