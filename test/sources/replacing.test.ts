/** Other words in the files of a program: where it says the text, and nowhere else; or nothing is written at all. */
import { expect, test } from "vitest";
import { literalsIn } from "../../cli/sources/literals.ts";
import type { SourceText } from "../../cli/sources/project-texts.ts";
import { changedFiles, replacementsIn, UnsoundText } from "../../cli/sources/replacing.ts";

function textsOf(whole: string): SourceText[] {
  const file = { path: "/p/index.ts", text: whole, kind: "code" as const, literals: literalsIn(whole) };
  return file.literals
    .filter(({ role }) => role === "value")
    .map((literal) => {
      const { start, end, value } = literal;
      return { file: file.path, name: "index.ts", whole, start, end, value, by: { kind: "literal", file, literal } };
    });
}

function replaced(code: string, old: string, now: string): string | undefined {
  const { replacements } = replacementsIn(textsOf(code), [], old, now);
  return changedFiles(replacements, [old, now])[0]?.after;
}

const BREAKS = "\r\n";
const CODE = [
  "// mugs of tea",
  'const a = { title: "mugs of tea 🎈", alt: `mugs of tea` }; // mugs of tea',
  "const b = `All ${a.title} and mugs",
  "of tea`; /* mugs of tea */",
  String.raw`const c = 'it\'s m\u0075gs of tea', d = ["mugs of tea"];`,
  "",
].join(BREAKS);

test("in every literal that says it, comments, line ends and all others as they were", () => {
  const after = replaced(CODE, "mugs of tea", "cups 🍵 of “it's”");
  expect(after?.split(BREAKS)).toEqual([
    "// mugs of tea",
    "const a = { title: \"cups 🍵 of “it's” 🎈\", alt: `cups 🍵 of “it's”` }; // mugs of tea",
    "const b = `All ${a.title} and mugs",
    "of tea`; /* mugs of tea */",
    String.raw`const c = 'it\'s cups 🍵 of “it\'s”', d = ["cups 🍵 of “it's”"];`,
    "",
  ]);
  expect(replaced(CODE, "mugs\nof tea", "cups")?.split(BREAKS)[2]).toBe(
    "const b = `All ${a.title} and cups`; /* mugs of tea */",
  );
  expect(replaced(CODE, "tea 🎈", "tea")?.split(BREAKS)[1]).toContain('"mugs of tea"');
});

test("what would mean something else beside its neighbours is not written", () => {
  expect(() => replaced("const price = 5; const a = `costs $-{price}`;", "-", "")).toThrow(UnsoundText);
  expect(replaced("const a = `costs $-`;", "-", "{price}")).toBe("const a = `costs $\\{price}`;");
  expect(replaced("const a = `costs -{price}`;", "-", "$")).toBe("const a = `costs \\${price}`;");
});
