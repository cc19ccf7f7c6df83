// @module-tag thorough
/** A run that is killed while its release publishes is undone as a whole: what it made public goes back, too. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Asked } from "../faults/between.ts";
import { strike, type Boundary } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";
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
  let machine: Machine;
  beforeEach(async () => {
    const on = { kind: engine, form: "landform.yaml", ...(engine === "pulumi" && { path: realEngine }) } as const;
    machine = await Machine.open(on, { "landform.yaml": manifest("A") });
    await run("up", "--yes");
  });
  afterEach(() => machine.close());

  async function run(...args: string[]): Promise<string> {
    const { code, said } = await machine.run(args);
    expect(code, said).toBe(0);
    return said;
  }

  async function shown(revision: string): Promise<boolean[]> {
    const html = PAGES.map(async (name) => (await fetch(`${machine.emulator.url}/_sites/r-example/${name}`)).text());
    return (await Promise.all(html)).map((text, index) => text.includes(`${PAGES[index] ?? ""} ${revision}`));
  }

  const publishes = ({ path }: Asked): boolean => path === "/pages/publish";

  test.each<[number, Boundary]>([
    [0, "before the record"],
    [0, "after commit"],
    [1, "after commit"],
    [1, "before the record"],
  ])("at publication %i, %s", async (number, boundary) => {
    machine.write("landform.yaml", manifest("B"));
    const struck = await strike(machine, ["up", "--yes"], { number, boundary }, publishes);
    await machine.free();
    expect(struck.call, struck.said).toBeDefined();
    const said = await run("undo", "--yes");
    expect(said).not.toMatch(/drafts|not in this history/);
    expect(await shown("A")).toEqual([true, true]);
    machine.write("landform.yaml", manifest("A"));
    await run("preview", "--detailed-exitcode");
    await run("drift");
  });
});
