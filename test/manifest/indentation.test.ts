/** A line that is a column off, or behind a tab, makes one error about that line. */
import { expect, test } from "vitest";
import { Diagnostics } from "../../manifest/source/diagnostics.ts";
import { SourceFile } from "../../manifest/source/file.ts";
import { parse } from "../../manifest/source/parse.ts";

function told(text: string): string[] {
  const diagnostics = new Diagnostics();
  parse(new SourceFile("/landform.yaml", "landform.yaml", text), diagnostics);
  return diagnostics.list().map(({ line, message }) => `${line}: ${message}`);
}

const MANIFEST = `landform: 1
name: spring
pages:
  offer:
    name: Offer
    content:
      hero.title: Hello
      hero.text: |
        Some
         lines: of
        text
    tags: [a,
      b, "c: d"]
    publish: { site: main }
funnels:
  way:
    steps:
      - { page: offer, pageType: sales }
      - page: offer
        pageType: thankyou
`;

function changed(line: string, by: string): string {
  const text = MANIFEST.replace(`\n${line}\n`, `\n${by}\n`);
  if (text === MANIFEST) throw new Error(line);
  return text;
}

test.each([
  ["    content:", "   content:", "6: line 6 is indented by 3, its siblings by 4"],
  ["    content:", "     content:", "6: line 6 is indented by 5, its siblings by 4"],
  ["    publish: { site: main }", "   publish: { site: main }", "14: line 14 is indented by 3, its siblings by 4"],
  ["      hero.text: |", "     hero.text: |", "8: line 8 is indented by 5, its siblings by 6"],
  ["        pageType: thankyou", "       pageType: thankyou", "20: line 20 is indented by 7, its siblings by 8"],
  ["      - page: offer", "     - page: offer", "19: line 19 is indented by 5, its siblings by 6"],
  ["    content:", "\tcontent:", "6: a tab can't indent YAML"],
  ["    content:", "  \tcontent:", "6: a tab can't indent YAML"],
])("%j as %j", (line, by, message) => {
  expect(told(changed(line, by))).toEqual([message]);
  expect(told(changed(line, by).replaceAll("\n", "\r\n"))).toEqual([message]);
});

test("the manifest itself is sound", () => expect(told(MANIFEST)).toEqual([]));
