import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyContent,
  contentFields,
  type PageDocument,
  replaceVariables,
  variables,
} from "../../emulator/document/index.ts";
import { anyDocument, fromTemplate } from "./arbitraries.ts";

const titled = (title: string): PageDocument => {
  const sections = fromTemplate("tpl-hero").sections.filter((section) => section.misc.name === "hero");
  const plain = Object.fromEntries(contentFields({ sections }).map(({ key }) => [key, ""]));
  return applyContent({ sections }, { ...plain, "hero.title": title }).document;
};

const titleOf = (document: PageDocument): unknown =>
  contentFields(document).find(({ key }) => key === "hero.title")?.value;

describe("variables", () => {
  test.each([
    ["{{brand}}", ["brand"]],
    ["{{ brand }} and {{\tother.name }}", ["brand", "other.name"]],
    ["{{b}}{{a}}{{b}}", ["b", "a"]],
    ["{{Größe_2-x}}", ["Größe_2-x"]],
    ['{ {a} } {b} {{}} {{ }} {{a b}} {"k":{"v":1}}', []],
  ])("names in %s", (text, names) => {
    expect(variables(titled(text))).toEqual(names);
  });

  test("counts every occurrence, and says what is left", () => {
    const result = replaceVariables(titled("{{a}} {{ a }} {{b}}"), { a: "1", unused: "2" });
    expect(titleOf(result.document)).toBe("1 1 {{b}}");
    expect(result).toMatchObject({ replacements: 2, changedSections: 1, replaced: ["a"], remaining: ["b"] });
  });

  test("a value that holds a placeholder goes in as it is", () => {
    const result = replaceVariables(titled("{{a}}-{{b}}"), { a: "{{b}}", b: "{{a}}" });
    expect(titleOf(result.document)).toBe("{{b}}-{{a}}");
    expect(result.remaining).toEqual(["b", "a"]);
  });

  test.each(["$&", "$1", "$$", "a\nb", '{"k": 1}', ""])("the value %j goes in byte for byte", (value) => {
    expect(titleOf(replaceVariables(titled("<{{ a }}>"), { a: value }).document)).toBe(`<${value}>`);
  });

  test("names of Object's own are no values", () => {
    expect(replaceVariables(titled("{{constructor}}"), {}).remaining).toEqual(["constructor"]);
  });

  test("none of the replaced remain, and the others are untouched", () => {
    const withoutBraces = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[{}]/g, ""));
    fc.assert(
      fc.property(anyDocument, withoutBraces, fc.nat(), (document, value, pick) => {
        const names = variables(document);
        const chosen = names.filter((_, index) => (pick >> index) % 2 === 0);
        const result = replaceVariables(document, Object.fromEntries(chosen.map((name) => [name, value])));
        expect(new Set(result.replaced)).toEqual(new Set(chosen));
        expect(result.remaining).toEqual(names.filter((name) => !chosen.includes(name)));
        expect(result.remaining).toEqual(variables(result.document));
        expect(result.replacements > 0).toBe(chosen.length > 0);
      }),
    );
  });

  test("a second time replaces nothing", () => {
    const first = replaceVariables(fromTemplate("tpl-hero"), { brand: "Acme" });
    const second = replaceVariables(first.document, { brand: "Other" });
    expect(second).toMatchObject({ replacements: 0, changedSections: 0, replaced: [] });
    expect(second.document).toEqual(first.document);
  });
});
