/** Other words in the files of a program: where it says the text, and nowhere else; or nothing is written at all. */
import { expect, test } from "vitest";
import { literalsIn } from "../../stack/sources/literals.ts";
import type { SourceText } from "../../stack/sources/project-texts.ts";
import { changedFiles, replacementsIn, UnsoundText } from "../../stack/sources/replacing.ts";

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

test("what is no text for visitors is named and left alone", () => {
  const code = [
    `import { readFileSync as read } from "node:fs";`,
    `import path, { join } from "node:path";`,
    `const fs = require("fs");`,
    `const a = read("tpl/x.md", "tpl"), b = fs.readFileSync(path.join("tpl", c ? "tpl" : d), { encoding: "tpl" });`,
    `new landform.Page("offer", { templateId: e ? "tpl-hero" : "tpl-b", name: f ? projectId : "tpl", content: { templateId: "tpl" },`,
    `  publish: { siteId: "tpl", slug: "tpl" }, adoptId: "tpl", onForeignEdits: "tpl", ...rest("tpl") });`,
    `new Funnel("way", { steps: [{ pageId: "tpl" }, { pageId: \`tpl\` }] });`,
    `const own = { templateId: "tpl" }, joined = ["tpl"].join("tpl"), t = \`\${read("tpl")} tpl\`;`,
  ].join("\n");
  const { replacements, blocked } = replacementsIn(textsOf(code), [], "tpl", "cup");
  expect(changedFiles(replacements, ["tpl", "cup"])[0]?.after).toBe(
    code
      .replace(`: "tpl", content: { templateId: "tpl"`, `: "cup", content: { templateId: "cup"`)
      .replace(`slug: "tpl"`, `slug: "cup"`)
      .replace(`rest("tpl")`, `rest("cup")`)
      .replace(
        `{ templateId: "tpl" }, joined = ["tpl"].join("tpl")`,
        `{ templateId: "cup" }, joined = ["cup"].join("cup")`,
      )
      .replace(" tpl`;", " cup`;"),
  );
  expect(blocked.map(({ why }) => ("setting" in why ? why.setting : ""))).toEqual([
    "it is an argument of read",
    "it is an argument of read",
    "it is an argument of path.join",
    "it is an argument of path.join",
    "it is an argument of fs.readFileSync",
    "templateId is an id",
    "templateId is an id",
    "publish.siteId is an id",
    "adoptId is an id",
    "onForeignEdits is one of a few words",
    "steps.pageId is an id",
    "steps.pageId is an id",
    "it is an argument of read",
  ]);
});
