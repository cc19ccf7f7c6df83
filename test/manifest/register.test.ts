/** Manifests run as programs: on the embedded engine, against the emulator, with the state of a real stack. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import type { Deployment } from "../../engine/state/index.ts";
import { repository } from "./files.ts";
import { Stack, type Settings } from "./stack.ts";

const DESCRIPTION = "A project for the spring launch, with pages, a quiz and a funnel.";
const CONTEXT =
  "Example Mugs sells handmade mugs to people who take their coffee seriously. The tone is warm and plain. The offer " +
  "is one mug at a fair price, with free shipping for two, and a guide to better coffee for everyone who signs up.";

const MANIFEST = `landform: 1
name: same
projects:
  spring: { name: Spring, description: ${JSON.stringify(DESCRIPTION)}, context: { file: brand.md } }
funnels:
  spring:
    project: spring
    steps:
      - { page: offer, pageType: presell }
      - { quiz: fit, pageType: quiz }
      - { url: "https://pay.example", pageType: sales }
      - { page: copy, pageType: thankyou }
sites:
  main: { name: spring.example, project: spring }
pages:
  copy: { duplicateOf: offer, content: { hero.title: Copy, hero.text: { ref: pages.offer.url } } }
  offer:
    name: Offer
    project: spring
    template: { lookup: { name: { config: template } } }
    content: { hero.title: Hello }
    variables: { brand: { env: BRAND, default: Acme } }
    tags: [spring]
    publish: { site: main, slug: offer }
    options: { ignoreChanges: [tags], aliases: [old-offer] }
quizzes:
  fit: { project: spring, options: { protect: false, dependsOn: [products.mug] } }
products:
  mug: { price: 12.5, project: spring, ctaUrl: { ref: pages.offer.url }, sku: { config: sku } }
videoPlayers:
  tour: { video: { lookup: { name: Mug tour } }, loop: { config: loop } }
outputs:
  offerUrl: pages.offer.url
  slug: pages.offer.publish.slug
  sku: products.mug.sku
`;

const PROGRAM = `
import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as landform from "landform";
import { getVideo } from ${JSON.stringify(join(repository, "dist/provider/pulumi/lookups.js"))};

const config = new pulumi.Config();
const spring = new landform.Project("spring", { name: "Spring", description: ${JSON.stringify(DESCRIPTION)}, context: readFileSync("brand.md", "utf8") });
const main = new landform.Site("main", { name: "spring.example", projectId: spring.id });
const offer = new landform.Page("offer", {
  name: "Offer",
  projectId: spring.id,
  templateId: "tpl-hero",
  content: { "hero.title": "Hello" },
  variables: { brand: "Acme" },
  tags: ["spring"],
  publish: { siteId: main.id, slug: "offer" },
}, { ignoreChanges: ["tags"], aliases: [{ name: "old-offer" }] });
const copy = new landform.Page("copy", { duplicateOf: offer.id, content: { "hero.title": "Copy", "hero.text": offer.url } });
const mug = new landform.Product("mug", { price: 12.5, projectId: spring.id, ctaUrl: offer.url, sku: config.requireSecret("sku") });
const fit = new landform.Quiz("fit", { projectId: spring.id }, { protect: false, dependsOn: [mug] });
new landform.Funnel("spring", {
  projectId: spring.id,
  steps: [
    { pageId: offer.id, pageType: "presell" },
    { pageId: fit.id, pageType: "quiz" },
    { url: "https://pay.example", pageType: "sales" },
    { pageId: copy.id, pageType: "thankyou" },
  ],
});
new landform.VideoPlayer("tour", { videoId: (await getVideo({ name: "Mug tour" })).id, loop: config.requireBoolean("loop") });
export const offerUrl = offer.url;
export const slug = offer.publish.slug;
export const sku = mug.sku;
`;

const CONFIG = { "same:template": "Product launch", "same:loop": "true", "same:sku": "MUG-1" };
const SETTINGS: Settings = { config: CONFIG, secretKeys: ["same:sku"] };
const KEY = '"4dabf18193072939515e22adb298388d"';

let stack: Stack;

async function open(files: Readonly<Record<string, string>>): Promise<void> {
  stack = await Stack.open(files);
}

afterEach(() => stack.close());

test("a manifest and a program of the same resources are the same stack", async () => {
  await open({ "landform.yaml": MANIFEST, "brand.md": CONTEXT, "index.js": PROGRAM });
  const up = await stack.run("up", SETTINGS);
  expect(up.failures).toEqual([]);
  expect(up.changes).toEqual({ create: 9 });
  expect(up.outputs["slug"]).toEqual({ value: "offer", secret: false });
  expect(up.outputs["offerUrl"]?.value).toMatch(/\/offer$/);
  expect(up.outputs["sku"]).toEqual({ value: "MUG-1", secret: true });

  const declared = await stack.state();
  for (const program of [false, true, false]) {
    const again = await stack.run("up", { ...SETTINGS, program });
    expect(again.failures).toEqual([]);
    expect([again.changes, again.writes]).toEqual([{}, []]);
    expect(comparable(await stack.state())).toEqual(comparable(declared));
  }
  const destroyed = await stack.run("destroy", SETTINGS);
  expect([destroyed.failures, destroyed.changes]).toEqual([[], { delete: 9 }]);
});

test("two lines make a manifest a Pulumi program", async () => {
  const two = 'import { manifest } from "landform/manifest";\nexport default manifest("landform.yaml");\n';
  await open({ "landform.yaml": "landform: 1\npages: { a: }\noutputs: { id: pages.a.id }\n", "index.js": two });
  const up = await stack.run("up", { program: true });
  expect([up.failures, up.changes]).toEqual([[], { create: 2 }]);
  expect(up.outputs["id"]?.value).toMatch(/./);
  expect((await stack.run("preview")).changes).toEqual({});
});

test("what is wrong with a manifest, or missing when it runs, is told at once, and nothing is sent", async () => {
  await open({ "landform.yaml": "landform: 1\npages: { a: { nam: x }, b: { template: } }\n" });
  const wrong = await stack.run("up");
  expect(wrong.failures.map(({ cause }) => cause)).toEqual(["program"]);
  expect(wrong.told.join()).toContain('landform.yaml:2:15: error: pages.a has no property "nam"');
  expect(wrong.told.join()).toContain("2 errors");

  const running = `landform: 1
products:
  a: { price: { env: NO_PRICE }, sku: { env: NO_SKU, default: "" }, name: { config: nameless } }
  b: { price: { env: PRICE }, ctaTarget: { config: target } }
`;
  writeFileSync(join(stack.folder, "landform.yaml"), running);
  const missing = await stack.run("up", { config: { "same:target": "perhaps" }, env: { PRICE: "twelve" } });
  expect(missing.told.join()).toContain("3:15: error: products.a.price: the variable NO_PRICE is not set");
  expect(missing.told.join()).toContain("products.a.name: the configuration has no value nameless");
  expect(missing.told.join()).toContain("products.b.price: the variable PRICE is no number");
  expect(missing.told.join()).toContain("products.b.ctaTarget: the configuration value target is no boolean");
  expect(missing.told.join()).not.toContain("twelve");

  writeFileSync(
    join(stack.folder, "landform.yaml"),
    "landform: 1\npages: { a: { template: { lookup: { name: Product lunch } } }, b: { project: { lookup: { name: None } } } }\n",
  );
  const unfound = await stack.run("preview");
  expect(unfound.told.join()).toContain('pages.a.template: There is no template named "Product lunch"');
  expect(unfound.told.join()).toContain('did you mean "Product launch"?');
  expect(unfound.told.join()).toContain('pages.b.project: There is no project named "None"');
  expect([...wrong.writes, ...missing.writes, ...unfound.writes]).toEqual([]);
});

test("values from outside reach the service with their types, and secrets only encrypted the state", async () => {
  await open({
    "landform.yaml": `landform: 1
products:
  mug: { price: { env: PRICE }, ctaTarget: { config: target }, sku: { config: sku }, description: { env: TEXT, secret: true } }
hooks:
  sales: { eventType: product.created, targetUrl: { env: HOOK_URL } }
`,
  });
  const env = { PRICE: " 12.5 ", TEXT: "quiet words", HOOK_URL: "https://1.1.1.1/hidden-path" };
  const config = { "same:target": "true", "same:sku": "hidden-sku" };
  const settings = { env, config, secretKeys: ["same:sku"] };
  const up = await stack.run("up", settings);
  expect(up.failures).toEqual([]);
  const created = stack.emulator.requests.find(({ route, method }) => method === "POST" && route === "/products");
  expect(created?.body).toMatchObject({ price: 12.5, cta_target: true, sku: "hidden-sku" });
  const stored = JSON.stringify(await stack.stored());
  for (const secret of ["quiet words", "hidden-path", "hidden-sku"]) expect(stored).not.toContain(secret);
  expect(stored).toContain(KEY);
  expect((await stack.run("up", settings)).changes).toEqual({});
});

test("an entry of another account goes there, its lookups too", async () => {
  await open({
    "landform.yaml": `landform: 1
accounts:
  b: { baseUrl: { config: bUrl }, apiKeyEnv: B_KEY }
pages:
  here: { template: { lookup: { name: Product launch } } }
  there: { account: b, template: { lookup: { name: Product launch } } }
`,
  });
  const other = await startEmulator({ seed: "empty" });
  try {
    const settings = { config: { "same:bUrl": other.baseUrl }, env: { B_KEY: other.apiKey } };
    const up = await stack.run("up", settings);
    expect(up.failures).toEqual([]);
    const made = (requests: typeof other.requests): unknown[] =>
      requests.filter(({ route }) => route === "/pages/from-template").map(({ method }) => method);
    expect([made(stack.emulator.requests), made(other.requests)]).toEqual([["POST"], ["POST"]]);
    expect(other.requests.some(({ route }) => route === "/templates")).toBe(true);
    expect((await stack.run("preview", settings)).changes).toEqual({});
  } finally {
    await other.close();
  }
});

test("a renamed key with an alias keeps its page, and protection holds", async () => {
  const page = (key: string, options: string): string =>
    `landform: 1\npages: { ${key}: { name: A, options: ${options} } }\n`;
  await open({ "landform.yaml": page("old", "{ protect: true }") });
  expect((await stack.run("up")).failures).toEqual([]);
  writeFileSync(join(stack.folder, "landform.yaml"), page("new", "{ protect: true, aliases: [old] }"));
  const renamed = await stack.run("up");
  expect([renamed.failures, renamed.changes, renamed.writes]).toEqual([[], {}, []]);
  writeFileSync(join(stack.folder, "landform.yaml"), "landform: 1\n");
  const removed = await stack.run("up");
  expect(removed.result).toBe("failed");
  expect(removed.writes).toEqual([]);
});

/** What both ways of declaring have to agree on: everything but the times of the run. */
function comparable({ resources }: Deployment): unknown[] {
  return resources.map(({ created, modified, ...resource }) => resource).sort((a, b) => a.urn.localeCompare(b.urn));
}
