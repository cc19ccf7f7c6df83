/** A plan that makes a page refuses a key that landform.keys.json does not know of its template, and a placeholder that would stay open, before a page is made. */
import { rmSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { thorough } from "../suite/parts.ts";

const HERO = {
  name: "Hero",
  keys: ["hero.title", "hero.text"],
  variables: { brand: ["hero.text"] },
  readAt: "2026-11-26",
};
const KEYS = { landformKeys: 1, templates: { "tpl-hero": HERO } };
const MANIFEST = `landform: 1
name: keys
pages: { offer: { template: { id: tpl-hero }, variables: { brand: Acme }, content: { hero.title: Hello } } }
`;

const desk = NearDesk.each();
beforeEach(() => desk.write("landform.keys.json", JSON.stringify(KEYS)));

thorough("in landform.yaml", async () => {
  desk.declare(MANIFEST.replace("hero.title", "hero.titel"));
  for (const command of [["preview"], ["up", "--yes"]]) {
    const told = await desk.says(4, ...command);
    expect(told).toContain("landform.yaml:");
    expect(told).toContain('tpl-hero has no content key "hero.titel"');
    expect(told).toContain('did you mean "hero.title"?');
    expect(told).toContain("npx landform templates keys tpl-hero --probe");
  }
  const checked = await desk.says(4, "check", "--online");
  expect(checked.match(/has no content key "hero.titel"/g)).toHaveLength(1);
  expect(desk.writes()).toEqual([]);
});

const SITED = MANIFEST.replace("name: keys", "name: keys\nsites: { s: { name: s.example } }").replace(
  "variables: { brand: Acme }",
  "publish: { site: s, slug: offer }",
);

test("a placeholder of the template without a value keeps a page from being published: the plan refuses it, with the place", async () => {
  desk.declare(SITED);
  for (const command of [["preview"], ["up", "--yes"]]) {
    const told = await desk.says(4, ...command);
    expect(told).toContain("landform.yaml:4:");
    expect(told).toContain("pages.offer gives no value to {{brand}} of tpl-hero");
    expect(told).toContain("npx landform templates keys tpl-hero --probe");
  }
  desk.write("Pulumi.yaml", "name: keys\nruntime: nodejs\n");
  rmSync(desk.path("landform.yaml"));
  const told = await desk.write("index.ts", PROGRAM).says(4, "preview");
  expect(told).toContain("index.ts:3:");
  expect(told).toContain("pages.offer gives no value to {{brand}} of tpl-hero");
  expect(desk.writes()).toEqual([]);
});

const PROGRAM = `import * as landform from "landform";
const site = new landform.Site("s", { name: "s.example" });
new landform.Page("offer", { templateId: "tpl-hero", content: { "hero.title": "Hello" }, publish: { siteId: site.id, slug: "o" } });
`;

test("a text of the page's own takes the placeholder's place, and a draft may keep it", async () => {
  await desk.declare(SITED.replace("hero.title: Hello", "hero.title: Hello, hero.text: There")).plan();
  await desk.declare(SITED.replace("publish: { site: s, slug: offer },", "")).plan();
});

test("the plan says of a page that a failed run left half made why it can't be published", async () => {
  const without = JSON.stringify({ ...KEYS, templates: {} });
  const failed = await desk.write("landform.keys.json", without).declare(SITED).says(1, "up", "--yes");
  expect(failed).toMatch(/error: landform\.yaml:4:(?!10:)\d+: creating .*\n.*publish: page \w+ is not ready/);
  expect(failed).toContain(
    "Placeholders without a value: {{brand}} (in top.brand, hero.eyebrow, hero.text and 1 more)",
  );
  const told = await desk.says(4, "preview");
  expect(told).toContain("landform.yaml:4:");
  expect(told).toContain("its texts hold {{brand}} without a value (in top.brand, hero.eyebrow, hero.text and 1 more)");
  await desk.edit("landform.yaml", "publish:", "variables: { brand: Acme }, publish:").applies();
  // The file of keys knows now which keys hold the placeholders of the template.
  await desk.says(0, "templates", "keys", "tpl-hero", "--probe");
  const { templates } = desk.report<typeof KEYS>("landform.keys.json");
  expect(templates["tpl-hero"].variables.brand).toEqual(["top.brand", "hero.eyebrow", "hero.text", "footer.text"]);
});

test("a page that is there may have keys of its own, and a key that the file knows passes", async () => {
  await desk.declare(MANIFEST).up();
  desk.write("landform.keys.json", JSON.stringify(KEYS).replace('"hero.text"', '"other"'));
  await desk.edit("landform.yaml", "hero.title: Hello", "hero.title: Hello, hero.text: There").applies();
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
  desk.declare(`landform: 1\nname: keys\n${PAGES}`);
  expect(await desk.says(0, "check", "--online")).toContain("--probe looks again [unverified]");
  expect(await desk.says(4, "check", "--online", "--probe")).toContain("it still has hero.image");
  await desk.says(4, "check", "--probe");

  const pages = () => desk.rows("pages").length;
  const before = pages();
  const failed = await desk.says(1, "up", "--yes");
  expect(failed).toContain('tpl-hero has no content key "hero.image": the first page');
  expect(failed).toContain('content: tpl-hero has no content key "hero.image"');
  expect(failed).toContain("npx landform templates keys tpl-hero --probe reads the template's keys again.");
  expect(pages()).toBe(before);
  expect(await desk.plan()).toContain("5 to create");
  await desk.edit("landform.yaml", ', hero.image: "x.png"', "").applies();
  expect(pages()).toBe(before + 5);

  // The pages are there now: the plan asks each, and tells once what is the same of all.
  const stdout = await desk.edit("landform.yaml", "hero.title: Hello", "hero.titel: Hello").says(4, "preview");
  expect(stdout.match(/has no content key "hero.titel"/g)).toHaveLength(1);
  expect(stdout).toMatch(
    /landform\.yaml:9:28: Page offer-a, offer-b, offer-c and 2 more: content: the page has no content key/,
  );
});

thorough("a new page that lacks a key and can't be deleted stays in the state for the next run", async () => {
  rmSync(desk.path("landform.keys.json"));
  desk.declare(MANIFEST.replace("hero.title", "hero.titel"));
  desk.emulator.faults.add({ method: "DELETE", path: "/pages/{pageId}", phase: "status", status: 403 });
  const before = desk.rows("pages").length;
  const pages = () => desk.rows("pages").length - before;
  expect(await desk.says(1, "up", "--yes")).toContain('tpl-hero has no content key "hero.titel"');
  expect(pages()).toBe(1);
  expect(await desk.edit("landform.yaml", "hero.titel", "hero.title").applies()).toContain("1 updated");
  expect(pages()).toBe(1);
});

thorough("an open placeholder of the template leaves one draft of many that have no texts of their own", async () => {
  desk.write("landform.keys.json", JSON.stringify({ ...KEYS, templates: {} }));
  const rows = PAGES.replace(/ {4}variables.*\n.*\n/, '    publish: { site: s, slug: "${each.key}" }\n');
  desk.declare(`landform: 1\nname: keys\nsites: { s: { name: s.example } }\n${rows}`);
  const pages = () => desk.rows("pages").length;
  const before = pages();
  const failed = await desk.says(1, "up", "--yes");
  expect(failed).toContain("Placeholders without a value: {{brand}}");
  expect(failed).toContain("tpl-hero holds {{brand}} without a value: the first page");
  expect(pages()).toBe(before + 1);
  desk.edit("landform.yaml", "    template: tpl-hero\n", "    template: tpl-hero\n    variables: { brand: Acme }\n");
  await desk.applies();
  expect(pages()).toBe(before + 5);
});

test("a broken file stops a plan that makes a page, and names the file", async () => {
  desk.declare(MANIFEST);
  expect(await desk.write("landform.keys.json", "{").says(4, "preview")).toContain("landform.keys.json");
});
