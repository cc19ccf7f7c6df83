/** A plan that makes a page refuses a key that landform.keys.json does not know of its template, before a page is made. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Desk } from "./harness.ts";

const KEYS = {
  landformKeys: 1,
  templates: {
    "tpl-hero": { name: "Hero", keys: ["hero.title", "hero.text"], variables: ["brand"], readAt: "2026-11-26" },
  },
};
const MANIFEST = `landform: 1
name: keys
pages: { offer: { template: { id: tpl-hero }, variables: { brand: Acme }, content: { hero.title: Hello } } }
`;

let desk: Desk;
beforeEach(async () => {
  desk = await Desk.open();
  desk.write("landform.keys.json", JSON.stringify(KEYS));
});
afterEach(() => desk.close());

test("in landform.yaml", async () => {
  desk.write("landform.yaml", MANIFEST.replace("hero.title", "hero.titel"));
  for (const command of [["preview"], ["up", "--yes"]]) {
    const { code, stdout } = await desk.run(command);
    expect(code, stdout).toBe(4);
    expect(stdout).toContain("landform.yaml:");
    expect(stdout).toContain('tpl-hero has no content key "hero.titel"');
    expect(stdout).toContain('did you mean "hero.title"?');
    expect(stdout).toContain("npx landform templates keys tpl-hero --probe");
  }
  expect(desk.writes()).toEqual([]);
});

test("in a program", async () => {
  desk.program(
    'new landform.Page("offer", { templateId: "tpl-hero" as string, variables: { brand: "Acme" }, content: { "hero.titel": "Hello" } });',
  );
  const { code, stdout } = await desk.run(["preview", "--engine", "embedded"]);
  expect([code, stdout.includes('tpl-hero has no content key "hero.titel"')]).toEqual([4, true]);
});

test("a page that is there may have keys of its own, and a key that the file knows passes", async () => {
  desk.write("landform.yaml", MANIFEST);
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  desk.write("landform.keys.json", JSON.stringify(KEYS).replace('"hero.text"', '"other"'));
  desk.edit("landform.yaml", "hero.title: Hello", "hero.title: Hello, hero.text: There");
  expect((await desk.run(["up", "--yes"])).code).toBe(0);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
});

test("a broken file stops a plan that makes a page, and names the file", async () => {
  desk.write("landform.yaml", MANIFEST);
  desk.write("landform.keys.json", "{");
  const { code, stderr } = await desk.run(["preview"]);
  expect([code, stderr.includes("landform.keys.json")]).toEqual([4, true]);
});
