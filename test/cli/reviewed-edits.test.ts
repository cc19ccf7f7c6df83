// @module-tag thorough
/** Other people's edits in a reviewed plan: it names those on a page that it deletes, replaces or publishes, and holds only for the ones that were reviewed. */
import { expect, test } from "vitest";
import { onBothAtRelease } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const manifest = (...pages: string[]): string =>
  sited([
    ...pages.map((name) => hero(name, { title: `Title of ${name}` })),
    "  draft: { template: tpl-hero, content: { hero.title: Title of draft }, variables: { brand: Acme } }\n",
  ]);

function replaced(code: string): string {
  const from = /(going: \{ template: )tpl-hero(, variables: \{ brand: Acme) \}, content: \{.*?\}/;
  expect(code).toMatch(from);
  return code.replace(from, "$1tpl-presell$2, product: Mug }");
}

const HALF = { "hero.note": "Half a thought" };
const gone = (text: string): RegExp =>
  new RegExp(`Unpublished edits in the draft of Page going are deleted, too.*\\n.*hero\\.note "${text}"`);

const desk = NearDesk.each();

const refused = (): Promise<string> => desk.sendsNothing(3, "up", "--plan", "plan.json");

const FILES = ["--json", "report.json", "--markdown", "plan.md", "--html", "plan.html"];

async function tellsEverywhere(text: string, ...args: string[]): Promise<string> {
  const told = await desk.plan(...args, ...FILES);
  for (const file of ["plan.md", "plan.html"]) expect(desk.read(file)).toContain(text);
  return told;
}

test("a page that was edited after the review stays, also where that was published", async () => {
  await desk.declare(manifest("stays", "going")).up();
  await desk.declare(manifest("stays")).plan("--save", "plan.json");

  await desk.edits("going", HALF);
  const changed = 'Page going: content["hero.note"] is "Half a thought" now';
  expect(await refused()).toContain(`${changed}, and nobody reviewed that`);
  await desk.publishes("going");
  const published = await refused();
  expect(published).toContain(changed);
  expect(published).not.toContain("Also deleted");

  await desk.edits("going", { "hero.note": "Another half" });
  expect(await tellsEverywhere("Another half", "--save", "plan.json")).toMatch(gone("Another half"));
  expect(desk.report("report.json")).toMatchObject({
    impact: { alsoGoes: [{ name: "going", edits: [{ at: ["content", "hero.note"], now: "Another half" }] }] },
  });
  await desk.says(0, "up", "--plan", "plan.json");
  expect(await desk.up()).toContain("no changes");
});

test("the id that a page was taken over by is nothing that an account shows", async () => {
  await desk.declare(manifest("stays", "going")).up();
  desk.code("  going: { template: tpl-hero", `  going: { adoptId: ${desk.page("going")}, template: tpl-hero`);
  await desk.up();
  // Another page takes the address of the one that can't be deleted yet, so that a refresh finds it elsewhere.
  desk.declare(manifest("stays").replace("slug: stays", "slug: going"));
  desk.emulator.faults.add({ method: "DELETE", phase: "status", status: 400 });
  await desk.says(1, "up", "--refresh", "--yes");
  await desk.plan("--save", "plan.json");
  await desk.says(0, "up", "--plan", "plan.json");
  expect(await desk.up()).toContain("no changes");
});

test("a destroy names the edits of others that go with it", async () => {
  await desk.declare(manifest("stays", "going")).up();
  await desk.edits("going", HALF);
  const told = await desk.says(0, "destroy", "--yes");
  expect(told).toMatch(gone("Half a thought"));
  expect(told).not.toContain("draft of Page stays");
});

test("texts that somebody published in the app are named where visitors lose them", async () => {
  const code = manifest("going");
  await desk.declare(code).up();
  await desk.edits("going", { "hero.note": "A note of a person" });
  await desk.publishes("going");
  const lost =
    /Visitors lose texts of Page going\. Somebody published them in the app.*\n.*hero\.note "A note of a person"/;
  const loses = (text: string): Promise<string> => {
    desk.declare(text);
    return tellsEverywhere("A note of a person");
  };
  expect(await loses(replaced(code))).toMatch(lost);
  expect(await loses(manifest("stays"))).toMatch(lost);
  // A publication of ours takes the text along, and it stays its writer's.
  await desk.declare(code.replace("Title of going", "Another title")).up();
  expect(await loses(replaced(code))).toMatch(lost);
  await desk.up();
  expect(await desk.up()).toContain("no changes");
});

const FUNNEL = "funnels: { spring: { steps: [{ page: going, pageType: presell }] } }\n";

onBothAtRelease((...on) => {
  const desk = NearDesk.all(...on);

  test("a page that is replaced keeps what somebody edits, until a word deletes it", async () => {
    const code = manifest("stays", "going") + FUNNEL;
    await desk.declare(code).up();
    const before = desk.page("going");
    await desk.edits("going", HALF);
    desk.declare(replaced(code));

    const args = ["--foreign-edits", "include"];
    const included = await desk.plan(...args, "--json", "plan.json", "--markdown", "plan.md");
    expect(included).toMatch(gone("Half a thought"));
    expect(included).toContain("1 to replace, 1 to update");
    expect(included).not.toMatch(/published with it|publishes/);
    expect(desk.report("plan.json")).toMatchObject({
      impact: {
        alsoLive: [{ name: "going", goes: true, policy: "include", edits: [{ at: ["content", "hero.note"] }] }],
      },
    });
    expect(desk.read("plan.md")).toContain("Unpublished edits in the draft of Page going are deleted, too");

    for (const round of [1, 2]) {
      const held = await desk.sendsNothing(1, "up", "--yes");
      expect(held, `round ${round}`).toMatch(
        /templateId +"tpl-hero" → "tpl-presell" +\(would replace the page, held back\)/,
      );
      expect(held).toMatch(/variables\.product +"Mug"/);
      expect(held).toContain("holds back Page going, and visitors keep seeing the current page");
      expect(held).toContain("1 held back, 4 unchanged");
      expect(held).toMatch(/Page going is not replaced, because .*\n.*hero\.note "Half a thought"/);
      expect(held).not.toMatch(/Funnel spring|no text uses it|stays as it is/);
      const drift = await desk.says(0, "drift");
      expect(drift).toContain('hero.note "Half a thought"');
      expect(drift).not.toContain("new node");
    }
    expect(desk.page("going")).toBe(before);

    await desk.plan(...args, "--save", "plan.json");
    expect(await desk.says(0, "up", "--plan", "plan.json")).toContain("1 replaced, 1 updated");
    expect(desk.page("going")).not.toBe(before);
    expect(await desk.up()).toContain("no changes");
  });
});

const offer = (title: string, more = "") => desk.declare(sited([hero("offer", { title, more })]));

async function editedOffer(): Promise<void> {
  await offer("First").up();
  await edit("Of the marketer");
}

const edit = (text: string): Promise<unknown> => desk.edits("offer", { "hero.note": text });
const visitors = (): Promise<string> => desk.visited("sited-example/offer");
const savesPlan = (): Promise<string> => desk.plan("--foreign-edits", "include", "--save", "plan.json");

test.each(["", ", onForeignEdits: hold"])(
  "what was reviewed goes live with it, whatever the page says (%j)",
  async (word) => {
    await editedOffer();
    offer("Second", word);
    expect(await savesPlan()).toContain("They are published with it");
    expect(await desk.says(0, "up", "--plan", "plan.json")).toContain("They are published with it");
    expect(await visitors()).toMatch(/Second[^]*Of the marketer|Of the marketer[^]*Second/);
    await desk.plansNothing();
  },
);

test("what came after the review is held back", async () => {
  await editedOffer();
  offer("Second");
  await savesPlan();
  await edit("Half a thought");
  expect(await desk.says(1, "up", "--plan", "plan.json")).toMatch(/held back.*Half a thought/s);
  expect(await visitors()).not.toMatch(/Second|Half a thought|Of the marketer/);
});

const released = (title: string) =>
  desk.declare(
    sited([hero("offer", { title }), hero("thanks", { title })], "releases: { launch: { pages: [offer, thanks] } }\n"),
  );

/** The code writes over one edit, and another one goes along. */
async function reviewsBoth(): Promise<void> {
  await released("First").up();
  await desk.edits("offer", { "hero.title": "Their title", "hero.note": "Their note" });
  released("Second");
  await savesPlan();
}

test("a page of a release goes public with all the edits that were reviewed", async () => {
  await reviewsBoth();
  await desk.says(0, "up", "--plan", "plan.json");
  expect(await visitors()).toMatch(/Second[^]*Their note/);
  await desk.plansNothing();
});

test("an edit after the review holds back the page of a release, and writes over nothing of it", async () => {
  await reviewsBoth();
  await edit("Later note");
  expect(await desk.says(1, "up", "--plan", "plan.json")).toContain("Later note");
  expect(await desk.drafts("offer", "hero.title")).toBe("Their title");
  expect(await visitors()).not.toMatch(/Second|Later note/);
});
