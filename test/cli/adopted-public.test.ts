/** A page that is public already and is taken over: the run says that it published the page again, and that visitors keep what they see if it is held. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

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
