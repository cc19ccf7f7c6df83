/** Texts in programs: finding them, their meaning, and writing others in their place. */
import { describe, expect, test } from "vitest";
import { isSoundCode, type Literal, literalsIn, quotedFor } from "../../manifest/write/literals.ts";
import { applySplices } from "../../manifest/write/splices.ts";

const texts = (code: string, role: Literal["role"] = "value"): string[] =>
  literalsIn(code).flatMap((one) => (one.role === role ? [one.value] : []));

/** Replaces each text that says the old one. */
function replaced(code: string, old: string, now: string): string {
  const saying = literalsIn(code).filter(({ role, value }) => role === "value" && value === old);
  return applySplices(
    code,
    saying.map(({ start, end, quote }) => ({ start, end, text: quotedFor(now, quote) })),
  );
}

describe("what is a text", () => {
  test("quotes of each kind, and the parts of templates", () => {
    expect(texts("f('a', \"b\", `c ${d + `e${1}`} g`)")).toEqual(["a", "b", "c ", "e", "", " g"]);
  });

  test("what they mean", () => {
    expect(
      texts(String.raw`x = 'It\'s \u00e9\x41\u{1F600}\n\
end'`),
    ).toEqual(["It's éA😀\nend"]);
  });

  test("neither comments, regular expressions nor divisions", () => {
    expect(texts('/* "a" */ // "b"\nconst c = /["\'`/]/g, d = e / f / "g", h = (i) / "j";')).toEqual(["g", "j"]);
  });

  test("braces within templates", () => {
    expect(texts('`a${ { b: { c: "d" } } }e` + "f"')).toEqual(["a", "d", "e", "f"]);
  });

  test("what names a module, a key or a resource is told apart", () => {
    const code = `import x, { y } from "m"; import "n"; require("o"); new a.b.Page("offer", { "k": c ? "v" : "w" }); p["q"];`;
    expect(texts(code)).toEqual(["v", "w"]);
    expect(texts(code, "import")).toEqual(["m", "n", "o"]);
    expect(texts(code, "name")).toEqual(["offer"]);
    expect(texts(code, "key")).toEqual(["k", "q"]);
  });

  test("lines of a template mean the same in a file with CRLF", () => {
    const code = "x = `one\r\ntwo 🎈 old`; // old\r\n";
    expect(texts(code)).toEqual(["one\ntwo 🎈 old"]);
    expect(replaced(code, "one\ntwo 🎈 old", "1 🎈")).toBe("x = `1 🎈`; // old\r\n");
  });

  test("a file that ends in the middle of a text", () => {
    expect(texts("x = 'a\ny = `b ${")).toEqual(["a", "b "]);
  });
});

describe("other words", () => {
  const NEW = 'it\'s "new"\n`${x}` \\ \u2028';

  test.each(["'", '"', "`"])("come through %s as they are", (quote) => {
    const code = `export const a: string = ${quote}\\u00e9 old${quote}; // old`;
    const now = replaced(code, "é old", NEW);
    expect(texts(now)).toEqual([NEW]);
    expect(now).toMatch(/^export const a: string = [^]*; \/\/ old$/);
    expect(isSoundCode(now, "a.ts")).toBe(true);
  });

  test("what can't be read is told", () => {
    expect(isSoundCode("const a: number = ;", "a.ts")).toBe(false);
    expect(isSoundCode("enum A { B } class C { constructor(private d: string) {} }", "a.ts")).toBe(true);
  });
});
