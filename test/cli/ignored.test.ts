/** `ignoreChanges` on a text: the text belongs to somebody else, even after a refresh has read an unfinished edit. */
import { describe, expect, test, vi } from "vitest";
import { isIgnored } from "../../provider/reconcile/diff.ts";
import { LandformApi } from "../../provider/api/index.ts";
import { NearDesk } from "./near-desk.ts";
import { inTest } from "../suite/opened.ts";
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

const CONTEXT = "Handmade mugs for people who take coffee seriously. ".repeat(6);
const manifest = (title: string): string => `landform: 1
name: ignored
projects: { mugs: { description: A project for the spring launch of our handmade mugs., context: "${CONTEXT}" } }
sites: { mugs.example: { project: mugs } }
pages:
  offer:
    project: mugs
    template: tpl-hero
    variables: { brand: Mugs }
    content: { hero.title: "${title}", hero.text: What we wrote }
    publish: { site: mugs.example, slug: offer }
    options: { ignoreChanges: ['content["hero.text"]'] }
`;
const program = (title: string): string => `
const project = new landform.Project("mugs", { description: "A project for the spring launch of our handmade mugs.", context: "${CONTEXT}" });
const site = new landform.Site("mugs.example", { projectId: project.id });
new landform.Page("offer", { projectId: project.id, templateId: "tpl-hero", variables: { brand: "Mugs" },
  content: { "hero.title": "${title}", "hero.text": "What we wrote" }, publish: { siteId: site.id, slug: "offer" } },
  { ignoreChanges: ['content["hero.text"]'] });`;

describe.each(["landform.yaml", "a program"])("a colleague's draft of it, in %s", (form) => {
  const desk = NearDesk.all();
  const declare = (title: string): void =>
    form === "a program" ? desk.program(program(title)) : desk.declare(manifest(title));

  thorough("is held back by an up, and by one that refreshes, and is no drift", async () => {
    declare("One");
    await desk.applies();
    const [page] = desk.emulator.records().pages ?? [];
    const api = await inTest(new LandformApi(desk.emulator));
    const edit = (text: string) =>
      api.pages.updateContent({ page_id: String(page?.["id"]), updates: { "hero.text": text } });
    await edit("HALF WRIT");

    const drift = await desk.run(["drift", "--json"]);
    expect(JSON.stringify((JSON.parse(drift.stdout) as { drift?: unknown }).drift ?? [])).not.toContain("HALF WRIT");

    declare("Two");
    for (const args of [["preview"], ["preview", "--refresh"]]) {
      const { stdout } = await desk.run(args);
      expect(stdout).toMatch(/holds back Page offer.*unpublished edits[^]*hero\.text "HALF WRIT"/);
    }
    for (const args of [
      ["up", "--yes"],
      ["up", "--yes", "--refresh"],
      ["up", "--yes", "--refresh"],
    ]) {
      const { code, stdout } = await desk.run(args);
      expect([code, stdout]).toEqual([1, expect.stringContaining("HALF WRIT") as string]);
      expect(stdout).toContain("Landform holds back Page offer");
      // The page's own text is held back with it; the report shows only that one as the draft's.
      expect(stdout).not.toMatch(/publishes .*hero\.text.*has this value already/);
    }
    const shown = await fetch(`${new URL(desk.emulator.baseUrl).origin}/_sites/mugs-example/offer`);
    expect(shown.status).toBe(200);
    expect(await shown.text()).not.toContain("HALF WRIT");
  });
});

test("a text that the run itself wrote at the creation, and that the program ignores since, is nobody's edit", async () => {
  const desk = await NearDesk.own();
  const declare = (note: string): void =>
    desk.declare(`landform: 1
name: own
sites: { mugs.example: {} }
pages:
  offer:
    template: tpl-hero
    variables: { brand: Mugs }
    content: { hero.title: Welcome, hero.note: ${note} }
    publish: { site: mugs.example, slug: offer }
    options: { ignoreChanges: ['content["hero.title"]'] }
`);
  declare("One");
  await desk.up();
  declare("Two");
  expect(await desk.up()).not.toContain("held back");
  await desk.plansNothing();
});
