// @module-tag thorough
/** A run that is killed while its release publishes is undone as a whole: what it made public goes back, too. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import type { Boundary } from "../faults/whole/kill.ts";
import { Killed } from "../faults/whole/killed.ts";
import { onBothEngines, realEngine } from "../suite/parts.ts";

const PAGES = ["p1", "p2"];

function manifest(revision: string): string {
  const page = (name: string): string =>
    `  ${name}: { template: tpl-hero, variables: { brand: M }, content: { hero.title: "${name} ${revision}" }, publish: { site: r.example, slug: ${name} } }`;
  return [
    ...["landform: 1", "name: released", "sites: { r.example: {} }", "pages:", ...PAGES.map(page)],
    "releases: { spring: { pages: [p1, p2] } }",
    "",
  ].join("\n");
}

onBothEngines((engine) => {
  let killed: Killed;
  beforeEach(async () => {
    killed = await Killed.open(manifest("A"), { kind: engine, path: realEngine });
    await killed.up();
  });
  afterEach(() => killed.close());

  async function shown(revision: string): Promise<boolean[]> {
    const html = PAGES.map(async (name) =>
      (await fetch(`${killed.machine.emulator.url}/_sites/r-example/${name}`)).text(),
    );
    return (await Promise.all(html)).map((text, index) => text.includes(`${PAGES[index] ?? ""} ${revision}`));
  }

  const publishes = ({ path }: Asked): boolean => path === "/pages/publish";

  test.each<[number, Boundary]>([
    [0, "before the record"],
    [0, "after commit"],
    [1, "after commit"],
    [1, "before the record"],
  ])("at publication %i, %s", async (number, boundary) => {
    killed.declare(manifest("B"));
    await killed.kill(["up"], publishes, { number, boundary });
    const said = await killed.run("undo", "--yes");
    expect(said).not.toMatch(/drafts|not in this history/);
    expect(await shown("A")).toEqual([true, true]);
    killed.declare(manifest("A"));
    await killed.run("preview", "--detailed-exitcode");
    await killed.run("drift");
  });
});
