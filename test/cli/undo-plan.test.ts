// @module-tag thorough
/** An undo that is reviewed first and carried out later: as reviewed, or not at all. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileBackend } from "../../engine/index.ts";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { hero, sited } from "./manifests.ts";
import { NearDesk } from "./near-desk.ts";

const desk = NearDesk.each();

const declare = (title: string, price: number) =>
  desk.declare(sited([hero("offer", { title, text: "As it was" })], `products: { mug: { price: ${price} } }\n`));

async function up(title: string, price: number): Promise<void> {
  await declare(title, price).up();
}

const refused = (...args: string[]): Promise<string> => desk.sendsNothing(3, "undo", ...args);
const visitors = (): Promise<string> => desk.visited("sited-example/offer");

onBothEngines((engine, path) => {
  test.skipIf(leftToSoak(engine))("is applied as reviewed; what it held back goes out with the next try", async () => {
    desk.on(engine, path);
    await up("First", 5);
    await up("Second", 7);
    expect(await desk.sendsNothing(2, "undo", "--save", "undo.json", "--detailed-exitcode")).toContain(
      `npx landform undo --engine ${engine} --plan undo.json applies it`,
    );
    // This edit is on another text, which the stack doesn't declare.
    await desk.edits("offer", { "hero.note": "Half a thought" });
    await desk.says(1, "undo", "--plan", "undo.json");
    expect(await visitors()).toContain("Second");
    await desk.undo("--foreign-edits", "include");
    expect(await visitors()).not.toContain("Second");
    expect(await visitors()).toContain("Half a thought");
    expect(await refused("--plan", "undo.json")).toContain("There is nothing left");
    await declare("First", 5).plansNothing();
  });
});

test("never by another command, to another stack, over a later change, or without its run", async () => {
  desk.on("embedded", (rest) => rest);
  await up("First", 5);
  await up("Second", 5);
  await desk.says(0, "undo", "--save", "undo.json");
  expect(await desk.sendsNothing(3, "up", "--plan", "undo.json")).toMatch(
    /takes back the run \S+\s+npx landform undo --engine embedded --plan/,
  );
  const plan = desk.report<object>("undo.json");
  desk.write("of-up.json", JSON.stringify({ ...plan, undoes: undefined }));
  expect(await refused("--plan", "of-up.json")).toContain("npx landform up --engine embedded --plan");
  desk.write("of-two.json", JSON.stringify({ ...plan, stack: "two" }));
  expect(await refused("--plan", "of-two.json")).toContain("made for the stack two");
  expect(await refused("2020", "--plan", "undo.json")).toContain("and not 2020");
  await desk.edits("offer", { "hero.title": "A colleague's" });
  expect(await refused("--plan", "undo.json")).toMatch(/changed by hand \("A colleague's"\)/);
  // Without the conflict, nothing of the reviewed undo is left.
  await refused("--plan", "undo.json", "--skip-conflicts");
  await desk.edits("offer", { "hero.title": "Second" });
  expect(await desk.says(4, "undo", "--plan", "undo.json", "--save", "other.json")).toContain("--save");
  for (const file of ["broken.json", "none.json"]) await desk.write("broken.json", "{").says(4, "undo", "--plan", file);

  const lock = await (await FileBackend.open(desk.folder)).lock({ project: "sited", stack: "dev" });
  const locked = await desk.sendsNothing(1, "undo", "--plan", "undo.json");
  expect(locked).toContain(`process ${process.pid}`);
  expect(locked).not.toContain("carries on");
  // A preview takes no lock.
  await desk.sendsNothing(0, "undo", "--preview");
  await lock.release();

  // A later run changes a value that the plan would write over.
  await up("Third", 5);
  expect(await refused("--plan", "undo.json")).toMatch(/changed by a later run \("Third"\)/);
  rmSync(join(desk.folder, ".pulumi/landform/history"), { recursive: true });
  expect(await refused("--plan", "undo.json")).toMatch(/has no run/);
});
