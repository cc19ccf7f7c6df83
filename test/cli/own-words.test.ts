// @module-tag thorough
/** A text is ours at its own place only: a colleague's edit that says what another text of the page says is theirs all the same. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();
const declare = (title: string) =>
  desk.declare(
    sited([hero("p", { title, text: "A note for all", brand: "Mist" })]).replace(
      "hero.text",
      "hero.cta.text: Buy one today, hero.text",
    ),
  );
const inBoth = <Row extends readonly string[]>(rows: readonly Row[]) =>
  (["draft", "live"] as const).flatMap((shows) => rows.map((row) => [shows, ...row] as const));

test.each(
  inBoth([
    ["an undeclared key says a declared text", "top.cta.text", "Buy one today"],
    ["an undeclared key says the new title", "hero.note", "A second title"],
    ["another declared key says the old title", "hero.text", "A first title"],
    ["the key that the code changes says another text", "hero.title", "A note for all"],
    ["a text is emptied", "hero.note", ""],
  ]),
)("the map shows %s: %s", async (shows, _, key, text) => {
  desk.emulator.notShown.contentMapShows = shows;
  await declare("A first title").applies();
  const before = await desk.visited("sited-example/p");
  await desk.edits("p", { [key]: text });
  expect(await declare("A second title").plan()).toMatch(/holds back Page p/);
  expect(await desk.says(1, "up", "--yes")).toMatch(/1 held back/);
  expect(await desk.visited("sited-example/p")).toBe(before);
  await desk.applies("--foreign-edits", "include");
});

test("a text that somebody has emptied and the code takes over goes public by itself", async () => {
  await declare("A first title").applies();
  await desk.edits("p", { "hero.text": "" });
  expect(await desk.says(0, "drift", "--write")).not.toContain("node_");
  expect(await desk.plan("--refresh")).not.toContain("held back");
  expect(await desk.applies("--refresh")).toContain("1 updated");
  expect(await desk.visited("sited-example/p")).not.toContain("A note for all");
});
