// @module-tag thorough
/** An undo that is reviewed first and carried out later: as reviewed, or not at all. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileBackend } from "../../engine/index.ts";
import { leftToSoak, onBothEngines } from "../suite/parts.ts";
import { editInApp } from "../suite/app.ts";
import { type Ended, outputOf } from "./harness.ts";
import { NearDesk } from "./near-desk.ts";

const manifest = (title: string, price: number, name = "reviewed"): string => `landform: 1
name: ${name}
sites: { main: { name: reviewed.example } }
pages:
  offer:
    template: tpl-hero
    content: { hero.title: ${title}, hero.text: As it was }
    variables: { brand: Acme }
    publish: { site: main, slug: offer }
products: { mug: { price: ${price} } }
`;

class Reviewed {
  readonly desk: NearDesk;
  readonly #engine: string;
  readonly #path: string;

  constructor(desk: NearDesk, engine: string, path: string) {
    this.desk = desk;
    this.#engine = engine;
    this.#path = path;
  }

  run(...args: string[]): Promise<Ended> {
    return this.desk.run([...args, "--engine", this.#engine], { env: { PATH: this.#path } });
  }

  async up(title: string, price: number): Promise<void> {
    this.desk.declare(manifest(title, price));
    await outputOf(0, this.run("up", "--yes"));
  }

  /** Checks that the command is refused, and sends nothing. */
  async refused(...args: string[]): Promise<string> {
    this.desk.writes();
    const told = await outputOf(3, this.run(...args));
    expect(this.desk.writes()).toEqual([]);
    return told;
  }

  async edit(updates: object): Promise<void> {
    const [page] = await this.desk.app<{ id: string }[]>("GET", "/pages");
    await editInApp(this.desk, page?.id, updates);
  }

  async visitors(): Promise<string> {
    return (await fetch(`${new URL(this.desk.emulator.baseUrl).origin}/_sites/reviewed-example/offer`)).text();
  }
}

onBothEngines((engine, path) => {
  test.skipIf(leftToSoak(engine))(
    "is applied as it was reviewed; what it had to hold back goes out with the next try",
    async () => {
      const desk = await NearDesk.own();
      const world = new Reviewed(desk, engine, path("/usr/bin:/bin"));
      await world.up("First", 5);
      await world.up("Second", 7);
      desk.writes();
      expect(await outputOf(2, world.run("undo", "--save", "undo.json", "--detailed-exitcode"))).toContain(
        `npx landform undo --engine ${engine} --plan undo.json applies it`,
      );
      expect(desk.writes()).toEqual([]);
      // This edit is on another text, which the stack doesn't declare.
      await world.edit({ "hero.note": "Half a thought" });
      await outputOf(1, world.run("undo", "--plan", "undo.json"));
      expect(await world.visitors()).toContain("Second");
      await outputOf(0, world.run("undo", "--yes", "--foreign-edits", "include"));
      const page = await world.visitors();
      expect([page.includes("Second"), page.includes("Half a thought")]).toEqual([false, true]);
      expect(await world.refused("undo", "--plan", "undo.json")).toContain("There is nothing left");
      desk.declare(manifest("First", 5));
      await outputOf(0, world.run("preview", "--detailed-exitcode"));
    },
  );
});

test("never by another command, to another stack, over a later change, or without its run", async () => {
  const desk = await NearDesk.own();
  const world = new Reviewed(desk, "embedded", "/usr/bin:/bin");
  await world.up("First", 5);
  await world.up("Second", 5);
  expect((await world.run("undo", "--save", "undo.json")).code).toBe(0);
  expect(await world.refused("up", "--plan", "undo.json")).toMatch(
    /takes back the run \S+\s+npx landform undo --engine embedded --plan/,
  );
  const plan = desk.report<object>("undo.json");
  desk.write("of-up.json", JSON.stringify({ ...plan, undoes: undefined }));
  expect(await world.refused("undo", "--plan", "of-up.json")).toContain("npx landform up --engine embedded --plan");
  desk.write("of-two.json", JSON.stringify({ ...plan, stack: "two" }));
  expect(await world.refused("undo", "--plan", "of-two.json")).toContain("made for the stack two");
  expect(await world.refused("undo", "2020", "--plan", "undo.json")).toContain("and not 2020");
  await world.edit({ "hero.title": "A colleague's" });
  expect(await world.refused("undo", "--plan", "undo.json")).toMatch(/changed by hand \("A colleague's"\)/);
  // Without the conflict, nothing of the reviewed undo is left.
  await world.refused("undo", "--plan", "undo.json", "--skip-conflicts");
  await world.edit({ "hero.title": "Second" });
  expect(await outputOf(4, world.run("undo", "--plan", "undo.json", "--save", "other.json"))).toContain("--save");
  desk.write("broken.json", "{");
  expect((await world.run("undo", "--plan", "broken.json")).code).toBe(4);
  expect((await world.run("undo", "--plan", "none.json")).code).toBe(4);

  const lock = await (await FileBackend.open(desk.folder)).lock({ project: "reviewed", stack: "dev" });
  desk.writes();
  const locked = await world.run("undo", "--plan", "undo.json");
  expect([locked.code, locked.stderr.includes(`process ${process.pid}`)]).toEqual([1, true]);
  expect(locked.stdout).not.toContain("carries on");
  // A preview takes no lock.
  expect((await world.run("undo", "--preview")).code).toBe(0);
  expect(desk.writes()).toEqual([]);
  await lock.release();

  // A later run changes a value that the plan would write over.
  await world.up("Third", 5);
  expect(await world.refused("undo", "--plan", "undo.json")).toMatch(/changed by a later run \("Third"\)/);
  rmSync(join(desk.folder, ".pulumi/landform/history"), { recursive: true });
  expect(await world.refused("undo", "--plan", "undo.json")).toMatch(/has no run/);
});
