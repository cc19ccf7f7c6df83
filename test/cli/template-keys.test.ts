/** A plan that makes a page refuses a key that landform.keys.json does not know of its template, and a placeholder that would stay open, before a page is made. */
import { rmSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const KEYS = {
  landformKeys: 1,
  templates: {
    "tpl-hero": {
      name: "Hero",
      keys: ["hero.title", "hero.text"],
      variables: { brand: ["hero.text"] },
      readAt: "2026-11-26",
    },
  },
};
const MANIFEST = `landform: 1
name: keys
pages: { offer: { template: { id: tpl-hero }, variables: { brand: Acme }, content: { hero.title: Hello } } }
`;

const desk = forEachTest(() => NearDesk.open());
beforeEach(() => desk.write("landform.keys.json", JSON.stringify(KEYS)));

thorough("in landform.yaml", async () => {
  desk.write("landform.yaml", MANIFEST.replace("hero.title", "hero.titel"));
  for (const command of [["preview"], ["up", "--yes"]]) {
    const told = await outputOf(4, desk.run(command));
    expect(told).toContain("landform.yaml:");
    expect(told).toContain('tpl-hero has no content key "hero.titel"');
    expect(told).toContain('did you mean "hero.title"?');
    expect(told).toContain("npx landform templates keys tpl-hero --probe");
  }
  const checked = await outputOf(4, desk.run(["check", "--online"]));
  expect(checked.match(/has no content key "hero.titel"/g)).toHaveLength(1);
  expect(desk.writes()).toEqual([]);
});

const SITED = MANIFEST.replace("name: keys", "name: keys\nsites: { s: { name: s.example } }").replace(
  "variables: { brand: Acme }",
  "publish: { site: s, slug: offer }",
);

test("a placeholder of the template without a value keeps a page from being published: the plan refuses it, with the place", async () => {
  desk.write("landform.yaml", SITED);
  for (const command of [["preview"], ["up", "--yes"]]) {
    const told = await outputOf(4, desk.run(command));
    expect(told).toContain("landform.yaml:4:");
    expect(told).toContain("pages.offer gives no value to {{brand}} of tpl-hero");
    expect(told).toContain("npx landform templates keys tpl-hero --probe");
  }
  desk.write("Pulumi.yaml", "name: keys\nruntime: nodejs\n");
  rmSync(desk.path("landform.yaml"));
  desk.write("index.ts", PROGRAM);
  const told = await outputOf(4, desk.run(["preview"]));
  expect(told).toContain("index.ts:3:");
  expect(told).toContain("pages.offer gives no value to {{brand}} of tpl-hero");
  expect(desk.writes()).toEqual([]);
});

const PROGRAM = `import * as landform from "landform";
const site = new landform.Site("s", { name: "s.example" });
new landform.Page("offer", { templateId: "tpl-hero", content: { "hero.title": "Hello" }, publish: { siteId: site.id, slug: "o" } });
`;

test("a text of the page's own takes the placeholder's place, and a draft may keep it", async () => {
  desk.write("landform.yaml", SITED.replace("hero.title: Hello", "hero.title: Hello, hero.text: There"));
  await outputOf(0, desk.run(["preview"]));
  desk.write("landform.yaml", SITED.replace("publish: { site: s, slug: offer },", ""));
  await outputOf(0, desk.run(["preview"]));
});

test("the plan says of a page that a failed run left half made why it can't be published", async () => {
  const without = JSON.stringify({ ...KEYS, templates: {} });
  desk.write("landform.keys.json", without);
  desk.write("landform.yaml", SITED);
  const failed = await outputOf(1, desk.run(["up", "--yes"]));
  expect(failed).toMatch(/error: landform\.yaml:4:(?!10:)\d+: creating .*\n.*publish: page \w+ is not ready/);
  expect(failed).toContain(
    "Placeholders without a value: {{brand}} (in top.brand, hero.eyebrow, hero.text and 1 more)",
  );
  const told = await outputOf(4, desk.run(["preview"]));
  expect(told).toContain("landform.yaml:4:");
  expect(told).toContain("its texts hold {{brand}} without a value (in top.brand, hero.eyebrow, hero.text and 1 more)");
  desk.edit("landform.yaml", "publish:", "variables: { brand: Acme }, publish:");
  await outputOf(0, desk.run(["up", "--yes"]));
  await outputOf(0, desk.run(["preview", "--detailed-exitcode"]));
  // The file of keys knows now which keys hold the placeholders of the template.
  await outputOf(0, desk.run(["templates", "keys", "tpl-hero", "--probe"]));
  const { templates } = JSON.parse(desk.read("landform.keys.json")) as typeof KEYS;
  expect(templates["tpl-hero"].variables.brand).toEqual(["top.brand", "hero.eyebrow", "hero.text", "footer.text"]);
});

test("a page that is there may have keys of its own, and a key that the file knows passes", async () => {
  desk.write("landform.yaml", MANIFEST);
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.write("landform.keys.json", JSON.stringify(KEYS).replace('"hero.text"', '"other"'));
  desk.edit("landform.yaml", "hero.title: Hello", "hero.title: Hello, hero.text: There");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});

const PAGES = `pages:
  offer:
    each: { a: {}, b: {}, c: {}, d: {}, e: {} }
    name: "Offer \${each.key}"
    template: tpl-hero
    variables: { brand: Acme }
    content: { hero.title: Hello, hero.image: "x.png" }
`;

thorough("a key that the template has lost since leaves no draft, and the file is named", async () => {
  const known = JSON.stringify(KEYS).replace('"hero.text"', '"hero.image"');
  desk.write("landform.keys.json", known.replace("2026-11-26", "2026-01-01"));
  desk.write("landform.yaml", `landform: 1\nname: keys\n${PAGES}`);
  expect(await outputOf(0, desk.run(["check", "--online"]))).toContain("--probe looks again [unverified]");
  expect(await outputOf(4, desk.run(["check", "--online", "--probe"]))).toContain("it still has hero.image");
  expect((await desk.run(["check", "--probe"])).code).toBe(4);

  const pages = () => (desk.emulator.records()["pages"] ?? []).length;
  const before = pages();
  const failed = await outputOf(1, desk.run(["up", "--yes"]));
  expect(failed).toContain('tpl-hero has no content key "hero.image": the first page');
  expect(failed).toContain('content: tpl-hero has no content key "hero.image"');
  expect(failed).toContain("npx landform templates keys tpl-hero --probe reads the template's keys again.");
  expect(pages()).toBe(before);
  expect(await outputOf(0, desk.run(["preview"]))).toContain("5 to create");
  desk.edit("landform.yaml", ', hero.image: "x.png"', "");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  expect(pages()).toBe(before + 5);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);

  // The pages are there now: the plan asks each, and tells once what is the same of all.
  desk.edit("landform.yaml", "hero.title: Hello", "hero.titel: Hello");
  const { code, stdout } = await desk.run(["preview"]);
  expect(code).toBe(4);
  expect(stdout.match(/has no content key "hero.titel"/g)).toHaveLength(1);
  expect(stdout).toMatch(
    /landform\.yaml:9:28: Page offer-a, offer-b, offer-c and 2 more: content: the page has no content key/,
  );
});

thorough(
  "a new page that lacks a key and can't be deleted stays in the state, and the next run goes on with it",
  async () => {
    rmSync(desk.path("landform.keys.json"));
    desk.write("landform.yaml", MANIFEST.replace("hero.title", "hero.titel"));
    desk.emulator.faults.add({ method: "DELETE", path: "/pages/{pageId}", phase: "status", status: 403 });
    const before = (desk.emulator.records()["pages"] ?? []).length;
    const pages = () => (desk.emulator.records()["pages"] ?? []).length - before;
    expect(await outputOf(1, desk.run(["up", "--yes"]))).toContain('tpl-hero has no content key "hero.titel"');
    expect(pages()).toBe(1);
    desk.edit("landform.yaml", "hero.titel", "hero.title");
    expect(await outputOf(0, desk.run(["up", "--yes"]))).toContain("1 updated");
    expect(pages()).toBe(1);
    await outputOf(0, desk.run(["preview", "--detailed-exitcode"]));
  },
);

thorough(
  "a placeholder of the template without a value leaves one draft of many, though no page has texts of its own",
  async () => {
    desk.write("landform.keys.json", JSON.stringify({ ...KEYS, templates: {} }));
    const rows = PAGES.replace(/ {4}variables.*\n.*\n/, '    publish: { site: s, slug: "${each.key}" }\n');
    desk.write("landform.yaml", `landform: 1\nname: keys\nsites: { s: { name: s.example } }\n${rows}`);
    const pages = () => (desk.emulator.records()["pages"] ?? []).length;
    const before = pages();
    const failed = await outputOf(1, desk.run(["up", "--yes"]));
    expect(failed).toContain("Placeholders without a value: {{brand}}");
    expect(failed).toContain("tpl-hero holds {{brand}} without a value: the first page");
    expect(pages()).toBe(before + 1);
    desk.edit("landform.yaml", "    template: tpl-hero\n", "    template: tpl-hero\n    variables: { brand: Acme }\n");
    expect((await desk.run(["up", "--yes"])).code).toBe(0);
    expect(pages()).toBe(before + 5);
    expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
  },
);

test("a broken file stops a plan that makes a page, and names the file", async () => {
  desk.write("landform.yaml", MANIFEST);
  desk.write("landform.keys.json", "{");
  expect(await outputOf(4, desk.run(["preview"]))).toContain("landform.keys.json");
});
