/** The messages of check for users of JavaScript and of manifests: the error, the place, and the intended value. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../provider/values/json.ts";
import { checkInputs } from "../../provider/reconcile/check.ts";
import { propertyPath, UNKNOWN } from "../../provider/values/paths.ts";
import { failureText } from "../../provider/values/wording.ts";
import { type Kind, registry } from "../../provider/kinds/registry.ts";
import { KINDS, neededBy } from "./needed.ts";

type Inputs = Record<string, Json>;

const told = (kind: Kind, inputs: Inputs): string[] =>
  checkInputs(registry[kind], { ...neededBy(kind), ...inputs }).map(
    (failure) => `${propertyPath(failure.path)} | ${failureText(failure)}`,
  );

test.each(KINDS)("%s: valid inputs pass", (kind) => expect(told(kind, {})).toEqual([]));

const meant: [Kind, Inputs, string, string][] = [
  ["project", { descripton: "x" }, "descripton", "description"],
  ["site", { project_id: "p" }, "project_id", "projectId"],
  ["page", { template: "t" }, "template", "templateId"],
  ["page", { publish: { siteId: "s", slugg: "x" } }, "publish.slugg", "slug"],
  ["page", { delay: { syncWithVidoe: true } }, "delay.syncWithVidoe", "syncWithVideo"],
  ["page", { nodes: { n1: { styles: {} } } }, "nodes.n1.styles", "style"],
  ["funnel", { step: [] }, "step", "steps"],
  ["funnel", { steps: [{ url: "https://x.example", pagetype: "a", pageType: "a" }] }, "steps[0].pagetype", "pageType"],
  ["product", { variants: [{ id: "a", name: "A", img: "x", imge: "x" }] }, "variants[0].imge", "image"],
  ["hook", { target_url: "x" }, "target_url", "targetUrl"],
  ["videoPlayer", { primaryColour: "red" }, "primaryColour", "primaryColor"],
];
test.each(meant)("%s: %j is told what was meant", (kind, inputs, property, best) => {
  expect(told(kind, inputs)).toContain(`${property} | there is no property "${property}", did you mean "${best}"?`);
});

test("a property that is like no other: the message lists all properties", () =>
  expect(told("videoPlayer", { zzzzzzzz: 1 })).toEqual([
    'zzzzzzzz | there is no property "zzzzzzzz"; known are videoId, name, title, language, projectId, primaryColor, controls, autoplay, muted, loop, adoptId',
  ]));

const PAY = { url: "https://pay.example", pageType: "a" };
const BOTH = "steps[1].url | steps[1].url: can't be combined with pageId";

/** Each message says what happened, where, and the rule. */
const rules: [Kind, Inputs, string][] = [
  ["project", { description: "short" }, "description | description: has 5 characters; a new project needs at least 50"],
  ...(["project", "site", "page", "funnel", "product"] as const).map((kind): [Kind, Inputs, string] => [
    kind,
    { ...(kind === "project" ? { adoptId: "p" } : {}), name: " \t" },
    "name | name: a name needs more than white space",
  ]),
  ["page", { adoptId: "" }, "adoptId | adoptId: can't be empty"],
  ["page", { adoptId: ".." }, 'adoptId | adoptId: this is "..", which names another path, and is no id'],
  ["site", { adoptId: "a\nb" }, "adoptId | adoptId: this holds a control character, and is no id"],
  [
    "page",
    { templateId: "t", duplicateOf: "p" },
    "duplicateOf | duplicateOf: a page is made from a template or from another page, not from both",
  ],
  [
    "page",
    { siteId: "s" },
    "siteId | siteId: the API attaches a blank page to a site only when it is published; use publish.siteId",
  ],
  [
    "page",
    { duplicateOf: "p", siteId: "s" },
    "siteId | siteId: the API attaches a copy to a site only when it is published; use publish.siteId",
  ],
  [
    "page",
    { templateId: "t", siteId: "a", publish: { siteId: "b" } },
    "publish.siteId | publish.siteId: the page is attached to site a (siteId), so it can't be published on another",
  ],
  [
    "page",
    { publish: { siteId: "s", slug: "a b" } },
    'publish.slug | publish.slug: "a b" has a space, "?" or "#", which can\'t be part of a path',
  ],
  ...["a/../b", "%2e%2E", "./a", "a/."].map((slug): [Kind, Inputs, string] => [
    "page",
    { publish: { siteId: "s", slug } },
    `publish.slug | publish.slug: "${slug}" has "." or ".." between slashes, which browsers take out of a path`,
  ]),
  ["funnel", { steps: [{ pageId: "p" }] }, "steps[0].pageType | steps[0].pageType: is missing; it takes text"],
  ["funnel", { steps: [{ pageType: "a" }] }, "steps[0] | steps[0]: needs pageId or url"],
  ["funnel", { steps: [PAY, { ...PAY, pageId: "p" }] }, BOTH],
  ["funnel", { steps: [PAY, { ...PAY, pageId: UNKNOWN }] }, BOTH],
  ["product", { type: "bundle" }, "bundleItems | bundleItems: a product of type bundle needs at least one item"],
  ["product", { price: -1 }, "price | price: takes a number of at least 0, and this is -1"],
  [
    "product",
    { subscription: { enabled: true, discountPercent: 101 } },
    "subscription.discountPercent | subscription.discountPercent: takes a number of at most 100, and this is 101",
  ],
];
test.each(rules)("%s: %j", (kind, inputs, message) => expect(told(kind, inputs)).toEqual([message]));

describe("what is not known yet fails no check, at any depth", () => {
  test.each(KINDS)("%s", (kind) => {
    for (const field of Object.keys(registry[kind].inputs.shape))
      expect(told(kind, { [field]: UNKNOWN }), field).toEqual([]);
  });

  const deep: [Kind, Inputs][] = [
    ["page", { templateId: UNKNOWN, duplicateOf: "p", siteId: UNKNOWN }],
    ["page", { templateId: "t", duplicateOf: UNKNOWN }],
    ["page", { publish: { siteId: UNKNOWN, slug: UNKNOWN }, siteId: UNKNOWN, templateId: "t" }],
    [
      "page",
      { content: { a: { b: [UNKNOWN] } }, variables: { a: UNKNOWN }, tags: [UNKNOWN], delay: { time: UNKNOWN } },
    ],
    ["page", { nodes: { n: { style: { a: UNKNOWN } }, m: UNKNOWN, k: { node: { id: UNKNOWN } } } }],
    ["funnel", { steps: [{ pageId: UNKNOWN, url: UNKNOWN, pageType: "a" }] }],
    ["funnel", { steps: [UNKNOWN, { pageId: UNKNOWN, pageType: UNKNOWN }] }],
    [
      "product",
      { type: UNKNOWN, bundleItems: [{ a: UNKNOWN }], variants: [{ id: UNKNOWN, name: UNKNOWN }], price: UNKNOWN },
    ],
    [
      "product",
      { subscription: { enabled: UNKNOWN, discountPercent: UNKNOWN, benefits: [UNKNOWN] }, tiers: [UNKNOWN] },
    ],
    ["hook", { targetUrl: UNKNOWN, filters: { a: { b: UNKNOWN } } }],
  ];
  test.each(deep)("%s %j", (kind, inputs) => expect(told(kind, inputs)).toEqual([]));

  test("what is known beside it is still checked", () =>
    expect(told("page", { publish: { siteId: UNKNOWN, slug: "a b" }, tags: [UNKNOWN, 5] })).toEqual([
      "tags[1] | tags[1]: takes text, and this is a number",
    ]));
});
