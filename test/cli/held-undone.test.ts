/** A page that was held: each plan after it, and each undo, says in words what goes public. */
import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { editInApp, inTheApp, publishInApp, textsInApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";
import { thorough } from "../suite/parts.ts";

const desk = forEachTest(() => NearDesk.open());

function manifest(title: string, text = "T9"): void {
  desk.write(
    "landform.yaml",
    `landform: 1
name: held
sites: { main: { name: held.example } }
pages:
  p:
    template: tpl-hero
    variables: { brand: Mist }
    content: { hero.title: "${title}", hero.text: "${text}" }
    publish: { site: main, slug: p }
`,
  );
}

const page = (): string => String(desk.emulator.records().pages?.[0]?.["id"]);
const edit = (updates: object) => editInApp(desk, page(), updates);

async function publish(): Promise<void> {
  const [site] = await inTheApp<{ id: string }[]>(desk, "GET", "/sites");
  await publishInApp(desk, page(), { siteId: site?.id, slug: "p" });
}

async function visited(): Promise<string> {
  return (await fetch(`${desk.emulator.url}/_sites/held-example/p`)).text();
}

async function told(code: number, ...args: string[]): Promise<string> {
  return outputOf(code, desk.run(args));
}

const plansNothing = (): Promise<string> => told(0, "preview", "--detailed-exitcode");

thorough(
  "after an undo of what went out by word, the undo names what stays and the plan shows the text again",
  async () => {
    manifest("A");
    await told(0, "up", "--yes");
    await edit({ "hero.note": "PERSON" });
    manifest("B");
    await told(1, "up", "--yes");
    await told(0, "up", "--yes", "--foreign-edits", "include");
    const undone = await told(0, "undo", "--yes");
    expect(undone).toContain('hero.note "PERSON" of somebody else went public with it, and stays public');
    expect(undone).not.toContain("an earlier run had written it");
    expect(await told(0, "preview")).toMatch(/hero\.title.*"A" → "B"/);
    await told(0, "up", "--yes");
    await plansNothing();
  },
);

test("a declared text of somebody that went out by word goes back into the draft, and visitors get the former one", async () => {
  manifest("A", "T9 {{brand}}");
  await told(0, "up", "--yes");
  await edit({ "hero.text": "PERSON", "hero.note": "NOTE" });
  manifest("B", "T9 {{brand}}");
  await told(0, "up", "--yes", "--foreign-edits", "include");
  expect(await visited()).toContain("PERSON");
  const undone = await told(0, "undo", "--yes");
  expect(undone).toMatch(/Undo can't bring back all of Page p: hero\.note "NOTE" of somebody else/);
  expect(undone).toMatch(/content\["hero\.text"\] +"PERSON" → "T9 Mist"/);
  expect(undone).toMatch(/draft\["hero\.text"\] +"PERSON"/);
  expect(undone).not.toMatch(/landform\.yaml\S* +content\["hero\.text"\]/);
  expect(await visited()).toMatch(/A<[^]*T9 Mist/);
  expect(await visited()).not.toContain("PERSON");
  expect(await textsInApp(desk, page())).toMatchObject({ "hero.text": "PERSON", "hero.title": "A" });
  manifest("A", "T9 {{brand}}");
  await plansNothing();
  expect(await told(2, "drift", "--detailed-exitcode")).toMatch(/last run +"T9 \{\{brand\}\}"\s+draft +"PERSON"/);
  manifest("C", "T9 {{brand}}");
  expect(await told(1, "up", "--yes")).toContain('hero.text "PERSON"');
});

test("a public text of somebody that an undo brings back is drift, and held when the code changes it again", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "PERSON" });
  await publish();
  manifest("B");
  await told(0, "up", "--yes", "--foreign-edits", "include");
  manifest("A");
  await told(0, "undo", "--yes");
  expect(await visited()).toContain("PERSON</h1>");
  expect(await told(2, "drift", "--detailed-exitcode")).toMatch(/last run +"A"\s+in the app +"PERSON"/);
  expect(await told(0, "preview", "--refresh")).toMatch(/"PERSON" → "A"/);
  manifest("C");
  expect(await told(1, "up", "--yes")).toContain("1 held back");
  expect(await visited()).toContain("PERSON</h1>");
  await told(0, "up", "--yes", "--foreign-edits", "include");
  await plansNothing();
});

test("a text of somebody that was written over by word: the undo brings both sides back, and nothing is left of the hold", async () => {
  manifest("One");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "App" });
  manifest("Two");
  await told(1, "up", "--yes");
  expect(await told(0, "up", "--yes", "--foreign-edits", "include")).toMatch(/hero\.title.*"One" → "Two"/);
  await plansNothing();
  const undone = await told(0, "undo", "--yes");
  expect(undone).toMatch(/content\["hero\.title"\] +"Two" → "One"/);
  expect(undone).toMatch(/draft\["hero\.title"\] +"App"/);
  const [document] = (desk.emulator.records()["documents"] ?? []) as unknown as { readonly live: unknown }[];
  expect(JSON.stringify(document?.live)).toContain('"text":"One"');
  const runs = new Set((await told(0, "history")).match(/\d{8}-\d{6}\.\d+-\w+/g));
  expect(await told(0, "undo", [...runs][2] ?? "", "--yes")).toContain("The state has nothing left of run");
  expect(await told(0, "preview")).toMatch(/hero\.title.*"One" → "Two"/);
});

thorough("an undo that has written all but a publication says what it waits for", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "PERSON", "hero.note": "NOTE" });
  manifest("B", "T10");
  await told(1, "up", "--yes");
  await told(1, "undo", "--yes");
  const again = await told(1, "undo", "--yes");
  expect(again).toContain("Nothing was sent: the undo still waits for edits in the app");
  expect(again).toMatch(/note: This undo of run \S+ is still held back: Page p has edits in the app\. Run undo again/);
  expect(again).not.toMatch(/nothing left|no resources|no engine|nothing to undo/);
});

thorough(
  "an edit of a page that was taken over has a name: it goes into the code and is published, and another one is held",
  async () => {
    manifest("A");
    await told(0, "up", "--yes");
    rmSync(desk.path(".pulumi"), { recursive: true });
    desk.edit("landform.yaml", "template: tpl-hero", `adoptId: ${page()}`);
    await told(0, "up", "--yes");
    await plansNothing();
    await edit({ "hero.title": "PERSON" });
    expect(await told(0, "drift", "--write")).toContain("publishes Page p");
    expect(await told(0, "up", "--refresh", "--yes")).toMatch(/Published\n.*\/p/);
    await plansNothing();
    await edit({ "hero.note": "NOTE" });
    desk.edit("landform.yaml", "PERSON", "B");
    expect(await told(1, "up", "--yes")).toContain('hero.note "NOTE"');
  },
);

thorough(
  "a page that was taken over, held, and published by word: the undo brings the public text back to visitors",
  async () => {
    manifest("A");
    await told(0, "up", "--yes");
    rmSync(desk.path(".pulumi"), { recursive: true });
    desk.edit("landform.yaml", "template: tpl-hero", `adoptId: ${page()}`);
    // Dates alone tell of this edit.
    await sleep(1_200);
    await edit({ "hero.note": "PERSON" });
    await told(0, "up", "--yes");
    desk.edit("landform.yaml", '"A"', '"B"');
    await told(1, "up", "--yes");
    await told(0, "up", "--yes", "--foreign-edits", "include");
    expect(await visited()).toContain("B<");
    const undone = await told(0, "undo", "--yes");
    expect(undone).toMatch(/hero\.title.*"B" → "A"/);
    expect(undone).not.toContain("draft[");
    expect(await visited()).toContain("A<");
    expect(await told(0, "drift")).toMatch(/hero\.title.*changed in the code/);
  },
);

/** Our text waits in the draft of a held page, and somebody replaces it there. */
async function replaceHeldText(): Promise<void> {
  manifest("One");
  await told(0, "up", "--yes");
  await edit({ "hero.note": "NOTE" });
  manifest("Two");
  await told(1, "up", "--yes");
  await edit({ "hero.title": "THEIRS" });
}

thorough("without a word, the page stays held, and the plan names both edits", async () => {
  await replaceHeldText();
  const held = await told(1, "up", "--yes");
  expect(held).toContain('hero.note "NOTE"');
  expect(held).toMatch(/hero\.title.*THEIRS/);
  expect(await visited()).toContain("One<");
  await publish();
  await told(0, "up", "--yes", "--refresh");
  expect(await visited()).toContain("Two<");
  await plansNothing();
});
