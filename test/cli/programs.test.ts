/** Programs: where a failure is, their environment and outputs, the end that they ask for, and one that waits for what never comes. */
import { expect, test, vi } from "vitest";
import { inTest } from "../suite/opened.ts";
import { onBothAtRelease, onBothEngines, thorough } from "../suite/parts.ts";
import { Desk, type On } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

vi.setConfig({ testTimeout: 240_000 });

const twoPages = (key: string): string => `
const page = (name) =>
  new landform.Page(name, { templateId: "tpl-hero", variables: { brand: "Acme" }, content: { "${key}": "Hello" } });
for (const one of ["a", "b"]) page(\`offer-\${one}\`);`;

onBothEngines((...on) => {
  test("a failure names the line that makes the resource: a content key that the page lacks, in an up and in a plan", async () => {
    const desk = await NearDesk.own(...on);
    const failed = await desk.program(twoPages("hero.titel")).says(1, "up", "--yes");
    await desk.program(twoPages("hero.title")).applies();
    const planned = await desk.program(twoPages("hero.titel")).says(4, "preview");
    expect(failed.match(/error: .*index\.ts:4:3/g)).toHaveLength(2);
    expect(planned).toMatch(/error: index\.ts:4:3: Page offer-[ab], offer-[ab]: content: /);
  });
});

const OUTPUTS_IN_TEXTS = `
const first = new landform.Page("first", { templateId: "tpl-hero" });
new landform.Page("second", {
  templateId: "tpl-hero",
  productLabel: \`after \${first.id}\`,
  content: { "hero.title": \`See \${first.name}\`, "hero.text": JSON.stringify({ id: first.id }) },
  tags: ["plain", \`of \${first.id}\`],
});
`;

onBothEngines((...on) => {
  test("each place of an Output in a text is named, with what to write instead, and nothing is sent", async () => {
    const desk = await NearDesk.own(...on);
    const told = await desk.program(OUTPUTS_IN_TEXTS).sendsNothing(4, "preview");
    const lines = told.split("\n").filter((line) => line.includes("was made from an Output"));
    for (const place of ["productLabel", 'content["hero.title"]', 'content["hero.text"]', "tags[1]"])
      expect(lines).toContainEqual(expect.stringContaining(place));
    expect(told).toContain("pulumi.interpolate");
    expect(told).not.toContain("Calling [");
  });
});

test("an account exported as TypeScript is previewed", async () => {
  const desk = await inTest(NearDesk.open(undefined, { seed: "demo" }));
  await desk.says(0, "export", "-o", "shop", "--format", "typescript");
  expect(desk.read("shop/index.ts")).toContain("new URL(path, import.meta.url)");
  await desk.plan("-C", "shop");
});

const PRODUCT = 'const mug = new landform.Product("mug", { price: 1 });';

onBothEngines((engine, path) => {
  async function exporting(type: "module" | "commonjs", exported: string): Promise<Desk> {
    const desk = (await inTest(Desk.open())).on(engine, path);
    const named = type === "module" ? 'import * as landform from "landform";' : 'const landform = require("landform");';
    desk.program("");
    desk.write("package.json", JSON.stringify({ name: "test", type, main: "index.js" }));
    desk.write("index.js", `${named}\n${PRODUCT}\n${exported}\n`);
    return desk;
  }

  test.each([
    ["commonjs", "", {}],
    ["commonjs", 'exports.one = "1"; exports.price = mug.price;', { one: "1", price: 1 }],
    ["commonjs", 'module.exports = async () => ({ one: "1" });', { one: "1" }],
    ["module", 'export const one = "1";', { one: "1" }],
    ["module", 'export default async () => ({ one: "1" });', { one: "1" }],
  ] as const)("%s: %s", { tags: ["thorough"] }, async (type, exported, outputs) => {
    const desk = await exporting(type, exported);
    await desk.applies();
    expect(await desk.json("output")).toEqual(outputs);
  });

  thorough("a default export and a named one", async () => {
    const desk = await exporting("module", 'export default { one: "1" }; export const two = "2";');
    expect(await desk.says(4, "up", "--yes")).toContain("named exports but not both");
  });
});

const PAGE = `new landform.Page("one", { templateId: "tpl-thankyou", variables: { brand: "Mugs", support_email: "a@mugs.example" } });`;

const opened = async (program: string): Promise<Desk> => (await inTest(Desk.open())).program(program);

test.each([
  ["--env-file=values.env", "values.env", "WORD=said"],
  [
    "--import=./first.mjs",
    "first.mjs",
    'process.env.WORD = "said"; process.env.FROM_OUTSIDE = "changed"; process.env.SEEN = process.env.LANDFORM_WORD;',
  ],
])("the environment as Node's own arguments make it: %s", { tags: ["thorough"] }, async (argument, file, text) => {
  const desk = await opened(
    "export const words = [process.env.WORD, process.env.FROM_OUTSIDE, process.env.LANDFORM_WORD, process.env.SEEN].join();",
  );
  desk.edit("Pulumi.yaml", "typescript: false", `typescript: false\n    nodeargs: "${argument}"`).write(file, text);
  const { stdout } = await desk.run(["up", "--yes"], { env: { FROM_OUTSIDE: "outside", LANDFORM_WORD: "ours" } });
  expect(stdout).toMatch(/said,(outside|changed),ours/);
  expect(stdout.includes("changed")).toBe(argument.startsWith("--import"));
  // A module that loads first sees everything that the program sees.
  if (argument.startsWith("--import")) expect(stdout).toContain("said,changed,ours,ours");
});

thorough("an error that the program tells ends the run, and nothing is made or deleted", async () => {
  const desk = await opened(PAGE);
  await desk.applies();
  desk.program(`import * as pulumi from "@pulumi/pulumi";\npulumi.log.error("stop: a price is missing");`);
  desk.emulator.requests.length = 0;
  const up = await desk.run(["up", "--yes"]);
  expect(up.code).not.toBe(0);
  expect((up.stdout + up.stderr).match(/stop: a price is missing/g)).toHaveLength(1);
  expect(desk.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  await desk.program(PAGE).applies();
});

thorough("what a program declares in no preview is made, and one that doesn't ask is run only once", async () => {
  const COUNTING = `import * as pulumi from "@pulumi/pulumi";
import { appendFileSync } from "node:fs";
appendFileSync("runs.txt", "x");
new landform.Product("shown", { price: 5 });`;
  const desk = await opened(COUNTING);
  const unchanged = async (): Promise<number> => {
    expect(await desk.write("runs.txt", "").up()).toContain("no changes");
    return desk.read("runs.txt").length;
  };
  await desk.up();
  expect(await unchanged()).toBe(1);
  desk.program(`${COUNTING}\nif (!pulumi.runtime.isDryRun()) new landform.Product("hidden", { price: 6 });`);
  expect(await desk.up()).toContain("1 created");
  desk.program(`${COUNTING}\npulumi.runtime.isDryRun();\nnew landform.Product("hidden", { price: 6 });`);
  expect(await unchanged()).toBe(2);
});

async function refused(on: On, body: string): Promise<string> {
  const desk = (await inTest(Desk.open())).on(...on);
  const said = await desk.program(body).sendsNothing(4, "up", "--yes");
  expect(said).not.toMatch(/^\s+at |PULUMI_DEBUG_PROMISE_LEAKS/m);
  return said;
}

const CIRCLE = `
const later = Promise.withResolvers<string>();
const a = new landform.Page("a", { templateId: "tpl-thankyou", content: { "cta.url": later.promise } });
const b = new landform.Page("b", { templateId: "tpl-thankyou", content: { "cta.url": a.url } });
b.url.apply((url) => later.resolve(String(url)));`;

onBothEngines((...on) => {
  test("two pages link to each other through a promise", async () => {
    const said = await refused(on, CIRCLE);
    expect(said).toMatch(/ended before it was done:\n {2}- landform:Page "a" waits for /);
    expect(said).toContain('- landform:Page "b" waits for ');
  });
});

onBothAtRelease((...on) => {
  test("an `await` at the top never ends", async () =>
    expect(await refused(on, 'new landform.Page("a", {});\nawait new Promise(() => undefined);')).toContain(
      "did not come to its end: an `await` in it",
    ));

  test("a timer and a lookup are waited for", async () => {
    const desk = (await inTest(Desk.open())).on(...on);
    desk.program(`import { setTimeout } from "node:timers/promises";
const project = new landform.Project("p", { description: "d".repeat(50), context: "c".repeat(200) });
const later = project.id.apply(() => setTimeout(1_500, "later"));
await setTimeout(1_500);
const { id } = await landform.getTemplate({ id: "tpl-thankyou" });
new landform.Page("a", { templateId: id, name: later, variables: { brand: "B", support_email: "a@b.example" } });`);
    await desk.applies();
  });
});
