/** An export into code that a stack has applied takes what people changed in the app, also after a refresh took it into the state. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

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
