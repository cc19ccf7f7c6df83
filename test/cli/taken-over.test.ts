/** Objects and edits that the code takes over: what goes public with it, whose words stay, and what an undo of it leaves. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

/** The code of another stack that takes pages over, by name and title. */
function declareAdopted(pages: Readonly<Record<string, string>>, more = "", until = /template.*Acme }/) {
  const adopted = Object.entries(pages).map(([name, title]) =>
    hero(name, { title }).replace(until, `adoptId: ${desk.page(name)}`),
  );
  return desk.declare(sited(adopted, more).replace("name: ", "name: other-"));
}

/** Makes pages with the title One. Somebody edits the draft of one of them. */
async function made(edited: string, ...names: string[]): Promise<void> {
  await desk.declare(sited([...names, edited].map((name) => hero(name, { title: "One" })))).up();
  await desk.edits(edited, { "hero.note": "Theirs" });
}

const INCLUDE = ["--foreign-edits", "include"];
const AS_IT_IS = /Page same .*\n +takes over the existing object as it is\n(?! +held)/;
const SAME = /Public pages\n[^]*= http\S+\/same \(same\)/;
const STAYS = "unpublished edits stay in its draft";

test("a page that has all declared values goes public with the edits in its draft, and the plan and the run say so", async () => {
  await made("same", "offer");
  const held = await declareAdopted({ offer: "One", same: "One" }).plan();
  for (const said of [AS_IT_IS, SAME]) expect(held).toMatch(said);
  expect(held).toContain(STAYS);
  expect(await desk.plan(...INCLUDE)).toMatch(
    /Page same .*\n +takes over the existing object, and publishes it with the edits in its draft\n/,
  );
  expect(await desk.applies(...INCLUDE)).toMatch(/\nPublished\n\s+http:\S+\/same\n\n/);
  expect(await desk.visited("sited-example/same")).toContain("Theirs");
});

test.each([[[]], [INCLUDE]])("a release holds and publishes no page that it takes over as it is (%j)", async (word) => {
  await made("same", "offer");
  declareAdopted({ offer: "Two", same: "One" }, "releases: { r: { pages: [offer, same] } }\n");
  const plan = await desk.plan(...word);
  for (const said of [AS_IT_IS, SAME]) expect(plan).toMatch(said);
  expect(plan).toContain(STAYS);
  expect(plan).not.toContain("held back");
  expect(await desk.applies(...word)).toMatch(/\nPublished\n\s+http:\S+\/offer\n\n/);
  expect(await desk.visited("sited-example/offer")).toContain("Two");
  expect(await desk.visited("sited-example/same")).not.toContain("Theirs");
});

test("a variable that no text of the page holds publishes nothing: the run tells that the draft's edits wait", async () => {
  // The dates of another page tell that this one was edited.
  await made("same", "offer");
  const said = await declareAdopted({ same: "One" }, "", /template: [\w-]+/).applies();
  expect(said).toMatch(/"same"\) is taken over as it is public, and its draft holds edits/);
  expect(await desk.visited("sited-example/same")).not.toContain("Theirs");
  expect(await desk.drafts("same", "hero.note")).toBe("Theirs");
});

test("an adoption that publishes is told as published, and a held page is no draft", async () => {
  await made("held", "offer", "same");
  const said = await declareAdopted({ offer: "Two", held: "Two", same: "One" }).says(1, "up", "--yes");
  expect(said).toContain("Landform holds back Page held, and visitors keep seeing the current page.");
  expect(said).toMatch(/\nPublished\n\s*http:\S+\/offer\s*\n\n/);
  expect(await desk.applies(...INCLUDE)).toMatch(/\nPublished\n\s+http:\S+\/held\n\n/);
});

test("two entries exchange objects: each takes over the other's, and the plan announces no deletion", async () => {
  await desk.declare(sited([hero("a"), hero("b")])).up();
  const [a, b] = [desk.page("a"), desk.page("b")];
  const declare = (first: string, second: string) =>
    desk.declare(sited([hero("a", { more: `, adoptId: ${first}` }), hero("b", { more: `, adoptId: ${second}` })]));
  await declare(a, b).applies();
  const plan = await declare(b, a).plan();
  expect(plan).toContain(
    `takes over the existing ${b} in its place and gives it all values of the code; b takes over the old one`,
  );
  expect(plan).toContain("; a takes over the old one");
  expect(plan).not.toMatch(/is deleted|lose the texts/);
  await desk.applies("--force");
  expect([desk.page("a"), desk.page("b")].sort()).toEqual([a, b].sort());
});

test("a refresh and then an export: the app's text goes into the code, and a text that the code has changed since stays", async () => {
  await desk.declare(sited([hero("offer", { title: "One", text: "Two" })])).up();
  await desk.edits("offer", { "hero.title": "Theirs" });
  await desk.says(0, "refresh", "--yes");
  const said = await desk.code('hero.text: "Two"', 'hero.text: "Ours"').says(0, "export");
  expect(desk.read("landform.yaml")).toMatch(/hero.title: "?Theirs/);
  expect(desk.read("landform.yaml")).toMatch(/hero.text: "?Ours/);
  expect(said).toMatch(/The code has changed these since the last run.*hero\.text/);
  expect(said).not.toMatch(/The code has changed these since the last run.*hero\.title/);
  await desk.applies();
});

const declare = (texts: Record<string, string>) => desk.declare(sited([hero("a", texts)]));

test("an edit that somebody published and drift --write took into the code stays after an undo, and the rest goes back", async () => {
  await declare({ title: "Old title", text: "Old text" }).applies();
  await desk.edits("a", { "hero.title": "Their title" });
  await desk.publishes("a");
  await desk.says(0, "drift", "--write");
  await desk.code("Old text", "New text").applies();
  const said = await desk.undo("--write");
  expect(said).toMatch(/hero\.text"\] +"New text" → "Old text"/);
  expect(said).not.toContain("hero.title");
  expect(desk.read("landform.yaml")).toMatch(/hero\.title: "?Their title/);
  expect(desk.read("landform.yaml")).toMatch(/hero\.text: "?Old text/);
  const page = await desk.visited("sited-example/a");
  for (const text of ["Their title", "Old text"]) expect(page).toContain(text);
  await desk.plansNothing();
  expect(await desk.says(0, "drift")).toContain("no drift");
});

test("an edit that nobody had published went public with the code that took it over, and goes back into the draft", async () => {
  await declare({ title: "Old title" }).applies();
  await desk.edits("a", { "hero.title": "Their title" });
  await desk.says(0, "drift", "--write");
  await desk.applies();
  expect(await desk.visited("sited-example/a")).toContain("Their title");
  expect(await desk.undo("--write")).toMatch(/hero\.title"\] +"Their title" → "Old title"/);
  expect(await desk.visited("sited-example/a")).toContain("Old title");
  expect(desk.read("landform.yaml")).toMatch(/hero\.title: "?Old title/);
  await desk.plansNothing();
});
