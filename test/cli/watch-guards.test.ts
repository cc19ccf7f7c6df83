// @module-tag thorough
/** A watch has the guards of an up, and leaves the state as an up does. */
import { expect, test, vi } from "vitest";
import { Desk } from "./harness.ts";
import { Watching } from "./watching.ts";
import { forEachTest } from "../suite/opened.ts";

vi.setConfig({ testTimeout: 300_000 });

const desk = forEachTest(() => Desk.open());

/** The earlier name of each page by logical name. The page keeps its path. */
type Names = Readonly<Record<string, string>>;

function declare(names: Names, { released = false, aliases = false } = {}): void {
  const page = ([name, before]: [string, string]): [string, object] => [
    name,
    {
      template: "tpl-hero",
      content: { "hero.title": `Of ${before}` },
      variables: { brand: "Acme" },
      publish: { site: "main", slug: before },
      ...(aliases && name !== before && { options: { aliases: [before] } }),
    },
  ];
  const manifest = {
    landform: 1,
    name: "watched",
    sites: { main: { name: "watched.example" } },
    pages: Object.fromEntries(Object.entries(names).map(page)),
    ...(released && { releases: { spring: { pages: Object.keys(names) } } }),
  };
  // JSON is YAML.
  desk.declare(JSON.stringify(manifest));
}

test("a page whose logical name changed is neither deleted nor made anew, and the watch goes on", async () => {
  declare({ offer: "offer", third: "third" });
  const watching = new Watching(desk, ["--yes"]);
  await watching.until("3 created");
  desk.writes();

  declare({ offer: "offer", third2: "third" });
  await watching.until('Page "third" would be deleted, and Page "third2" made anew');
  await watching.until("the plan is incomplete");
  expect([desk.writes(), await desk.visited("watched-example/third")]).toEqual([
    [],
    expect.stringContaining("Of third"),
  ]);

  declare({ offer: "offer", third2: "third" }, { aliases: true });
  await watching.until("1 updated, 2 unchanged");
  expect(desk.writes().filter((call) => /^DELETE|^POST \/pages$/.test(call))).toEqual([]);
  await watching.end();
});

test("the limit of deletions holds, of a few resources, too", async () => {
  declare({ offer: "offer", third: "third" });
  const watching = new Watching(desk, ["--yes", "--max-deletes", "0"]);
  await watching.until("3 created");
  desk.writes();
  declare({ offer: "offer" });
  await watching.until("the limit is 0");
  expect(desk.writes()).toEqual([]);
  await watching.end();
});
