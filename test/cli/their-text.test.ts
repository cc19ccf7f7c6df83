/** A text that somebody has published in place of the template's is theirs: a variable that the template's text held no longer renders it. */
import { expect } from "vitest";
import { thorough } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();
const code = (title: string, brand: string) => desk.declare(sited([hero("p", { title, brand })]));

thorough("a changed variable leaves it, after a run of ours that published beside it", async () => {
  await code("A", "Mist").applies();
  expect(await desk.visited("sited-example/p")).toContain("New from Mist");
  await desk.edits("p", { "hero.eyebrow": "Only today" });
  await desk.publishes("p");
  await code("B", "Mist").up("--foreign-edits", "include");
  const plan = await code("B", "Dawn").says(0, "preview");
  expect(plan).not.toContain("New from Mist");
  await desk.up();
  const shown = await desk.visited("sited-example/p");
  expect(shown).toContain("Only today");
  expect(shown).not.toContain("New from");
  await desk.plansNothing();
  await code("B", "Mist").applies();
  expect(await desk.visited("sited-example/p")).toContain("Only today");
});
