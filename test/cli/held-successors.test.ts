// @module-tag thorough
/** A held page, and the page that has its address: that one stays until the other can be public there. */
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { publishInApp } from "../suite/app.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const OLD = hero("old", { slug: "offer", title: "Old offer" });
const adopted = (name: string, id: string): string =>
  `  ${name}: { adoptId: ${id}, content: { hero.title: New offer }, publish: { site: main, slug: offer } }\n`;

/** `next`: the code by the id of the page, which is the stack's own or not. */
const ways: readonly { name: string; own: boolean; next: (other: string) => string }[] = [
  { name: "one of the stack moves there", own: true, next: () => hero("next", { slug: "offer", title: "New offer" }) },
  { name: "one is taken over and moves there", own: false, next: (id) => adopted("next", id) },
  { name: "one is taken over in its place", own: false, next: (id) => adopted("old", id) },
];

test.each(ways)("$name", async ({ own, next }) => {
  const desk = await NearDesk.own();
  desk.declare(sited([OLD, own ? hero("next", { title: "Next" }) : ""]));
  await desk.up();
  const siteId = desk.rows("sites")[0]?.id;
  const made = { template_id: "tpl-thankyou", name: "other", site_id: siteId };
  const other = own ? desk.page("next") : (await desk.app("POST", "/pages/from-template", made)).id;
  if (!own) {
    const variables = { brand: "Acme", support_email: "help@mugs.example" };
    await desk.app("POST", "/pages/replace-variables", { page_id: other, variables });
    await publishInApp(desk, other, { siteId, slug: "next" });
    // If a page was never the stack's, only dates tell of its edits.
    await setTimeout(1_200);
  }
  await desk.edits(own ? "next" : "other", { "hero.text": "Half a thought" });

  desk.declare(sited([next(other)]));
  const preview = await desk.says(0, "preview");
  expect(preview).toMatch(/unpublished edits in its draft/);
  expect(preview).toMatch(/Page old stays at \S+\/offer until its replacement \(Page \w+\) can be published/);
  expect(preview).not.toContain("Addresses that go to another page");
  for (let round = 0; round < 2; round++) {
    expect(await desk.says(1, "up", "--yes")).toMatch(/is not deleted yet\. It keeps the path \/offer/);
    expect(await desk.visited("sited-example/offer")).toContain("Old offer");
  }
  await desk.applies("--foreign-edits", "include");
  expect(await desk.visited("sited-example/offer")).toContain("New offer");
  expect(desk.rows("pages").map(({ id }) => id)).toEqual([other]);
});
