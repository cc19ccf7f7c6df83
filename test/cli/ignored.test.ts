/** `ignoreChanges` on a text: the text belongs to somebody else, even after a refresh has read an unfinished edit. */
import { describe, expect, test, vi } from "vitest";
import { isIgnored } from "../../provider/reconcile/diff.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import { thorough } from "../suite/parts.ts";

vi.setConfig({ testTimeout: 240_000 });

test.each([
  ['content["hero.text"]', true],
  ["content", true],
  ["content.*", true],
  ['content["*"]', true],
  ['content["hero.title"]', false],
  ['content["hero.text"].deeper', false],
  ["contents", false],
  ["", false],
])("%s leaves content[hero.text] to others: %s", (path, expected) => {
  expect(isIgnored([path], ["content", "hero.text"])).toBe(expected);
});

const ignoring = (key: string): string => `, options: { ignoreChanges: ['content["${key}"]'] }`;
const manifest = (title: string): string =>
  sited([hero("offer", { title, text: "What we wrote", more: ignoring("hero.text") })]);
const program = (title: string): string => `
const site = new landform.Site("sited.example");
new landform.Page("offer", { templateId: "tpl-hero", variables: { brand: "Mugs" },
  content: { "hero.title": "${title}", "hero.text": "What we wrote" }, publish: { siteId: site.id, slug: "offer" } },
  { ignoreChanges: ['content["hero.text"]'] });`;

describe.each(["landform.yaml", "a program"])("a colleague's draft of it, in %s", (form) => {
  const desk = NearDesk.all();
  const declare = (title: string) =>
    form === "a program" ? desk.program(program(title)) : desk.declare(manifest(title));

  thorough("is held back by an up, and by one that refreshes, and is no drift", async () => {
    await declare("One").applies();
    await desk.edits("offer", { "hero.text": "HALF WRIT" });
    expect(JSON.stringify((await desk.json("drift")).drift ?? [])).not.toContain("HALF WRIT");

    declare("Two");
    for (const args of [[], ["--refresh"]])
      expect(await desk.plan(...args)).toMatch(/holds back Page offer.*unpublished edits[^]*hero\.text "HALF WRIT"/);
    for (const args of [[], ["--refresh"], ["--refresh"]]) {
      const held = await desk.says(1, "up", "--yes", ...args);
      expect(held).toContain("HALF WRIT");
      expect(held).toContain("Landform holds back Page offer");
      // The page's own text is held back with it; the report shows only that one as the draft's.
      expect(held).not.toMatch(/publishes .*hero\.text.*has this value already/);
    }
    const shown = await desk.visited("sited-example/offer");
    expect(shown).toContain("What we wrote");
    expect(shown).not.toContain("HALF WRIT");
  });
});

test("a text that the run itself wrote at the creation, and that the program ignores since, is nobody's edit", async () => {
  const desk = await NearDesk.own();
  const declare = (note: string) =>
    desk.declare(sited([hero("offer", { title: "Welcome", note, more: ignoring("hero.title") })]));
  await declare("One").up();
  expect(await declare("Two").applies()).not.toContain("held back");
});
