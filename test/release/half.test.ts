// @module-tag thorough
/** A run killed while its release went out, and then a draft of somebody else: public pages go back, and the report names those that can't. */
import { beforeEach, expect, test } from "vitest";
import { hero, sited } from "../cli/manifests.ts";
import { Killed } from "../faults/whole/killed.ts";
import { editInApp } from "../suite/app.ts";
import { forEachTest } from "../suite/opened.ts";

const PAGES = ["p1", "p2"];
const manifest = (revision: string): string =>
  sited(
    PAGES.map((name) => hero(name, { title: `${name} ${revision}` })),
    "releases: { spring: { pages: [p1, p2] } }\n",
  );

const killed = forEachTest(() => Killed.open(manifest("A")));

function shown(): Promise<string[]> {
  const revisions = PAGES.map(async (name) => {
    const response = await fetch(`${killed.machine.emulator.url}/_sites/sited-example/${name}`);
    return response.status === 200 ? (/p\d ([AB])\b/.exec(await response.text())?.[1] ?? "?") : "-";
  });
  return Promise.all(revisions);
}

function edit(name: string): Promise<unknown> {
  const page = killed.rows("pages").find(({ pageName }) => pageName === name);
  return editInApp(killed.machine, page?.["id"], { "hero.note": "Half a thought" });
}

/** The pages after a run that was killed behind its first publication. */
let half: string[];
beforeEach(async () => {
  await killed.up();
  await killed.declare(manifest("B")).killAt("POST", /^\/pages\/publish$/);
  half = await shown();
  expect([...half].sort()).toEqual(["A", "B"]);
});

test("what went out goes back, and says so; later runs leave it as it is", async () => {
  await edit(half[0] === "A" ? "p1" : "p2");
  expect(await killed.says(1, "up", "--yes")).toMatch(
    /went out in a run that ended before the rest of its release was public/,
  );
  expect(await shown()).toEqual(["A", "A"]);
  expect(await killed.says(1, "up", "--yes")).not.toContain("went out in a run");
  expect(await shown()).toEqual(["A", "A"]);
  await killed.applies("--foreign-edits", "include");
  expect(await shown()).toEqual(["B", "B"]);
}, 180_000);

test("what went out and was edited then stays, by name", async () => {
  await edit(half[0] === "B" ? "p1" : "p2");
  for (let round = 0; round < 2; round++) {
    expect(await killed.says(1, "up", "--yes")).toMatch(
      /is held back and stays as it was published, though the rest of its release is not/,
    );
    expect(await shown()).toEqual(half);
  }
  await killed.applies("--foreign-edits", "include");
  expect(await shown()).toEqual(["B", "B"]);
}, 180_000);
