/** A saved plan of a page whose content map shows what is live: an edit of its draft by hand is no drift there. */
import { expect, test } from "vitest";
import { join } from "node:path";
import { openTrial, page } from "../trial.ts";

const trial = openTrial("embedded", { notShown: { contentMapShows: "live" } });

test("is refused where somebody edited the draft since, by the name of the page, and a new plan says what it holds", async () => {
  trial.program.pages["home"] = page("home", { "hero.title": "One", "hero.text": "Text" });
  await trial.up();
  trial.program.pages["home"] = page("home", { "hero.title": "Two", "hero.text": "Text" });
  const file = join(trial.desk.folder, "plan.json");
  expect((await trial.preview("--save", file)).code).toBe(0);
  await trial.desk.byHand("PATCH", "/pages/content", {
    page_id: trial.idOf("home"),
    updates: { "hero.title": "By hand" },
  });
  const edited = JSON.stringify(trial.objects("documents"));
  const refused = await trial.desk.run("up", "--plan", file, "--yes");
  expect(refused.code, refused.printed).toBe(3);
  expect(refused.printed).toMatch(/Page home.*: its draft holds edits that nobody reviewed/);
  expect(JSON.stringify(trial.objects("documents"))).toBe(edited);
  expect((await trial.preview("--save", file, "--foreign-edits", "include")).code).toBe(0);
  const done = await trial.desk.run("up", "--plan", file, "--yes", "--foreign-edits", "include");
  expect(done.code, done.printed).toBe(0);
  await trial.up();
});
