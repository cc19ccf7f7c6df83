/** A draft that the code made and people edited: neither its first publication nor a copy of it takes their texts along unseen. */
import { expect, test } from "vitest";
import { onBothEngines, thorough } from "../suite/parts.ts";
import { liveOf } from "../suite/app.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

function declare({ content = "hero.title: One", brand = "Mugs", isPublic = false, more = "" } = {}) {
  const publish = isPublic ? ", publish: { site: main, slug: offer }" : "";
  const offer = `name: Offer, template: tpl-hero, variables: { brand: ${brand} }, content: { ${content} }${publish}`;
  return desk.declare(sited([`  offer: { ${offer} }\n${more}`]));
}

const live = (name: string): string => {
  const id = desk.rows("pages").find(({ pageName }) => pageName === name)?.id;
  return id === undefined ? "none" : liveOf(desk, id);
};

onBothEngines((...on) => {
  test("is held, with their texts by name, until a word", async () => {
    desk.on(...on);
    await declare().applies();
    await desk.edits("Offer", { "hero.note": "Not for visitors" });
    await declare({ content: "hero.title: Two" }).applies();
    expect(await declare({ content: "hero.title: Two", isPublic: true }).plan()).toContain(
      'hero.note "Not for visitors"',
    );
    expect(await desk.says(1, "up", "--yes")).toContain('hero.note "Not for visitors"');
    expect(live("Offer")).toBe("null");
    expect(await desk.applies("--foreign-edits", "include")).toContain("Not for visitors");
    expect(live("Offer")).toContain("Not for visitors");
  });
});

test("publishes what the code has written and taken back since, as its own", async () => {
  await declare({ content: 'hero.title: One, hero.note: "For {{brand}}", hero.cta.text: Go' }).applies();
  await declare({ content: 'hero.title: One, hero.note: "For {{brand}}"', brand: "Cups" }).applies();
  await declare({ content: "hero.title: Three", brand: "Jugs" }).applies();
  await declare({ content: "hero.title: Three", brand: "Jugs", isPublic: true }).applies();
  expect(live("Offer")).toContain("Three");
});

test("a text that people wrote is not written over by a later value of the code", async () => {
  await declare().applies();
  await desk.edits("Offer", { "hero.note": "Of a person" });
  expect(
    await declare({ content: "hero.title: One, hero.note: Ours", isPublic: true }).says(1, "up", "--yes"),
  ).toContain('hero.note "Of a person"');
  expect(await desk.drafts("Offer", "hero.note")).toBe("Of a person");
  expect(await desk.applies("--foreign-edits", "include")).toContain("Of a person");
  expect(live("Offer")).toContain("Ours");
});

test("of a copy for visitors is not made of such a draft, but by a word", async () => {
  await declare().applies();
  await desk.edits("Offer", { "hero.note": "Not for visitors" });
  const more =
    "  copy: { name: Copy, duplicateOf: offer, content: { hero.title: Copy }, publish: { site: main, slug: copy } }\n";
  expect(await declare({ more }).says(4, "up", "--yes")).toContain('hero.note "Not for visitors"');
  expect(live("Copy")).toBe("none");
  await desk.applies("--foreign-edits", "include");
  expect(live("Copy")).toContain("Not for visitors");
});

test("of a draft that was taken over names what people wrote after that, and nothing from before", async () => {
  await declare().applies();
  const theirs = await desk.app("POST", "/pages/from-template", { template_id: "tpl-thankyou", name: "Theirs" });
  const variables = { brand: "Mugs", support_email: "us@mugs.example" };
  await desk.app("POST", "/pages/replace-variables", { page_id: theirs.id, variables });
  await desk.edits("Theirs", { "hero.title": "From before" });
  const adopted = (more: string) => declare({ more: `  theirs: { adoptId: ${theirs.id}, name: Theirs${more} }\n` });
  await adopted("").applies();
  expect(await adopted(", publish: { site: main, slug: theirs }").plan()).not.toContain("Somebody has");
  await desk.edits("Theirs", { "hero.text": "From after" });
  const said = await desk.says(1, "up", "--yes");
  expect(said).toContain('hero.text "From after"');
  expect(said).not.toContain("From before");
  expect(live("Theirs")).toBe("null");
  await desk.applies("--foreign-edits", "include");
  expect(live("Theirs")).toContain("From after");
});

const declareCopies = (...copies: string[]) =>
  desk.declare(sited([hero("source"), ...copies.map((one) => `  ${one}\n`)]));
const PUBLIC = "copy: { duplicateOf: source, publish: { site: main, slug: copy } }";

test("a page and its public copy, both new", async () => {
  expect(await declareCopies(PUBLIC).plan()).not.toContain("could not be read");
  await desk.applies();
  expect(desk.rows("pages")).toMatchObject([{ status: "published" }, { status: "published" }]);
});

thorough("a copy of a page whose draft holds edits of others", async () => {
  await declareCopies().up();
  await desk.edits("source", { "hero.note": "Half a thought" });
  desk.writes();

  expect(await declareCopies(PUBLIC).says(4, "preview")).toMatch(
    /Page copy: .*would show visitors somebody's unpublished edits.*hero\.note "Half a thought"/s,
  );
  await desk.says(4, "up", "--yes");
  // Nobody knows if the draft holds edits, so that nothing is made public from it.
  desk.emulator.faults.add({ path: "/search/page-content-map", phase: "status", status: 503, times: Infinity });
  expect(await desk.says(3, "up", "--yes")).toMatch(
    /Page copy: the draft that it copies could not be read.*The next run asks again/s,
  );
  desk.emulator.faults.clear();
  expect(desk.writes()).toEqual([]);

  // A copy that stays a draft shows nobody anything.
  await declareCopies("copy: { duplicateOf: source }").applies();

  declareCopies(PUBLIC.replace("copy:", "second:"));
  expect(await desk.applies("--foreign-edits", "include")).toMatch(/warning: Page second: .*Half a thought/s);
});
