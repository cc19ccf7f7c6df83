// @module-tag thorough
/** The plan's words about what visitors will see, also after runs that failed on the way. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

async function touched(): Promise<string[]> {
  const [, block = ""] = /Public pages\n([^]*?)\n\n/.exec(await desk.says(0, "preview")) ?? [];
  return block.split("\n").map((line) => line.trim().replace(/localhost:\d+/, "HOST"));
}

test("a page whose publish failed goes live with the next run, and one that moves is gone from where it was", async () => {
  const declare = (slug: string): void =>
    desk.declare(sited([hero("home"), hero("offer", { slug, more: ", options: { dependsOn: [pages.home] }" })]));
  declare("offer");
  desk.emulator.faults.add({ method: "POST", path: "/pages/publish", phase: "status", status: 403, skip: 1 });
  await desk.says(1, "up", "--yes");
  expect(await touched()).toEqual(["+ http://sited-example.HOST/offer (offer)"]);
  await desk.up();
  declare("deal");
  expect(await touched()).toEqual([
    "- http://sited-example.HOST/offer (offer)",
    "+ http://sited-example.HOST/deal (offer)",
    'Visitors of the old addresses then get "not found" (404). npx landform redirects writes redirects.',
  ]);
});

test("a funnel names the step that it loses; nothing follows from it. A held page keeps its address as it is", async () => {
  const declare = (pages: string[], steps: string): void =>
    desk.declare(sited(pages, `funnels: { f: { steps: [${steps}] } }\n`));
  const first = "{ page: first, pageType: presell }";
  declare([hero("first"), hero("third")], `${first}, { page: third, pageType: thankyou }`);
  await desk.up();
  declare([hero("first")], first);
  const plan = await desk.says(0, "preview");
  expect(plan).toContain("f: loses its step 2 (third, thankyou)");
  expect(plan).not.toContain("changes along");
  await desk.up();

  await desk.edits("first", { "hero.note": "Theirs" });
  declare([hero("first", { title: "Bye" })], first);
  expect(await touched()).toEqual([""]);
  expect(await desk.says(1, "up", "--yes")).not.toContain("Public pages");
});
