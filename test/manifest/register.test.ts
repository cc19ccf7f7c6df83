// @module-tag thorough
/** Manifests run as programs: on the embedded engine, against the emulator, with the state of a real stack. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startEmulator } from "../../emulator/index.ts";
import type { Deployment } from "../../engine/index.ts";
import { CONFIG, CONTEXT, MANIFEST, PROGRAM } from "./same.ts";
import { Stack, type Settings } from "./stack.ts";
import { inTest } from "../suite/opened.ts";

const SETTINGS: Settings = { config: CONFIG, secretKeys: ["same:sku"] };
const KEY = '"4dabf18193072939515e22adb298388d"';

const open = (files: Readonly<Record<string, string>>): Promise<Stack> => inTest(Stack.open(files));

test("a manifest and a program of the same resources are the same stack", async () => {
  const stack = await open({ "landform.yaml": MANIFEST, "brand.md": CONTEXT, "index.js": PROGRAM });
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
  const stack = await open({
    "landform.yaml": "landform: 1\npages: { a: }\noutputs: { id: pages.a.id }\n",
    "index.js": two,
  });
  const up = await stack.run("up", { program: true });
  expect([up.failures, up.changes]).toEqual([[], { create: 2 }]);
  expect(up.outputs["id"]?.value).toMatch(/./);
  expect((await stack.run("preview")).changes).toEqual({});
});

test("without the command line, a preview tells once which command shows the impact, and an apply doesn't", async () => {
  const stack = await open({ "landform.yaml": "landform: 1\npages: { a: , b: }\n" });
  const hints = async (kind: "preview" | "up"): Promise<string[]> =>
    (await stack.run(kind)).told.filter((line) => line.includes("npx landform preview shows the impact"));
  expect(await hints("preview")).toHaveLength(1);
  expect(await hints("up")).toEqual([]);
  expect(await hints("preview")).toHaveLength(1);
});

test("what is wrong with a manifest, or missing when it runs, is told at once, and nothing is sent", async () => {
  const stack = await open({ "landform.yaml": "landform: 1\npages: { a: { nam: x }, b: { template: } }\n" });
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
  expect(missing.told.join()).toContain("products.a.name: the stack has no setting nameless");
  expect(missing.told.join()).toContain("products.b.price: the variable PRICE is no number");
  expect(missing.told.join()).toContain("products.b.ctaTarget: the setting target is no boolean");
  expect(missing.told.join()).not.toContain("twelve");

  const lookups =
    "{ a: { template: { lookup: { name: Product lunch } } }, b: { project: { lookup: { name: None } } } }";
  writeFileSync(join(stack.folder, "landform.yaml"), `landform: 1\npages: ${lookups}\n`);
  const unfound = await stack.run("preview");
  expect(unfound.told.join()).toContain('pages.a.template: There is no template named "Product lunch"');
  expect(unfound.told.join()).toContain('did you mean "Product launch"?');
  expect(unfound.told.join()).toContain('pages.b.project: There is no project named "None"');
  expect([...wrong.writes, ...missing.writes, ...unfound.writes]).toEqual([]);
});

test("values from outside reach the service with their types, and secrets only encrypted the state", async () => {
  const stack = await open({
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
  expect((await stack.run("up", settings)).failures).toEqual([]);
  const created = stack.emulator.requests.find(({ route, method }) => method === "POST" && route === "/products");
  expect(created?.body).toMatchObject({ price: 12.5, cta_target: true, sku: "hidden-sku" });
  const stored = JSON.stringify(await stack.stored());
  for (const secret of ["quiet words", "hidden-path", "hidden-sku"]) expect(stored).not.toContain(secret);
  expect(stored).toContain(KEY);
  expect((await stack.run("up", settings)).changes).toEqual({});
});

test("an entry of another account goes there, its lookups too", async () => {
  const stack = await open({
    "landform.yaml": `landform: 1
accounts:
  b: { baseUrl: { config: bUrl }, apiKeyEnv: B_KEY }
pages:
  here: { template: { lookup: { name: Product launch } } }
  there: { account: b, template: { lookup: { name: Product launch } } }
`,
  });
  const other = await inTest(startEmulator({ seed: "empty" }));
  const settings = { config: { "same:bUrl": other.baseUrl }, env: { B_KEY: other.apiKey } };
  expect((await stack.run("up", settings)).failures).toEqual([]);
  const made = (requests: typeof other.requests): unknown[] =>
    requests.filter(({ route }) => route === "/pages/from-template").map(({ method }) => method);
  expect([made(stack.emulator.requests), made(other.requests)]).toEqual([["POST"], ["POST"]]);
  expect(other.requests.some(({ route }) => route === "/templates")).toBe(true);
  expect((await stack.run("preview", settings)).changes).toEqual({});
});

/** Returns everything in which both ways of declaring have to agree: all but the times of the run. */
function comparable({ resources }: Deployment): unknown[] {
  return resources
    .map(({ created, modified, sourcePosition, stackTrace, ...resource }) => resource)
    .sort((a, b) => a.urn.localeCompare(b.urn));
}
