/** A draft that the code made and people edited: its first publication takes none of their texts along unseen. */
import { expect, test } from "vitest";
import { onBothEngines } from "../suite/parts.ts";
import { liveOf } from "../suite/app.ts";
import { sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

interface Offer {
  readonly content?: string;
  readonly brand?: string;
  readonly isPublic?: boolean;
  readonly more?: string;
}

function declare({ content = "hero.title: One", brand = "Mugs", isPublic = false, more = "" }: Offer = {}): void {
  const publish = isPublic ? ", publish: { site: main, slug: offer }" : "";
  desk.declare(
    sited([
      `  offer: { name: Offer, template: { id: tpl-hero }, variables: { brand: ${brand} }, content: { ${content} }${publish} }\n${more}`,
    ]),
  );
}

const live = (name: string): string => {
  const id = desk.rows("pages").find(({ pageName }) => pageName === name)?.id;
  return id === undefined ? "none" : liveOf(desk, id);
};

onBothEngines((...on) => {
  test("is held, with their texts by name, until a word", async () => {
    desk.on(...on);
    declare();
    await desk.applies();
    await desk.edits("Offer", { "hero.note": "Not for visitors" });
    declare({ content: "hero.title: Two" });
    await desk.applies();
    declare({ content: "hero.title: Two", isPublic: true });
    expect(await desk.says(0, "preview")).toContain('hero.note "Not for visitors"');
    expect(await desk.says(1, "up", "--yes")).toContain('hero.note "Not for visitors"');
    expect(live("Offer")).toBe("null");
    expect(await desk.says(0, "up", "--yes", "--foreign-edits", "include")).toContain("Not for visitors");
    expect(live("Offer")).toContain("Not for visitors");
    await desk.plansNothing();
  });
});

test("publishes what the code has written and taken back since, as its own", async () => {
  declare({ content: 'hero.title: One, hero.note: "For {{brand}}", hero.cta.text: Go' });
  await desk.applies();
  declare({ content: 'hero.title: One, hero.note: "For {{brand}}"', brand: "Cups" });
  await desk.applies();
  declare({ content: "hero.title: Three", brand: "Jugs" });
  await desk.applies();
  declare({ content: "hero.title: Three", brand: "Jugs", isPublic: true });
  await desk.applies();
  await desk.plansNothing();
  expect(live("Offer")).toContain("Three");
});

test("a text that people wrote is not written over by a later value of the code", async () => {
  declare();
  await desk.applies();
  await desk.edits("Offer", { "hero.note": "Of a person" });
  declare({ content: "hero.title: One, hero.note: Ours", isPublic: true });
  expect(await desk.says(1, "up", "--yes")).toContain('hero.note "Of a person"');
  expect(await desk.drafts("Offer", "hero.note")).toBe("Of a person");
  expect(await desk.says(0, "up", "--yes", "--foreign-edits", "include")).toContain("Of a person");
  expect(live("Offer")).toContain("Ours");
  await desk.plansNothing();
});

test("of a copy for visitors is not made of such a draft, but by a word", async () => {
  declare();
  await desk.applies();
  await desk.edits("Offer", { "hero.note": "Not for visitors" });
  const more =
    "  copy: { name: Copy, duplicateOf: offer, content: { hero.title: Copy }, publish: { site: main, slug: copy } }\n";
  declare({ more });
  expect(await desk.says(4, "up", "--yes")).toContain('hero.note "Not for visitors"');
  expect(live("Copy")).toBe("none");
  await desk.says(0, "up", "--yes", "--foreign-edits", "include");
  expect(live("Copy")).toContain("Not for visitors");
  await desk.plansNothing();
});

test("of a draft that was taken over names what people wrote after that, and nothing from before", async () => {
  declare();
  await desk.applies();
  const theirs = await desk.app("POST", "/pages/from-template", { template_id: "tpl-thankyou", name: "Theirs" });
  const variables = { brand: "Mugs", support_email: "us@mugs.example" };
  await desk.app("POST", "/pages/replace-variables", { page_id: theirs.id, variables });
  await desk.edits("Theirs", { "hero.title": "From before" });
  const adopted = (more: string): void =>
    declare({ more: `  theirs: { adoptId: ${theirs.id}, name: Theirs${more} }\n` });
  adopted("");
  await desk.applies();
  adopted(", publish: { site: main, slug: theirs }");
  expect(await desk.says(0, "preview")).not.toContain("Somebody has");
  await desk.edits("Theirs", { "hero.text": "From after" });
  const said = await desk.says(1, "up", "--yes");
  expect(said).toContain('hero.text "From after"');
  expect(said).not.toContain("From before");
  expect(live("Theirs")).toBe("null");
  await desk.says(0, "up", "--yes", "--foreign-edits", "include");
  expect(live("Theirs")).toContain("From after");
  await desk.plansNothing();
});
