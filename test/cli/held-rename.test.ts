/** A name that the code and a person change is held, also after a refresh has found the person's. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (title: string, name: string) =>
  desk.declare(sited([hero("offer", { title, more: `, name: ${name}` })]));

test.each([[[]], [["--refresh"]]])("with %j", async (args) => {
  await declare("One", "Ours").applies();
  const id = desk.rows("pages")[0]?.id;
  await desk.app("PATCH", "/pages/metadata", { page_id: id, name: "Theirs" });
  declare("Two", "Later");
  for (let run = 1; run <= 2; run++) {
    const said = await desk.says(1, "up", "--yes", ...args);
    expect(said).toContain('name "Theirs" in the app ("Ours" at the last run, "Later" in the code)');
    expect(said).toContain("1 page is not published: 1 held back");
  }
  expect(desk.rows("pages")).toMatchObject([{ pageName: "Theirs" }]);
  await desk.says(0, "up", "--yes", "--foreign-edits", "include", ...args);
  expect(desk.rows("pages")).toMatchObject([{ pageName: "Later" }]);
  await desk.plansNothing();
});
