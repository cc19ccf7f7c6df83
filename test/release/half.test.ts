// @module-tag thorough
/** A run killed while its release went out, and then a draft of somebody else: public pages go back, and the report names those that can't. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { LandformApi } from "../../provider/api/index.ts";
import type { Asked } from "../faults/between.ts";
import { strike } from "../faults/whole/kill.ts";
import { Machine } from "../faults/whole/machine.ts";

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

let machine: Machine;
let api: LandformApi;
beforeEach(async () => {
  machine = await Machine.open(
    { kind: "embedded", form: "landform.yaml" },
    { "landform.yaml": "landform: 1\nname: released\n" },
  );
  api = new LandformApi(machine.emulator);
});
afterEach(async () => {
  await api.close();
  await machine.close();
});

async function shown(): Promise<string[]> {
  const html = PAGES.map(async (name) => {
    const response = await fetch(`${machine.emulator.url}/_sites/r-example/${name}`);
    return response.status === 200 ? (/p\d ([AB])\b/.exec(await response.text())?.[1] ?? "?") : "-";
  });
  return Promise.all(html);
}

async function up(revision: string, code: number, ...options: string[]): Promise<string> {
  machine.write("landform.yaml", manifest(revision));
  const ran = await machine.run(["up", "--yes", ...options]);
  expect(ran.code, ran.said).toBe(code);
  return ran.said;
}

async function killedBehindOne(revision: string): Promise<void> {
  machine.write("landform.yaml", manifest(revision));
  const isPublication = ({ path }: Asked): boolean => path === "/pages/publish";
  const struck = await strike(machine, ["up", "--yes"], { number: 0, boundary: "after commit" }, isPublication);
  await machine.free();
  expect(struck.call, struck.said).toBeDefined();
}

async function edit(name: string): Promise<void> {
  const page = (await api.pages.list({ limit: 100 })).find((one) => one.page_name === name);
  await api.pages.updateContent({ page_id: page?.id ?? "", updates: { "hero.note": "Half a thought" } });
}

test("what went out goes back, and says so; later runs leave it as it is", async () => {
  await up("A", 0);
  await killedBehindOne("B");
  const half = await shown();
  expect([...half].sort()).toEqual(["A", "B"]);
  await edit(half[0] === "A" ? "p1" : "p2");
  expect(await up("B", 1)).toMatch(/went out in a run that ended before the rest of its release was public/);
  expect(await shown()).toEqual(["A", "A"]);
  expect(await up("B", 1)).not.toContain("went out in a run");
  expect(await shown()).toEqual(["A", "A"]);
  await up("B", 0, "--foreign-edits", "include");
  expect(await shown()).toEqual(["B", "B"]);
  machine.write("landform.yaml", manifest("B"));
  expect((await machine.run(["preview", "--detailed-exitcode"])).code).toBe(0);
}, 180_000);

test("what went out and was edited then stays, by name", async () => {
  await up("A", 0);
  await killedBehindOne("B");
  const half = await shown();
  await edit(half[0] === "B" ? "p1" : "p2");
  for (let round = 0; round < 2; round++) {
    expect(await up("B", 1)).toMatch(
      /is held back and stays as it was published, though the rest of its release is not/,
    );
    expect(await shown()).toEqual(half);
  }
  await up("B", 0, "--foreign-edits", "include");
  expect(await shown()).toEqual(["B", "B"]);
}, 180_000);
