/** A page that is public already and is taken over: the run says that it published the page again, and that visitors keep what they see if it is held. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

/** The code of another stack that takes the pages over. */
function adopted(title: string, more = ""): string {
  const page = (name: string, said: string): string =>
    hero(name, { title: said }).replace(/template.*Acme }/, `adoptId: ${desk.page(name)}`);
  return sited([page("offer", title), page("same", "One")], more).replace("name: ", "name: other-");
}

async function editedDraft(): Promise<void> {
  await desk.declare(sited([hero("offer", { title: "One" }), hero("same", { title: "One" })])).up();
  await desk.edits("same", { "hero.note": "Theirs" });
}

const INCLUDE = ["--foreign-edits", "include"];
const AS_IT_IS = /Page same .*\n +takes over the existing object as it is\n(?! +held)/;
const SAME = /Public pages\n[^]*= http\S+\/same \(same\)/;
const STAYS = "unpublished edits stay in its draft";

test("a page that has all declared values goes public with the edits in its draft, and the plan and the run say so", async () => {
  await editedDraft();
  const held = await desk.declare(adopted("One")).says(0, "preview");
  for (const said of [AS_IT_IS, SAME]) expect(held).toMatch(said);
  expect(held).toContain(STAYS);
  const plan = await desk.says(0, "preview", ...INCLUDE);
  expect(plan).toMatch(
    /Page same .*\n +takes over the existing object, and publishes it with the edits in its draft\n/,
  );
  expect(await desk.applies(...INCLUDE)).toMatch(/\nPublished\n\s+http:\S+\/same\n\n/);
  expect(await desk.visited("sited-example/same")).toContain("Theirs");
});

test.each([[[]], [INCLUDE]])("a release holds and publishes no page that it takes over as it is (%j)", async (word) => {
  await editedDraft();
  desk.declare(adopted("Two", "releases: { r: { pages: [offer, same] } }\n"));
  const plan = await desk.says(0, "preview", ...word);
  for (const said of [AS_IT_IS, SAME]) expect(plan).toMatch(said);
  expect(plan).toContain(STAYS);
  expect(plan).not.toContain("held back");
  expect(await desk.applies(...word)).toMatch(/\nPublished\n\s+http:\S+\/offer\n\n/);
  expect(await desk.visited("sited-example/offer")).toContain("Two");
  expect(await desk.visited("sited-example/same")).not.toContain("Theirs");
});

test("a variable that no text of the page holds publishes nothing: the run tells that the draft's edits wait", async () => {
  await editedDraft();
  const page = hero("same", { title: "One" }).replace(/template: [\w-]+/, `adoptId: ${desk.page("same")}`);
  desk.declare(sited([page]).replace("name: ", "name: other-"));
  expect(await desk.applies()).toMatch(/"same"\) is taken over as it is public, and its draft holds edits/);
  expect(await desk.visited("sited-example/same")).not.toContain("Theirs");
  expect(await desk.drafts("same", "hero.note")).toBe("Theirs");
});

test("an adoption that publishes is told as published, and a held page is no draft", async () => {
  desk.declare(
    sited([hero("offer", { title: "One" }), hero("held", { title: "One" }), hero("same", { title: "One" })]),
  );
  await desk.up();
  await desk.edits("held", { "hero.note": "Theirs" });
  const adopted = (name: string, title: string): string =>
    hero(name, { title }).replace(/template.*Acme }/, `adoptId: ${desk.page(name)}`);
  desk.declare(
    sited([adopted("offer", "Two"), adopted("held", "Two"), adopted("same", "One")]).replace("name: ", "name: other-"),
  );
  const said = await desk.says(1, "up", "--yes");
  expect(said).toContain("Landform holds back Page held, and visitors keep seeing the current page.");
  const [, published = ""] = /\nPublished\n([^]*?)\n\n/.exec(said) ?? [];
  expect(published.trim()).toMatch(/^http:\S+\/offer$/);
  expect(await desk.applies("--foreign-edits", "include")).toMatch(/\nPublished\n\s+http:\S+\/held\n\n/);
});
