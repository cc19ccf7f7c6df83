// @module-tag thorough
/** A page that was held: each plan after it, and each undo, says in words what goes public. */
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { thorough } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const manifest = (title: string, text = "T9") => desk.declare(sited([hero("p", { title, text, brand: "Mist" })]));
const brand = (name: string) => desk.declare(sited([hero("p", { title: "By {{brand}}", text: "T9", brand: name })]));
const edit = (updates: Readonly<Record<string, string>>): Promise<unknown> => desk.edits("p", updates);
const visited = (): Promise<string> => desk.visited("sited-example/p");

/** The code changes the title (and the text), and the page is held, because somebody has edited it since the run before. */
async function held(edits: Readonly<Record<string, string>>, text?: string): Promise<void> {
  await manifest("A").up();
  await edit(edits);
  await manifest("B", text).says(1, "up", "--yes");
}

/** The state is lost, and the page is taken over. */
async function takeOver(): Promise<void> {
  await manifest("A").up();
  rmSync(desk.path(".pulumi"), { recursive: true });
  desk.code("template: tpl-hero", `adoptId: ${desk.page("p")}`);
}

thorough("an undo of what went out by word names what stays, and the plan shows the text again", async () => {
  await held({ "hero.note": "PERSON" });
  await desk.up("--foreign-edits", "include");
  const undone = await desk.undo();
  expect(undone).toContain('hero.note "PERSON" of somebody else went public with it, and stays public');
  expect(undone).not.toContain("an earlier run had written it");
  expect(await desk.plan()).toMatch(/hero\.title.*"A" → "B"/);
  await desk.applies();
});

thorough("an undo puts somebody's declared text that went out by word back into the draft", async () => {
  await manifest("A", "T9 {{brand}}").up();
  await edit({ "hero.text": "PERSON", "hero.note": "NOTE" });
  await manifest("B", "T9 {{brand}}").up("--foreign-edits", "include");
  expect(await visited()).toContain("PERSON");
  const undone = await desk.undo();
  expect(undone).toMatch(/Undo can't bring back all of Page p: hero\.note "NOTE" of somebody else/);
  expect(undone).toMatch(/content\["hero\.text"\] +"PERSON" → "T9 Mist"/);
  expect(undone).toMatch(/draft\["hero\.text"\] +"PERSON"/);
  expect(undone).not.toMatch(/landform\.yaml\S* +content\["hero\.text"\]/);
  expect(await visited()).toMatch(/A<[^]*T9 Mist/);
  expect(await visited()).not.toContain("PERSON");
  expect([await desk.drafts("p", "hero.text"), await desk.drafts("p", "hero.title")]).toEqual(["PERSON", "A"]);
  await manifest("A", "T9 {{brand}}").plansNothing();
  expect(await desk.says(2, "drift", "--detailed-exitcode")).toMatch(/last run +"T9 \{\{brand\}\}"\s+draft +"PERSON"/);
  expect(await manifest("C", "T9 {{brand}}").says(1, "up", "--yes")).toContain('hero.text "PERSON"');
});

thorough("somebody's public text that an undo brings back is drift, and held if the code changes again", async () => {
  await manifest("A").up();
  await edit({ "hero.title": "PERSON" });
  await desk.publishes("p");
  await manifest("B").up("--foreign-edits", "include");
  await manifest("A").undo();
  expect(await visited()).toContain("PERSON</h1>");
  expect(await desk.says(2, "drift", "--detailed-exitcode")).toMatch(/last run +"A"\s+in the app +"PERSON"/);
  expect(await desk.plan("--refresh")).toMatch(/"PERSON" → "A"/);
  expect(await manifest("C").says(1, "up", "--yes")).toContain("1 held back");
  expect(await visited()).toContain("PERSON</h1>");
  await desk.applies("--foreign-edits", "include");
});

test("a text of somebody that was written over by word: the undo brings both sides back, and nothing is left of the hold", async () => {
  await held({ "hero.title": "App" });
  expect(await desk.applies("--foreign-edits", "include")).toMatch(/hero\.title.*"A" → "B"/);
  const undone = await desk.undo();
  expect(undone).toMatch(/content\["hero\.title"\] +"B" → "A"/);
  expect(undone).toMatch(/draft\["hero\.title"\] +"App"/);
  expect(JSON.stringify(desk.rows("documents")[0]?.["live"])).toContain('"text":"A"');
  const runs = new Set((await desk.says(0, "history")).match(/\d{8}-\d{6}\.\d+-\w+/g));
  expect(await desk.says(0, "undo", [...runs][2] ?? "", "--yes")).toContain("The state has nothing left of run");
  expect(await desk.plan()).toMatch(/hero\.title.*"A" → "B"/);
});

test.each([
  ["a text", () => manifest("A"), () => manifest("B")],
  ["a variable", () => brand("Mist"), () => brand("Dawn")],
])(
  "an undo of a held run that changed %s: visitors have that already, and a colleague's draft stays",
  async (_, old, now) => {
    await old().up();
    const [before, draft] = [await visited(), await desk.drafts("p", "hero.title")];
    await edit({ "hero.note": "PERSON" });
    await now().says(1, "up", "--yes");
    expect(await desk.drafts("p", "hero.title")).not.toBe(draft);
    expect(await desk.undo()).not.toMatch(/held back|is not published|Public pages/);
    expect(await visited()).toBe(before);
    expect([await desk.drafts("p", "hero.title"), await desk.drafts("p", "hero.note")]).toEqual([draft, "PERSON"]);
    await old().plansNothing();
    expect(await desk.says(0, "drift")).not.toContain("unfinished");
  },
);

test("an undo of a held run names a colleague's edits where they are to be published with it", async () => {
  await held({ "hero.note": "PERSON" });
  const include = ["--foreign-edits", "include"];
  expect(await desk.says(0, "undo", "--preview", ...include)).toMatch(/hero\.note "PERSON"/);
  await desk.undo(...include);
  expect(await visited()).toMatch(/A<[^]*PERSON/);
});

thorough("an undo that has written all but a publication says what it waits for", async () => {
  await held({ "hero.title": "PERSON", "hero.note": "NOTE" }, "T10");
  await desk.says(1, "undo", "--yes");
  const again = await desk.says(1, "undo", "--yes");
  expect(again).toContain("Nothing was sent: the undo still waits for edits in the app");
  expect(again).toMatch(/note: This undo of run \S+ is still held back: Page p has edits in the app\. Run undo again/);
  expect(again).not.toMatch(/nothing left|no resources|no engine|nothing to undo/);
});

thorough("an edit of a page that was taken over goes into the code and public, and another one is held", async () => {
  await takeOver();
  await desk.applies();
  await edit({ "hero.title": "PERSON" });
  expect(await desk.says(0, "drift", "--write")).toContain("publishes Page p");
  expect(await desk.says(0, "up", "--refresh", "--yes")).toMatch(/Published\n.*\/p/);
  await desk.plansNothing();
  await edit({ "hero.note": "NOTE" });
  expect(await desk.code("PERSON", "B").says(1, "up", "--yes")).toContain('hero.note "NOTE"');
});

thorough("a page taken over, held, and published by word: the undo gives visitors the text of before", async () => {
  await takeOver();
  // Dates alone tell of this edit.
  await sleep(1_200);
  await edit({ "hero.note": "PERSON" });
  await desk.up();
  await desk.code('"A"', '"B"').says(1, "up", "--yes");
  await desk.up("--foreign-edits", "include");
  expect(await visited()).toContain("B<");
  const undone = await desk.undo();
  expect(undone).toMatch(/hero\.title.*"B" → "A"/);
  expect(undone).not.toContain("draft[");
  expect(await visited()).toContain("A<");
  expect(await desk.says(0, "drift")).toMatch(/hero\.title.*changed in the code/);
});

thorough("somebody replaces our text in a held draft: the page stays held, and both edits are named", async () => {
  await held({ "hero.note": "NOTE" });
  await edit({ "hero.title": "THEIRS" });
  const again = await desk.says(1, "up", "--yes");
  expect(again).toContain('hero.note "NOTE"');
  expect(again).toMatch(/hero\.title.*THEIRS/);
  expect(await visited()).toContain("A<");
  await desk.publishes("p");
  await desk.applies("--refresh");
  expect(await visited()).toContain("B<");
});

thorough("the undo of a held run is undone by nothing: what visitors have is what they had", async () => {
  await held({ "hero.note": "PERSON" });
  await desk.undo();
  const again = await desk.undo();
  expect(again).toContain("nothing left");
  expect(again).not.toMatch(/"A" → "A"|Page p/);
  expect(await visited()).toMatch(/A</);
  await manifest("A").plansNothing();
});

for (const [way, settle] of [
  ["takes her edit back", () => edit({ "hero.text": "T9" })],
  ["publishes her edit", () => desk.publishes("p")],
] as const)
  thorough(`an undo of a held run that was held itself is over once she ${way}`, async () => {
    await held({ "hero.text": "PERSON" });
    await desk.says(1, "undo", "--yes");
    await settle();
    await desk.undo();
    expect(await visited()).toMatch(/A</);
    await manifest("A").plansNothing();
  });
