/** A page says a text or doesn't, and it is the revision that was just published or not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evidenceOf, wantedOf, type WantedText } from "../../provider/seen/evidence.ts";
import { isTelling, VisibleText } from "../../provider/seen/visible-text.ts";

const page = (body: string): VisibleText =>
  new VisibleText(`<!doctype html><html><head><title>T</title><style>.a{}</style></head><body>${body}</body></html>`);

describe("a page says", () => {
  test.each([
    ["words across tags", "<h1>Mugs <b>that</b>\n  last</h1>", "Mugs that last"],
    ["entities", "Tom &amp; J&eacute;r&#244;me&nbsp;&#x2014; &quot;best&quot;", 'Tom & Jérôme — "best"'],
    ["quotation marks drawn otherwise", "It’s “good” – really…", `It's "good" - really...`],
    ["paragraphs", "<p>One</p><p>Two</p>", "One\n\nTwo"],
    ["a text with tags of its own", "<p>Now <em>free</em></p>", "Now <em>free</em>"],
    ["a text whose tags come out as text", "1 &lt; 2 &lt;b&gt;", "1 < 2 <b>"],
    [
      "Markdown",
      "<h2>Why</h2><p>It is <strong>good</strong>, <a href='/x'>see</a></p>",
      "## Why\nIt is **good**, [see](/x)",
    ],
    ["attributes", `<input placeholder="Your &quot;name&quot;">`, 'Your "name"'],
    ["entities declared as text", "Tom &amp; Co", "Tom &amp; Co"],
    ["a lone less-than sign", "a < b and c", "a < b and c"],
  ])("%s", (_, body, text) => expect(page(body).count(text)).toBe(1));

  test.each([
    ["what is in a script", "<script>const t = 'Mugs that last'</script>", "Mugs that last"],
    ["what is in a comment", "<!-- Mugs that last -->", "Mugs that last"],
    ["what is in a style", "<style>/* Mugs that last */</style>", "Mugs that last"],
    ["an attribute and the text behind it as one", `<img alt="Mugs">that last`, "Mugs that last"],
    ["a tag's name", "<article>x</article>", "article"],
  ])("not %s", (_, body, text) => expect(page(body).count(text)).toBe(0));

  test("any text that was escaped into it", () => {
    const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 2 }), (text) => {
        fc.pre(isTelling(text));
        expect(page(`<p>${escaped(text)}</p>`).count(text)).toBeGreaterThan(0);
      }),
    );
  });

  test("whatever it is made of, in time that grows with its size alone", () => {
    for (const part of ["<a ", '<a b="', "<!--", "<script>", "&amp;", "<", "<style><"]) {
      expect(new VisibleText(part.repeat(300_000)).count("no such words")).toBe(0);
    }
  });
});

test("addresses, colours and code are no texts to look for", () => {
  const silent = [
    "https://x.example/a.png",
    "/thanks",
    "#form",
    "mailto:a@b.example",
    "a@b.example",
    "",
    " ",
    "!",
    "true",
    "[1]",
    "mug.example/x",
  ];
  expect(silent.filter(isTelling)).toEqual([]);
  expect(["Hello", "49 €", "你好", "Save 20% today", "e.g. this one"].every(isTelling)).toBe(true);
});

describe("evidence", () => {
  const told = (now: string, before: string | undefined, body: string, then?: string): string => {
    const text: WantedText = { key: "k", now, before };
    return evidenceOf(text, [text], page(body), then === undefined ? undefined : page(then));
  };
  /** Returns the result for each text, after the page showed `then` and now shows `body`. */
  const toldAll = (
    pairs: readonly (readonly [before: string, now: string])[],
    body: string,
    then: string,
  ): string[] => {
    const texts = pairs.map(([before, now], index) => ({ key: `k${index}`, now, before }));
    return wantedOf(texts, page(then)).map((text) => evidenceOf(text, texts, page(body), page(then)));
  };

  test.each([
    ["emptied, and still served", [["A sentence", ""]], "A sentence", "A sentence", ["old"]],
    ["emptied, and gone", [["A sentence", ""]], "Other", "A sentence", ["shown"]],
    ["one of two emptied, and still served", [["Sale", ""]], "Sale Sale", "Sale Sale", ["old"]],
    ["one of two emptied, and gone", [["Sale", ""]], "Sale", "Sale Sale", ["shown"]],
    ["made a picture, and still served", [["A sentence", "/a.png"]], "A sentence", "A sentence", ["old"]],
    [
      ...([
        "emptied, and written elsewhere",
        [
          ["Sale", ""],
          ["Old", "Our Sale"],
        ],
        "Our Sale",
        "Sale Old",
      ] as const),
      ["present", "shown"],
    ],
    [
      "exchanged",
      [
        ["One", "Two"],
        ["Two", "One"],
      ],
      "Two One",
      "One Two",
      ["present", "present"],
    ],
    [
      "moved on, and still served",
      [
        ["One", "Two"],
        ["Two", "Three"],
      ],
      "One Two",
      "One Two",
      ["old", "old"],
    ],
    [
      "moved on",
      [
        ["One", "Two"],
        ["Two", "Three"],
      ],
      "Two Three",
      "One Two",
      ["shown", "shown"],
    ],
  ] as const)("%s", (_, pairs, body, then, expected) => {
    expect(toldAll(pairs, body, then)).toEqual(expected);
  });

  test.each([
    ["a new text appears", "New", "Old", "New", "Old", "shown"],
    ["the old one is still served", "New", "Old", "Old", "Old", "old"],
    ["neither", "New", "Old", "Other", "Old", "absent"],
    ["the new is a part of the old: still served", "Hello", "Hello world", "Hello world", "Hello world", "old"],
    ["the new is a part of the old: gone", "Hello", "Hello world", "Hello", "Hello world", "shown"],
    ["the old is a part of the new", "Hello world", "Hello", "Hello world", "Hello", "shown"],
    ["the new stands elsewhere already: still served", "Buy", "Order", "Buy Order", "Buy Order", "old"],
    ["the new stands elsewhere already: seen", "Buy", "Order", "Buy Buy", "Buy Order", "shown"],
    ["the old stands elsewhere, too", "Register", "Sign up", "Sign up Register", "Sign up Sign up", "shown"],
    ["nothing is known of before", "New", undefined, "New", undefined, "shown"],
    ["it was there before, and nothing tells", "New", undefined, "New", "New", "present"],
  ])("%s", (_, now, before, body, then, evidence) => expect(told(now, before, body, then)).toBe(evidence));

  test("a key whose old text no visitor read is not waited for", () => {
    const texts = [
      { key: "title", now: "New title", before: "Old title" },
      { key: "style", now: "wide", before: "narrow" },
    ];
    expect(wantedOf(texts, page("Old title")).map(({ key }) => key)).toEqual(["title"]);
    expect(wantedOf(texts, page("")).map(({ key }) => key)).toEqual(["title", "style"]);
  });
});
