/** Each rule of lint on a manifest that breaks it and on one that doesn't; settings, comments and places. */
import { describe, expect, test } from "vitest";
import { CopyRecord, lint, reportSarif, ruleTexts, type LintOptions, type TemplateKeys } from "../../manifest/index.ts";
import { rules } from "../../manifest/check/settings.ts";
import { checked, sound } from "../manifest/checked.ts";

const HERO: TemplateKeys = {
  name: "Hero",
  keys: ["hero.title", "hero.text", "hero.image.src", "hero.image.alt"],
  variables: { brand: [] },
  readAt: "2026-01-01",
};
const templates = new Map([["tpl-hero", HERO]]);

function told(text: string, options: LintOptions = {}): string[] {
  const found = lint(sound(text), options);
  return found.map(({ severity, code, line, message }) => `${severity} ${code} @${line} ${message}`);
}

const SITE = `sites: { main: { name: s.example } }\n`;
const WHOLE = `content: { hero.title: A, hero.text: B, hero.image.src: c.png, hero.image.alt: D }, variables: { brand: E }`;

/** For each rule, a manifest that breaks it, the messages, and a manifest that passes. */
const CASES: Readonly<Record<string, { bad: string; says: string[]; good: string }>> = {
  "missing-key": {
    bad: `pages:\n  a: { template: tpl-hero, variables: { brand: x }, content: { hero.title: A, hero.image.src: c.png, hero.image.alt: D } }`,
    says: ["warning missing-key @3 pages.a declares no text for hero.text of tpl-hero"],
    good: `pages:\n  a: { template: tpl-hero, ${WHOLE} }\n  b: { duplicateOf: a, content: { hero.title: x } }\n  c: { template: tpl-other }`,
  },
  "unknown-key": {
    bad: `pages:\n  a: { template: tpl-hero, ${WHOLE} }\n  b: { duplicateOf: a, content: { hero.titel: x } }`,
    says: [
      'error unknown-key @4 pages.b.content["hero.titel"]: tpl-hero has no content key "hero.titel", did you mean "hero.title"?',
    ],
    good: `pages:\n  a: { template: tpl-hero, ${WHOLE} }\n  c: { template: tpl-other, content: { any: x } }`,
  },
  "missing-variable": {
    bad: `pages:\n  a: { template: tpl-hero, ${WHOLE.replace("brand", "other")} }`,
    says: ["warning missing-variable @3 pages.a gives no value to {{brand}} of tpl-hero"],
    good: `pages:\n  a: { template: tpl-hero, ${WHOLE} }`,
  },
  "step-type": {
    bad: `funnels:\n  a: { steps: [{ url: "https://a.example", pageType: sales }, { url: "https://b.example", pageType: pressell }] }`,
    says: [`warning step-type @3 funnels.a.steps[1].pageType is "pressell", did you mean "presell"?`],
    good: `funnels:\n  a: { steps: [{ url: "https://a.example", pageType: presell }, { url: "https://b.example", pageType: survey }] }`,
  },
  "cut-text": {
    bad: `pages:\n  a:\n    content:\n      t1: Best mugs, rated #1 of 200\n      t2: &Co is good\n      t3: [New]\n    name: Mugs #1`,
    says: [
      'warning cut-text @5 pages.a.content.t1 ends before "#1 of 200", which is a comment',
      'warning cut-text @6 pages.a.content.t2 begins behind "&Co", an anchor that nothing refers to',
      "warning cut-text @7 pages.a.content.t3 is a list of one text",
      'warning cut-text @8 pages.a.name ends before "#1", which is a comment',
    ],
    good: `pages:\n  a:\n    content:\n      t1: "rated #1" # best\n      t2: &co Good\n      t3: *co\n      t4: C#1\n      t5: ["New"]\n      t6: [a, b]\n    name: Mugs #lint-off cut-text`,
  },
  "unresolved-variable": {
    bad: `pages:\n  a: { variables: { brand: x }, content: { t: "{{ brnd }} and {{brand}}" } }`,
    says: [
      'error unresolved-variable @3 pages.a.content.t holds {{brnd}}, which is none of its variables, did you mean "brand"?',
    ],
    good: `pages:\n  a: { variables: { brand: x }, content: { t: "{{ brand }}" } }\nprojects: {}`,
  },
  "empty-text": {
    bad: `pages:\n  a: { content: { t: " \\u00a0\\n" } }`,
    says: ["warning empty-text @3 pages.a.content.t is empty"],
    good: `${SITE}pages:\n  a: { productLabel: "", content: { t: x, n: 0 }, publish: { site: main, slug: "" } }`,
  },
  "placeholder-text": {
    bad: `pages:\n  a: { name: "[Your name here]", content: { t: Lorem  Ipsum, u: LOREM IPSUM dolor, v: "TODO: write", w: "Ma TBD-ok" } }`,
    says: [
      'error placeholder-text @3 pages.a.name still says "[Your name here]"',
      'error placeholder-text @3 pages.a.content.u still says "LOREM IPSUM"',
      'error placeholder-text @3 pages.a.content.v still says "TODO"',
      'error placeholder-text @3 pages.a.content.w still says "TBD"',
    ],
    good: `pages:\n  a: { content: { t: "Todo incluido, a todo color", u: METODO, v: "[your" } }`,
  },
  "formula-error": {
    bad: `pages:\n  a: { content: { t: "#NAME?", u: "from #REF! on" } }`,
    says: [
      'error formula-error @3 pages.a.content.t says "#NAME?", the error of a formula',
      'error formula-error @3 pages.a.content.u says "#REF!", the error of a formula',
    ],
    good: `pages:\n  a: { content: { t: "#1 of 200", u: "N/A", v: "#name" } }`,
  },
  "garbled-text": {
    bad: `pages:\n  a: { content: { t: "FrÃ¼hling", u: "itâ€™s", v: "12Â â‚¬" } }`,
    says: [
      'error garbled-text @3 pages.a.content.t holds broken letters: "FrÃ¼hling"',
      'error garbled-text @3 pages.a.content.u holds broken letters: "itâ€™s"',
      'error garbled-text @3 pages.a.content.v holds broken letters: "12Â â‚¬"',
    ],
    good: `pages:\n  a: { content: { t: "Frühling, it’s 12 €", u: "SÃO PAULO, Âge, Ã" } }`,
  },
  "single-braces": {
    bad: `pages:\n  a: { variables: { brand: x }, content: { t: "Hello { brand }" } }`,
    says: ["error single-braces @3 pages.a.content.t says {brand}, which visitors would read as it is"],
    good: `pages:\n  a: { variables: { brand: x }, content: { t: "{{brand}} {{ brand }} {other}" } }`,
  },
  "empty-link": {
    bad: `pages:\n  a: { content: { cta.url: "#", more.link: "https://", b_href: "javascript:void(0)" } }\nproducts:\n  m: { ctaUrl: "#" }`,
    says: [
      'warning empty-link @3 pages.a.content["cta.url"] is "#", which leads nowhere; so is 1 more',
      'warning empty-link @3 pages.a.content["more.link"] is "https://", which leads nowhere',
      'warning empty-link @3 pages.a.content.b_href is "javascript:void(0)", which leads nowhere',
    ],
    good: `pages:\n  a: { content: { cta.url: "#prices", url: /offer, hash: "#", link: "https://a.example/#", t.curl: "#" } }`,
  },
  "date-number": {
    bad: `pages:\n  a: { content: { sale.date: "44276", hero.until: " 44276 " } }`,
    says: [
      'error date-number @3 pages.a.content["sale.date"] is 44276, the number of a spreadsheet for 2021-03-21',
      'error date-number @3 pages.a.content["hero.until"] is 44276, the number of a spreadsheet for 2021-03-21',
    ],
    good: `pages:\n  a: { content: { sale.date: "2021-03-21", sale.until: "10115", zip: "44276" } }`,
  },
  "odd-price": {
    bad: `products:\n  a: { price: 0 }\n  b: { price: 12.5, comparePrice: 12.5 }\n  c: { price: 1.290 }`,
    says: [
      "warning odd-price @3 products.a.price is 0: visitors would pay nothing",
      "warning odd-price @4 products.b.comparePrice (12.5) is not above price (12.5), so that nothing looks reduced",
      "warning odd-price @5 products.c.price was written 1.290 and means 1.29: if the dot is one for thousands, leave it out",
    ],
    good: `products:\n  a: { price: 12.5, comparePrice: 0 }\n  b: { price: 12, comparePrice: 20 }\n  c: { price: 1290 }\n  d: {}`,
  },
  "too-long": {
    bad: `lint:\n  too-long: { limits: { "*": 100, "*.cta": 3, hero.cta: 4 } }\npages:\n  a: { content: { hero.cta: Hello, x.cta: Hell } }`,
    says: [
      'error too-long @5 pages.a.content["hero.cta"] has 5 characters, and room for 4',
      'error too-long @5 pages.a.content["x.cta"] has 4 characters, and room for 3',
    ],
    good: `lint:\n  too-long: { limits: { "*.cta": 3, publish.slug: 9 } }\n${SITE}pages:\n  a: { content: { x.cta: "👩‍👩‍👧‍👦é!", cta: Hello }, publish: { site: main, slug: fine } }`,
  },
  "forbidden-words": {
    bad: `lint:\n  forbidden-words: { words: [risk free, "100 %", Größe] }\npages:\n  a: { name: größe, content: { t: "Risk\\nfree!", u: "now 100 %of" } }`,
    says: [
      'error forbidden-words @5 pages.a.name says "größe", which the rule forbids',
      'error forbidden-words @5 pages.a.content.t says "Risk\nfree", which the rule forbids',
      'error forbidden-words @5 pages.a.content.u says "100 %", which the rule forbids',
    ],
    good: `lint:\n  forbidden-words: { words: [risk, Größe] }\npages:\n  a: { content: { t: asterisk brisket Größen } }`,
  },
  "required-words": {
    bad: `lint:\n  required-words: { words: [Imprint, Terms], in: ["legal.*"] }\npages:\n  a: { content: { legal.a: imprint, t: Terms } }`,
    says: ['error required-words @5 pages.a doesn\'t say "Terms" in legal.*'],
    good: `lint:\n  required-words: { words: [Imprint, Terms] }\npages:\n  a: { content: { legal.a: imprint, t: Terms } }`,
  },
  "missing-alt": {
    bad: `pages:\n  a: { template: tpl-hero, variables: { brand: x }, content: { hero.title: A, hero.text: "<img src=x title='a>b'>", hero.image.src: a.png } }\n  b: { content: { hero.alt: "" }, nodes: { n1: { misc: { src: a.png } } } }`,
    says: [
      'warning missing-alt @3 pages.a.content["hero.text"] has an <img> without alt',
      'warning missing-alt @3 pages.a.content["hero.image.src"] is a new picture, and its text "hero.image.alt" is still the template\'s',
      'warning missing-alt @4 pages.b.content["hero.alt"] is empty',
      "warning missing-alt @4 pages.b.nodes.n1 sets the source of a picture and no alt",
    ],
    good: `pages:\n  a: { template: tpl-hero, ${WHOLE.replace("B", '"<img alt=x>"')} }\n  b: { content: { hero.image.src: a.png }, nodes: { n1: { misc: { src: a.png, alt: A } } } }`,
  },
  "duplicate-slug": {
    bad: `${SITE}pages:\n  a: { publish: { site: main, slug: offer } }\n  b: { publish: { site: { lookup: { name: s.example } }, slug: /Offer/ } }`,
    says: ['error duplicate-slug @5 pages.b and pages.a are both at "offer" of the same site (landform.yaml:4:37)'],
    good: `${SITE}pages:\n  a: { publish: { site: main, slug: offer } }\n  b: { publish: { site: { lookup: { name: t.example } }, slug: offer } }`,
  },
  "duplicate-title": {
    bad: `${SITE}pages:\n  a: { name: Offer, publish: { site: main } }\n  b: { name: "offer ", publish: { site: main, slug: b } }`,
    says: ['warning duplicate-title @5 pages.b has the same title as pages.a: "offer " (landform.yaml:4:14)'],
    good: `${SITE}pages:\n  a: { name: Offer, publish: { site: main } }\n  b: { name: Offer }`,
  },
  "unreachable-step": {
    bad: `${SITE}pages:\n  a: { publish: { site: main } }\n  b: {}\nfunnels:\n  f:\n    steps:\n      - { page: a, pageType: thankyou }\n      - { page: b, pageType: sales }`,
    says: [
      "error unreachable-step @10 funnels.f.steps[1] comes after funnels.f.steps[0], a thank-you page, where visitors have arrived",
      "error unreachable-step @10 funnels.f.steps[1] leads to pages.b, which is not published",
    ],
    good: `${SITE}pages:\n  a: { publish: { site: main } }\n  b: { adoptId: pg_1 }\nfunnels:\n  f: { steps: [{ page: a, pageType: presell }, { page: b, pageType: sales }, { url: "https://pay.example", pageType: thankyou }] }`,
  },
};

/** These rules need the files of two languages, a table or a plan, and have tests of their own. */
const APART = [
  ...["lost-language", "lost-translation", "exchanged-language", "stale", "untracked-translation"],
  ...["lost-placeholder", "same-as-source", "root-slug", "price-change", "moved-rows"],
];

test("translations are held against their sources, each at its place in the data file", () => {
  const lines = `copy: { source: en }
pages:
  a: { each: [en, de], content: { file: "t.*.yaml", locale: "\${each.key}" }, variables: { brand: x } }
`;
  const { manifest } = checked(lines, {
    "t.en.yaml":
      "same: Two words\nname: Landform\nurl: https://a.example/b c\nonly: '{{brand}}'\nlost: 'Hi {{brand}}'\nmoved: '{{brand}}, hello'\n",
    "t.de.yaml":
      "same: Two words\nname: Landform\nurl: https://a.example/b\nonly: '{{brand}}'\nlost: Hallo\nmoved: 'hallo {{ brand }}'\n",
  });
  const record = new CopyRecord();
  record.set("t.de.yaml", "name", { source: "Landfrom", target: "Landform" });
  record.set("t.de.yaml", "moved", { source: "hello", target: "another text, changed by hand since" });
  if (!manifest) throw new Error("no manifest");
  const found = lint(manifest, { record });
  expect(found.map(({ severity, code, file, line, path }) => `${severity} ${code} ${file}:${line} ${path}`)).toEqual([
    "warning untracked-translation t.de.yaml:1 pages.a-de.content.same",
    "warning same-as-source t.de.yaml:1 pages.a-de.content.same",
    "warning stale t.de.yaml:2 pages.a-de.content.name",
    "error lost-placeholder t.de.yaml:5 pages.a-de.content.lost",
  ]);
});

describe("each rule", () => {
  test.each(rules.map(({ id }) => id).filter((id) => !APART.includes(id)))("%s", (id) => {
    const one = CASES[id];
    if (one === undefined) throw new Error(`no case of ${id}`);
    const only = (text: string): string[] => told(text, { templates }).filter((line) => line.split(" ")[1] === id);
    expect(only(one.bad)).toEqual(one.says.filter((line) => line.split(" ")[1] === id));
    expect(only(one.good)).toEqual([]);
  });
});

describe("settings", () => {
  test("a level, a map, off, and off as YAML 1.1 reads it", () => {
    const page = `pages:\n  a: { content: { t: "" } }`;
    expect(told(`${page}\nlint: { empty-text: error }`)).toEqual(["error empty-text @3 pages.a.content.t is empty"]);
    expect(told(`${page}\nlint: { empty-text: { level: error } }`)[0]).toMatch(/^error/);
    for (const off of ["off", "false", "{ level: off }"])
      expect(told(`${page}\nlint: { empty-text: ${off} }`)).toEqual([]);
    expect(told(`${page}\nlint: { empty-text: off }`, { also: ["empty-text"] })).toHaveLength(1);
    expect(told(`${page}\nlint:`)).toHaveLength(1);
  });

  test("what no rule takes is an error at its place, with what was meant", () => {
    const { manifest, diagnostics } = checked(
      `lint:\n  too-lng: error\n  empty-text: fatal\n  too-long: { limit: 3 }\n  missing-alt: { except: 3 }\n  forbidden-words: { words: [ok, 3] }\n`,
    );
    expect(manifest).toBeUndefined();
    expect(diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
      '3:3 lint has no rule "too-lng", did you mean "too-long"?',
      '4:15 lint.empty-text takes off, warning or error, and this is "fatal"',
      '5:22 lint.too-long takes no "limit", did you mean "limits"?',
      "6:26 lint.missing-alt.except takes a list, and this is a number",
      "7:34 lint.forbidden-words.words.1 takes text, and this is a number",
    ]);
  });
});

describe("a comment switches rules off on its line", () => {
  const CONTENT = "pages:\n  a:\n    content:\n";
  const texts = (first: string, second = ""): string => `${CONTENT}${first}      t: ""${second}\n      u: ""\n`;
  const only = "warning empty-text";

  test.each([
    ["at the end", texts("", " # lint-off empty-text"), [`${only} @6`]],
    ["above", texts("      # lint-off: empty-text, too-long -- it grows\n"), [`${only} @7`]],
    ["of another rule", texts("", " # lint-off too-long"), [`${only} @5`, `${only} @6`]],
    [
      "inside of a text it is none",
      `${CONTENT}      v: |\n        # lint-off empty-text\n      t: ""\n`,
      [`${only} @7`],
    ],
    ["at the head of a block", `${CONTENT}      v: |-   # lint-off placeholder-text\n        Lorem ipsum\n`, []],
  ])("%s", (_name, text, expected) => {
    expect(told(text).map((line) => line.split(" ").slice(0, 3).join(" "))).toEqual(expected);
  });

  test("one that is misspelt, or names none, is an error", () => {
    const { diagnostics } = checked(`pages:\n  a: # lint-off emptytext\n    # lint-off\n    content: {}\n`);
    expect(diagnostics.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
      '3:17 lint-off: there is no rule "emptytext", did you mean "empty-text"?',
      "4:5 lint-off names no rule",
    ]);
  });
});

test("a finding stands where the text does, in an included file too, and SARIF says what its rule finds", () => {
  const more = { "more/pages.yaml": `pages:\n  a:\n    content: { t: "" }\n` };
  const findings = lint(sound("include: [more/pages.yaml]\n", more));
  expect(findings).toMatchObject([{ file: "more/pages.yaml", line: 3, column: 19, path: "pages.a.content.t" }]);
  expect(JSON.stringify(reportSarif(findings, "1", ruleTexts))).toContain("nothing in it but blanks");
});
