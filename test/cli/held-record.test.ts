/** The name and the path of a page, which a person and the code have both changed: held with all three values, and written over by word. */
import { expect, test } from "vitest";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";
import { sampledTable } from "../suite/parts.ts";

const desk = NearDesk.each();

const manifest = (name: string, slug: string, title: string) =>
  desk.declare(sited([hero("p", { title, slug, more: `, name: ${name}` })]));

const page = () => desk.rows("pages")[0] as { id: string; pageName: string; slug: string } | undefined;
const rename = () => desk.app("PATCH", "/pages/metadata", { page_id: page()?.id, name: "Theirs" });

const CASES = [
  {
    what: "name",
    row: (from: string) => `name +"${from}" → "Two"`,
    edit: rename,
    code: () => manifest("Two", "one", "B"),
    three: 'name "Theirs" in the app ("One" at the last run, "Two" in the code',
    ends: { pageName: "Two", slug: "one" },
  },
  {
    what: "path",
    row: (from: string) => `publish\\.slug +"${from.toLowerCase()}" → "two"`,
    edit: () => desk.publishes("One", "theirs"),
    code: () => manifest("One", "two", "B"),
    three: 'slug "theirs" in the app ("one" at the last run, "two" in the code',
    ends: { pageName: "One", slug: "two" },
  },
];

sampledTable(
  CASES,
  1,
  ({ what }) => `the ${what}`,
  async ({ row, edit, code, three, ends }) => {
    await manifest("One", "one", "A").up();
    await edit();
    const theirs = { pageName: page()?.pageName, slug: page()?.slug };
    code();
    for (let time = 0; time < 2; time++) {
      const plan = await desk.plan();
      expect(plan).toContain(three);
      expect(plan).toMatch(new RegExp(row("One")));
      const held = await desk.says(1, "up", "--yes");
      expect(held).toContain(three);
      expect(held).toContain("is not published, because somebody has edited values in the app that the code changes");
      expect(page()).toMatchObject(theirs);
    }
    // A run that reads the account first meets the same edit.
    expect(await desk.says(1, "up", "--yes", "--refresh")).toContain(three);
    await desk.says(0, "refresh");
    const learned = await desk.says(1, "up", "--yes");
    expect(learned).toContain(three);
    expect(learned).toMatch(new RegExp(row("Theirs")));
    expect(page()).toMatchObject(theirs);
    const included = await desk.up("--foreign-edits", "include");
    expect(included).toMatch(/As asked, the run writes over these values of page \S+ \(".*"\): /);
    expect(included).toContain(`: ${three}`);
    expect(page()).toMatchObject(ends);
    await desk.plansNothing();
    await desk.undo();
    expect(page()).toMatchObject(theirs);
  },
);

test.each([[[]], [["--refresh"]]])(
  "a name is held, also after a refresh has found the person's, with %j",
  async (args) => {
    await manifest("One", "one", "A").applies();
    await rename();
    manifest("Two", "one", "B");
    for (let run = 1; run <= 2; run++) {
      const said = await desk.says(1, "up", "--yes", ...args);
      expect(said).toContain('name "Theirs" in the app ("One" at the last run, "Two" in the code)');
      expect(said).toContain("1 page is not published: 1 held back");
    }
    expect(page()?.pageName).toBe("Theirs");
    await desk.applies("--foreign-edits", "include", ...args);
    expect(page()?.pageName).toBe("Two");
  },
);
