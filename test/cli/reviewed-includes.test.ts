// @module-tag thorough
/** A plan reviewed with `--foreign-edits include` publishes the edits that it names, and no others. */
import { beforeEach, expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const declare = (title: string, more = ""): void => desk.declare(sited([hero("offer", { title, more })]));

const desk = NearDesk.each();
beforeEach(async () => {
  declare("First");
  await desk.up();
});

const edit = (text: string): Promise<unknown> => desk.edits("offer", { "hero.note": text });
const visitors = (): Promise<string> => desk.visited("sited-example/offer");
const reviewed = (): Promise<string> => desk.says(0, "preview", "--foreign-edits", "include", "--save", "plan.json");

test.each(["", ", onForeignEdits: hold"])(
  "what was reviewed goes live with it, whatever the page says (%j)",
  async (word) => {
    await edit("Of the marketer");
    declare("Second", word);
    expect(await reviewed()).toContain("They are published with it");
    expect(await desk.says(0, "up", "--plan", "plan.json")).toContain("They are published with it");
    expect(await visitors()).toMatch(/Second[^]*Of the marketer|Of the marketer[^]*Second/);
    await desk.plansNothing();
  },
);

test("what came after the review is held back", async () => {
  await edit("Of the marketer");
  declare("Second");
  await reviewed();
  await edit("Half a thought");
  expect(await desk.says(1, "up", "--plan", "plan.json")).toMatch(/held back.*Half a thought/s);
  expect(await visitors()).not.toMatch(/Second|Half a thought|Of the marketer/);
});
