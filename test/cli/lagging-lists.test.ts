// @module-tag thorough
/** While lists show the account as it was before the last run, nothing of that run counts as drift, comes into the code, or is in the way. */
import { expect, test } from "vitest";
import { NearDesk } from "./near-desk.ts";
import { forAllTests } from "../suite/opened.ts";
import { outputOf } from "./harness.ts";

const desk = forAllTests(() => NearDesk.open());

const NAMES = ["a", "b", "c", "d", "e", "f"];

function manifest(pages: Readonly<Record<string, string>>): string {
  const entries = Object.entries(pages).map(
    ([key, name]) =>
      `  ${key}: { name: ${name}, template: tpl-hero, variables: { brand: A }, publish: { site: m, slug: ${key[0]} } }\n`,
  );
  return `landform: 1\nname: lagging\nsites: { m: { name: l.example } }\npages:\n${entries.join("")}`;
}

async function up(): Promise<void> {
  await outputOf(0, desk.run(["up", "--yes"]));
}

test("neither drift nor a taken path", async () => {
  const first = Object.fromEntries(NAMES.map((name) => [name, name.toUpperCase()]));
  desk.write("landform.yaml", manifest(first));
  await up();
  desk.emulator.notShown.listLagMs = 3_600_000;
  const second = { ...first, a: "Renamed", n: "New" };
  desk.write("landform.yaml", manifest(second));
  await up();
  expect(await outputOf(0, desk.run(["drift", "--detailed-exitcode", "--write"]))).toContain("no drift");
  expect(desk.read("landform.yaml")).toBe(manifest(second));
  desk.writes();
  expect((await desk.run(["up", "--yes", "--refresh"])).stdout).toContain("no changes");
  expect(desk.writes()).toEqual([]);
  // Its path is free, but lists still show it there.
  const third = Object.fromEntries(Object.entries(second).filter(([key]) => key !== "b"));
  desk.write("landform.yaml", manifest(third));
  await up();
  desk.write("landform.yaml", manifest({ ...third, b2: "Another" }));
  expect((await desk.run(["preview"])).code).toBe(0);
  const made = await desk.run(["up", "--yes"]);
  expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("has the path")]);
  expect((await desk.run(["preview", "--detailed-exitcode"])).code).toBe(0);
  desk.emulator.notShown.listLagMs = 0;
  expect((await desk.run(["drift", "--detailed-exitcode"])).code).toBe(0);
});
