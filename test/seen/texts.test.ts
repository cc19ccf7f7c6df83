/** A page says a text or doesn't, and it is the revision that was just published or not. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
    for (const part of ["<a ", '<a b="', "<!--", "<script>", "&amp;", "<", "<style><"])
      expect(new VisibleText(part.repeat(300_000)).count("no such words")).toBe(0);
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
