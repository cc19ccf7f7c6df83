/** The files for translators, out and back: XLIFF 1.2 and CSV, and files that mean harm. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csvOf, readUnitsCsv } from "../../manifest/translate/exchange.ts";
import { differenceOf } from "../../manifest/translate/translations.ts";
import { readXliff } from "../../manifest/data/xliff.ts";
import { fitsXml, xliffOf, type Unit } from "../../manifest/data/xliff-write.ts";
import { Diagnostics } from "../../manifest/source/diagnostics.ts";
import { SourceFile } from "../../manifest/source/file.ts";

const languages = { source: "en", target: "de" };

function read(text: string) {
  const diagnostics = new Diagnostics();
  const xliff = readXliff(new SourceFile("/de.xlf", "de.xlf", text), diagnostics);
  return {
    units: xliff?.units,
    told: diagnostics.list().map(({ line, column, message }) => `${line}:${column} ${message}`),
  };
}

/** Pieces of texts that people and machines write. */
const bits = fc.constantFrom(
  ...["{{brand}}", "{{ a b }}", "{{", "}}", "👩‍👩‍👧‍👦", "שלום", "\u202e", "<b>", "]]>", "<![CDATA[", "&amp;", "&", '"', "'"],
  ...["\r", "\n", "\r\n", "\t", " ", ",", ";", "=1+1", "ﷺ", "é", "\u00a0", "\u2028"],
);
const anyText = fc
  .array(fc.oneof(bits, fc.string({ unit: "grapheme", maxLength: 5 })), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join("").toWellFormed())
  .filter(fitsXml);
const unitsOf = fc
  .uniqueArray(
    fc.record({
      of: anyText,
      key: anyText.filter((key) => key.trim() !== ""),
      source: anyText,
      target: fc.option(anyText, { nil: undefined }),
    }),
    { selector: ({ of, key }) => JSON.stringify([of, key]), maxLength: 6 },
  )
  .map((units) =>
    units.map((unit): Unit => ({ ...unit, unfinished: false, limit: 12, address: unit.source, note: unit.source })),
  );

describe("out and back again there is no difference", () => {
  test("XLIFF", () => {
    fc.assert(
      fc.property(unitsOf, (units) => {
        fc.pre(units.length > 0);
        const { units: back, told } = read(xliffOf(units, languages));
        expect(told).toEqual([]);
        const plain = back?.map(({ original, id, source, target }) => ({
          of: original,
          key: id,
          source: source.text,
          target: target?.text,
        }));
        // The units of a file stand together.
        const order = [...Map.groupBy(units, ({ of }) => of).values()].flat();
        expect(plain).toEqual(order.map(({ of, key, source, target }) => ({ of, key, source, target })));
      }),
    );
  });

  test("CSV", () =>
    fc.assert(
      fc.property(unitsOf, (units) => {
        const diagnostics = new Diagnostics();
        const back = readUnitsCsv(new SourceFile("/de.csv", "de.csv", csvOf(units)), diagnostics);
        expect(diagnostics.list()).toEqual([]);
        expect(back?.units.map(({ of, key, source, target }) => ({ of, key, source, target }))).toEqual(
          units.map(({ of, key, source, target }) => ({ of, key, source, target })),
        );
      }),
    ));

  test("a placeholder is an element, which tools keep, and its text is what was written", () => {
    const unit: Unit = { of: "f", key: "k", source: "Hi {{ name }}!", target: undefined, unfinished: false };
    const text = xliffOf([unit], languages);
    expect(text).toContain('<source>Hi <x id="1" ctype="x-variable" equiv-text="{{ name }}"/>!</source>');
    expect(text).not.toContain("<target");
  });
});

const around = (inner: string, head = ""): string =>
  `<?xml version="1.0"?>${head}<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="f" source-language="en" target-language="de" datatype="plaintext"><body>${inner}</body></file></xliff>`;

describe("what the tools of translators write is read", () => {
  test.each<[string, string, string | undefined]>([
    ["CDATA", "<target><![CDATA[<b> & co]]></target>", "<b> & co"],
    ["entities", "<target>&lt;&amp;&#x1F600;&#13;</target>", "<&😀\r"],
    [
      "parts and marks",
      '<target><mrk mtype="seg" mid="1">Eins. </mrk><mrk mtype="seg" mid="2"><g id="1">Zwei</g></mrk></target>',
      "Eins. Zwei",
    ],
    [
      "codes",
      '<target><ph id="1">{{x}}</ph> <bpt id="2" equiv-text="{{y}}">zzz<sub>t</sub></bpt></target>',
      "{{x}} {{y}}",
    ],
    ["alternatives", "<alt-trans><source>no</source><target>no</target></alt-trans><target>yes</target>", "yes"],
    ["segments", '<seg-source><mrk mtype="seg">a</mrk></seg-source><target>b</target>', "b"],
    ["elements of its own", '<target>b</target><x:y xmlns:x="urn:tool"><target>no</target></x:y>', "b"],
    ["an empty target", "<target/>", ""],
    ["none", "<note>n</note>", undefined],
    ["line ends of Windows", "<target>b\r\nc</target>", "b\nc"],
  ])("%s", (_name, inner, expected) => {
    const { units, told } = read(
      around(`<group id="g"><trans-unit id="k"><source>a</source>${inner}</trans-unit></group>`),
    );
    expect(told).toEqual([]);
    expect(units).toHaveLength(1);
    expect(units?.[0]?.target?.text).toBe(expected);
  });

  test("the place of a text is where it stands", () => {
    const text = around(
      '<trans-unit id="k">\r\n<source>a</source>\r\n<target state="final">👩 b &amp; c</target></trans-unit>',
    );
    const { units } = read(text);
    const { place, whole, state } = units?.[0]?.target ?? {};
    expect([text.slice(place?.start, place?.end), text.slice(whole?.start, whole?.end), state]).toEqual([
      "👩 b &amp; c",
      '<target state="final">👩 b &amp; c</target>',
      "final",
    ]);
  });
});

describe("what means harm, or is something else, is refused at its place", () => {
  const unit = (target: string): string =>
    `<trans-unit id="k"><source>a</source><target>${target}</target></trans-unit>`;
  const NO_TYPE = /document type is not taken/;
  test.each<[string, string, RegExp]>([
    ["a document type", around(unit("b"), "<!DOCTYPE xliff>"), NO_TYPE],
    ["entities that grow", around(unit("&b;"), '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'), NO_TYPE],
    [
      "an entity of another file",
      around(unit("&x;"), '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
      NO_TYPE,
    ],
    ["an entity that nobody defined", around(unit("&nbsp;")), /not XML.*entity/],
    ["half an emoji", around(unit("&#xD83D;")), /not XML/],
    ["a character that XML doesn't have", around(unit("&#0;")), /not XML/],
    ["a tag that isn't closed", around(unit("<g>b")), /not XML/],
    ["two units of one id", around(unit("b") + unit("c")), /"k" is written twice/],
    ["a unit without an id", around("<trans-unit><source>a</source></trans-unit>"), /no id/],
    ["a unit without a source", around('<trans-unit id="k"><target>a</target></trans-unit>'), /"k" has no <source>/],
    ["an element that nobody knows in a text", around(unit("<b>b</b>")), /<b> is not known within a text/],
    [
      "XLIFF 2.0",
      '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0"/>',
      /this is XLIFF 2.0, and XLIFF 1.2 is read/,
    ],
    ["a web page", "<html></html>", /this is <html>/],
    ["no file in it", '<xliff version="1.2"/>', /has no <file>/],
    ["nothing", "", /not XML|no XLIFF/],
    ["JSON", "{}", /not XML/],
  ])("%s", (_name, text, expected) => {
    const { units, told } = read(text);
    expect(units).toBeUndefined();
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(expected);
  });

  test("nesting without end takes no stack", () => {
    const { told } = read(around(unit("<g id='1'>".repeat(100_000))));
    expect(told).toHaveLength(1);
  });
});

test("placeholders may move and repeat, and are neither lost nor made", () => {
  expect(differenceOf("{{a}} {{ b }}", "{{b}} x {{a}} {{a}}")).toBeUndefined();
  expect(differenceOf("{{a}}", "{a}")).toBe("has lost {{a}}");
  expect(differenceOf("{{a}}", "{{A}}")).toBe("has lost {{a}}, and has {{A}}, which the source has not");
});
