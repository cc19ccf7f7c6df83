/** The messages about values that a schema refuses: in the words of the manifest, with the right value. */
import { expect, test } from "vitest";
import { writingHint } from "../../manifest/declare/faults.ts";
import type { Problem } from "../../provider/values/problems.ts";
import { checked } from "./checked.ts";

function told(lines: string): string[] {
  const { diagnostics } = checked(`${lines}\n`);
  return diagnostics.map(({ message, hint }) => (hint === undefined ? message : `${message} | ${hint}`));
}

test.each([
  ["pages: { a: { name: 5 } }", "pages.a.name takes text, and this is a number | Put it in quotes."],
  ["pages: { a: { name: true } }", "pages.a.name takes text, and this is true or false | Put it in quotes."],
  ['products: { a: { price: "5" } }', "products.a.price takes a number, and this is text | Write it without quotes."],
  [
    'products: { a: { each: [{ key: x, price: "12,50 €" }], price: "${each.price}" } }',
    'products.a-x.price: takes a number, and ${each.price} is "12,50 €" (landform.yaml:2:42) | Write 12.5: use a point for decimals, and write no unit beside the number.',
  ],
  ["products: { a: { price: -1 } }", "products.a.price takes a number of at least 0, and this is -1"],
  [
    'products: { a: { ctaTarget: "true" } }',
    "products.a.ctaTarget takes true or false, and this is text | Write it without quotes.",
  ],
  ["products: { a: { ctaTarget: yes } }", "products.a.ctaTarget takes true or false, and this is text | Write true."],
  [
    'pages: { a: { each: { matrix: { b: [{ key: x, nam: Y }], l: [de] } }, name: "${each.b.name}" } }',
    'pages.a-x-de.name: there is no ${each.b.name}, did you mean "nam"? | The row is at landform.yaml:2:44, which has key, nam.',
  ],
  [
    'pages: { a: { each: [{ key: x, "fu\u0308r": Y }], name: "${each.f\u00fcr}" } }',
    'pages.a-x.name: there is no ${each.f\u00fcr}, did you mean "fu\u0308r", which looks the same and is written with other characters of Unicode? | The row is at landform.yaml:2:29, which has key, fu\u0308r.',
  ],
  ["pages: { a: { tags: x } }", "pages.a.tags takes a list, and this is text"],
  [
    "pages: { a: { content: { t: 12.50 } } }",
    'pages.a.content.t: 12.50 is read as a number, and would be sent as 12.5 | Put text in quotes: "12.50". Write 12.5 if you mean a number.',
  ],
  [
    "pages: { a: { content: { t: } } }",
    'pages.a.content.t has no value | Write "" for an empty text, or leave the key out to keep what is there.',
  ],
  [
    "pages:\n  a: { content: { t: ~ } }",
    'pages.a.content.t has no value: write "" for an empty text, or leave the key out to keep what is there',
  ],
  [
    "pages: { a: { content: { t: {brand} } } }",
    'pages.a.content.t has no value | Put a text with braces in quotes: "{brand}". For a variable of the page, write two braces on each side, in quotes too: "{{brand}}".',
  ],
  ['pages: { a: { name: "" } }', "pages.a.name can't be empty"],
  ["products: { a: { type: bundle } }", "products.a.bundleItems: a product of type bundle needs at least one item"],
  [
    "projects: { a: { description: x, context: x } }",
    "projects.a.description has 1 characters; a new project needs at least 50",
  ],
  [
    "pages: { a: { content: { x: { env: 3 } } } }",
    "pages.a.content.x: { env: } can't be used: env takes text, and this is a number | If you mean JSON that only looks like this form, write { literal: … }.",
  ],
])("%s", (lines, message) => expect(told(lines)[0]).toBe(message));

const NO_NUMBER: Problem = {
  code: "not-allowed",
  takes: { kind: "type", type: "number" },
  given: { kind: "type", type: "string" },
};

test.each([
  ["12,50", "Write 12.5: use a point for decimals, and write no unit beside the number."],
  ["1.234,50", "Write 1234.5: "],
  ["1,234.5", "Write 1234.5: "],
  ["1.234.567", "Write 1234567: "],
  ["12 €", "Write 12: "],
  ["-0,5 EUR", "Write -0.5: "],
  ["1,234", "Write 1.234 or 1234: "],
  ["12.5", "Write it without quotes."],
])("a number written as %s", (written, hint) => expect(writingHint(NO_NUMBER, written)).toContain(hint));

test.each(["", "twelve", "about 12", "1,2,3 or so", "1.2.3,4.5"])("no number can be made of %j", (written) => {
  expect(writingHint(NO_NUMBER, written)).toBeUndefined();
});
