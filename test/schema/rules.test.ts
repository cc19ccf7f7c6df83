/** The rules of the specification outside of the field tables: the bodies that schema/api.yaml accepts. */
import { describe, expect, test } from "vitest";
import { loadDocument, operationsOf } from "./openapi.ts";
import { violations } from "./validator.ts";

const document = loadDocument();

function accepts(name: string, value: unknown): boolean {
  const schema = document.components.schemas[name];
  if (!schema) throw new Error(`No schema ${name}`);
  return violations(schema, value).length === 0;
}

test("every schema of every operation compiles, unknown keywords refused", () => {
  for (const { parameters, body, responses } of operationsOf(document)) {
    const schemas = [
      body?.schema,
      ...parameters.map((p) => p.schema),
      ...Object.values(responses).map((r) => r.schema),
    ];
    for (const schema of schemas) expect(() => violations(schema ?? {}, {})).not.toThrow();
  }
});

const page = { page_id: "p" };
const node = { page_id: "p", node_id: "n" };
const hook = { target_url: "https://hooks.example/a", event_type: "page.created" };
const product = { name: "Mug" };
const project = { name: "Spring", description: "d".repeat(50), context: "c".repeat(200) };

describe.each<[schema: string, accepted: unknown[], refused: unknown[]]>([
  [
    "ProjectCreate",
    [project],
    [
      { ...project, description: "d".repeat(49) },
      { ...project, context: "c".repeat(199) },
      { ...project, name: 7 },
      { name: "Spring", description: project.description },
    ],
  ],
  ["ProjectUpdate", [{}, { description: "short", context: "short" }], [{ context: [] }]],
  ["SiteCreate", [{}, { name: "spring.example" }], [{ project_id: 1 }, []]],
  [
    "PageMetadata",
    [
      { ...page, name: "A" },
      { ...page, project_id: "x" },
      { ...page, tags: ["a", "b"] },
      { ...page, tags: "a, b" },
      { ...page, product_label: "Mug" },
      { ...page, produkt: "Mug" },
    ],
    [page, { ...page, tags: [1] }, { name: "A" }],
  ],
  [
    "PageContentUpdate",
    [
      { ...page, updates: { "hero.title": "Hello" } },
      { ...page, updates: '{"hero.title":"Hello"}' },
    ],
    [page, { ...page, updates: ["Hello"] }],
  ],
  [
    "PageVariables",
    [
      { ...page, variables: { brand: "Acme" } },
      { ...page, variables: "{}" },
    ],
    [{ ...page, variables: 1 }],
  ],
  [
    "PagePublish",
    [
      { ...page, site_id: "s" },
      { ...page, site_id: "s", slug: "" },
    ],
    [page, { site_id: "s" }],
  ],
  ["PageDelay", [page, { ...page, time: 2.5 }], [{ ...page, time: "2" }, { time: 2 }]],
  [
    "BuilderNodeFields",
    [
      { ...node, updates: { misc: {} } },
      { ...node, updates: { style: { color: "red" } }, node_type: "text" },
    ],
    [{ ...node, updates: {} }, { ...node, updates: '{"misc":{}}' }, node],
  ],
  [
    "BuilderNodeReplace",
    [
      { ...node, node: {} },
      { ...node, node: "{}" },
    ],
    [node, { ...node, node: [] }],
  ],
  [
    "FunnelCreate",
    [
      { name: "F" },
      {
        name: "F",
        pages: [
          { pageId: "p", pageType: "presell" },
          { url: "https://pay.example", pageType: "thankyou" },
        ],
      },
    ],
    [{ name: "F", pages: [{ pageType: "presell" }] }, { name: "F", pages: [{ pageId: "p" }] }, { pages: [] }],
  ],
  ["FunnelUpdate", [{ funnel_id: "f", pages: [] }], [{ name: "F" }]],
  [
    "ProductWrite",
    [
      product,
      { ...product, type: "simple" },
      { ...product, type: "bundle", bundle_items_json: ["a"] },
      { ...product, type: "bundle", bundle_items_json: "[]" },
      { ...product, variants_json: [{ id: "a", name: "A", image: "" }], tiers_json: "[]", trust_badges_json: ["Safe"] },
      { ...product, subscription_json: { enabled: true, discountPercent: 10, benefits: ["Free post"] } },
    ],
    [
      {},
      { ...product, type: "bundle" },
      { ...product, type: "gift" },
      { ...product, price: "12.5" },
      { ...product, variants_json: {} },
      { ...product, subscription_json: "yes" },
    ],
  ],
  [
    "ProductUpdate",
    [{ product_id: "p" }, { product_id: "p", type: "bundle" }],
    [product, { product_id: "p", type: "gift" }],
  ],
  [
    "HookCreate",
    [hook, { ...hook, filters: { page_id: "p" } }],
    [{ ...hook, event_type: "video.uploaded" }, { ...hook, target_url: "not a URL" }, { event_type: "page.created" }],
  ],
])("%s", (name, accepted, refused) => {
  test.each(accepted.map((value) => [JSON.stringify(value).slice(0, 100), value]))("takes %s", (_, value) => {
    expect(accepts(name, value)).toBe(true);
  });
  test.each(refused.map((value) => [JSON.stringify(value).slice(0, 100), value]))("refuses %s", (_, value) => {
    expect(accepts(name, value)).toBe(false);
  });
});

test("a default never turns an update into a change: only the type of a new product has one", () => {
  const withDefault = Object.entries(document.components.schemas).filter(([, schema]) =>
    JSON.stringify(schema).includes('"default"'),
  );
  expect(withDefault.map(([name]) => name)).toEqual(["ProductWrite"]);
});
