/** The undo of a run whose code took over an edit that visitors had already: the account keeps the edit, and so does the code. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (texts: Record<string, string>) => desk.declare(sited([hero("a", texts)]));

test("an edit that somebody published and drift --write took into the code stays, and the rest goes back", async () => {
  await declare({ title: "Old title", text: "Old text" }).applies();
  await desk.edits("a", { "hero.title": "Their title" });
  await desk.publishes("a");
  await desk.says(0, "drift", "--write");
  desk.declare(desk.read("landform.yaml").replace("Old text", "New text"));
  await desk.applies();
  const said = await desk.says(0, "undo", "--yes", "--write");
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
  expect(await desk.says(0, "undo", "--yes", "--write")).toMatch(/hero\.title"\] +"Their title" → "Old title"/);
  expect(await desk.visited("sited-example/a")).toContain("Old title");
  expect(desk.read("landform.yaml")).toMatch(/hero\.title: "?Old title/);
  await desk.plansNothing();
});
