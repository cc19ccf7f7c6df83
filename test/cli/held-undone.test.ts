/** A page that was held: each plan after it, and each undo, says in words what goes public. */
import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { inTheApp } from "../suite/app.ts";
import { NearDesk } from "./near-desk.ts";
import { forEachTest } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

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
const edit = (updates: object) => inTheApp(desk, "PATCH", "/pages/content", { page_id: page(), updates });

async function publish(): Promise<void> {
  const [site] = await inTheApp<{ id: string }[]>(desk, "GET", "/sites");
  await inTheApp(desk, "POST", "/pages/publish", { page_id: page(), site_id: site?.id, slug: "p" });
}

async function visited(): Promise<string> {
  return (await fetch(`${desk.emulator.url}/_sites/held-example/p`)).text();
}

async function told(code: number, ...args: string[]): Promise<string> {
  return outputOf(code, desk.run(args));
}

const plansNothing = (): Promise<string> => told(0, "preview", "--detailed-exitcode");

test("after an undo of what went out by word, the undo names what stays and the plan shows the text again", async () => {
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
});

test("a plan that has read the account repairs what it found, and does not hold it back as well", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "PERSON" });
  manifest("A", "T10");
  const held = await told(1, "up", "--yes");
  expect(held).toContain("Landform holds the page back: visitors keep seeing the current page");
  const repaired = await told(0, "up", "--refresh", "--yes");
  expect(repaired).toMatch(/hero\.title.*"PERSON" → "A"/);
  expect(repaired).not.toContain("unpublished edits");
  await plansNothing();
});

test("a text that a person and the code have both changed is held, also where the run reads the account first", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "PERSON" });
  manifest("B");
  expect(await told(0, "preview", "--refresh")).toContain("1 held back");
  expect(await told(1, "up", "--refresh", "--yes")).toContain("1 held back");
  await told(0, "refresh", "--yes");
  expect(await told(1, "up", "--yes")).toContain("1 held back");
  expect(await visited()).toContain("A</h1>");
  await told(0, "up", "--refresh", "--yes", "--foreign-edits", "include");
  expect(await visited()).toContain("B</h1>");
  await plansNothing();
});

test("an undo of a held text that was published later meets what a run without history has published since", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "PERSON" });
  manifest("A", "T10");
  await told(1, "up", "--yes");
  await told(0, "up", "--refresh", "--yes");
  manifest("A", "T11");
  await told(0, "up", "--yes");
  const [last, before] = (await told(0, "history")).match(/\d{8}-\d{6}\.\d+-\w+/g) ?? [];
  expect(last).toBeDefined();
  expect(await told(3, "undo", before ?? "", "--preview")).toContain(
    'content["hero.text"] was changed by a later run ("T11")',
  );
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

test("a text in somebody's draft that a run which read the account has put back: the undo writes it into the draft again", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.title": "PERSON" });
  expect(await told(0, "up", "--yes", "--refresh")).toMatch(/hero\.title.*"PERSON" → "A"/);
  expect(await told(0, "undo", "--yes")).toMatch(/draft\["hero\.title"\] +"PERSON"/);
  expect(await visited()).toContain("A</h1>");
  expect((await told(0, "drift")).match(/"PERSON"/g)).toHaveLength(1);
});

test("an undo that was held back says so when it is asked for again", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  manifest("B");
  await told(0, "up", "--yes");
  await edit({ "hero.note": "PERSON" });
  expect(await told(1, "undo", "--yes")).toContain("Done, but 1 page is not published: 1 held back");
  expect(await told(1, "undo", "--yes")).toContain("Done, but 1 page is not published: 1 held back");
});

test("an undo of a held page is held again, and says that an earlier run held it", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  await edit({ "hero.note": "PERSON" });
  manifest("B");
  await told(1, "up", "--yes");
  await told(1, "undo", "--yes");
  const again = await told(1, "undo", "--yes");
  expect(again).toContain("publishes the page, which an earlier run held back because of edits in the app");
  expect(again).not.toMatch(/nothing left|ended before that was done/);
});

test("an undo that has written all but a publication says what it waits for", async () => {
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

test("a value that a refresh has found is shown by the next plan", async () => {
  const mug = (price: number): void =>
    desk.write("landform.yaml", `landform: 1\nname: held\nproducts: { mug: { price: ${price}, sku: a } }\n`);
  mug(3);
  await told(0, "up", "--yes");
  const id = desk.emulator.records().products?.[0]?.["id"];
  await inTheApp(desk, "PATCH", "/products", { product_id: id, price: 14, sku: "b" });
  await told(0, "refresh", "--yes");
  mug(4);
  expect(await told(0, "preview")).toMatch(/price +14 → 4 {2}\(held back\)\n +sku +"b" → "a"\n/);
  expect(await told(1, "up", "--yes")).toContain("price: 3 at the last run, 14 in the app, 4 in the code");
  expect(desk.emulator.records().products).toMatchObject([{ price: 14, sku: "a" }]);
  await told(0, "up", "--yes", "--foreign-edits", "include");
  await plansNothing();
});

test("an edit of a page that was taken over has a name: it goes into the code and is published, and another one is held", async () => {
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
});

test("a page that was taken over is no longer held once a person has published the edits", async () => {
  manifest("A");
  await told(0, "up", "--yes");
  rmSync(desk.path(".pulumi"), { recursive: true });
  desk.edit("landform.yaml", "template: tpl-hero", `adoptId: ${page()}`);
  await told(0, "up", "--yes");
  await edit({ "hero.note": "NOTE" });
  desk.edit("landform.yaml", 'hero.title: "A"', 'hero.title: "B"');
  expect(await told(1, "up", "--yes")).toContain('hero.note "NOTE"');
  await publish();
  await told(0, "up", "--refresh", "--yes");
  await plansNothing();
});

test("a page that is held again keeps its address, so nothing that uses the address looks as if it changed", async () => {
  manifest("A");
  desk.edit("landform.yaml", "pages:", "products: { mug: { price: 3, ctaUrl: { ref: pages.p.url } } }\npages:");
  await told(0, "up", "--yes");
  await edit({ "hero.note": "PERSON" });
  for (const [then, now] of ["AB", "BC"]) {
    desk.edit("landform.yaml", `hero.title: "${String(then)}"`, `hero.title: "${String(now)}"`);
    expect(await told(0, "preview")).not.toContain("ctaUrl");
    await told(1, "up", "--yes");
  }
  expect(await told(0, "preview")).not.toContain("ctaUrl");
  await told(0, "up", "--yes", "--foreign-edits", "include");
  await plansNothing();
});

/** Our text waits in the draft of a held page, and somebody replaces it there. */
async function replaceHeldText(): Promise<void> {
  manifest("One");
  await told(0, "up", "--yes");
  await edit({ "hero.note": "NOTE" });
  manifest("Two");
  await told(1, "up", "--yes");
  await edit({ "hero.title": "THEIRS" });
}

test("with the word to include edits, our held text is written over theirs, as the plan says", async () => {
  await replaceHeldText();
  expect(await told(0, "preview", "--foreign-edits", "include")).toMatch(/hero\.title.*THEIRS/);
  await told(0, "up", "--yes", "--foreign-edits", "include");
  expect(await visited()).toContain("Two<");
  expect(await visited()).not.toContain("THEIRS");
  expect(await told(0, "preview", "--refresh", "--detailed-exitcode")).toContain("no changes");
});

test("without a word, the page stays held, and the plan names both edits", async () => {
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
