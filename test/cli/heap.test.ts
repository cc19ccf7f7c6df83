// @module-tag thorough
/** A process with a large heap collects before garbage has doubled it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const heap = pathToFileURL(join(import.meta.dirname, "../../cli/process.ts")).href;

/** Holds 240 MB and makes as much garbage again and again; 120 MB of it are still held at a time. */
const WORK = `
  const some = (count) => Array.from({ length: count }, () => new Array(100).fill(0.5));
  const held = some(300_000);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let round = 0; round < 12; round++) some(150_000);
  console.log(held.length && process.resourceUsage().maxRSS / 1024);
`;

/** Makes garbage and still holds a part each time, so that V8 would let the space of new objects grow. */
const NEW = `
  import { getHeapSpaceStatistics } from "node:v8";
  let held = [];
  const make = async (rounds, count) => {
    for (let round = 0; round < rounds; round++) {
      held = [...held.slice(-5), Array.from({ length: count }, () => ({ some: {} }))];
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const size = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size / 1024 / 1024;
  for (let tries = 0; tries < 500 && size() < 32; tries++) await make(1, 10_000);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await make(100, 40_000);
  console.log(held.length && size());
`;

function megabytes(before: string, work = WORK): number {
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", before + work], { encoding: "utf8" }));
}

const BOUNDED = `import { collectSoonerWhenLarge } from "${heap}"; collectSoonerWhenLarge();`;

test("it takes a good part less than one that is left to itself", () => {
  const sooner = megabytes(BOUNDED);
  expect(sooner).toBeLessThan(megabytes("") * 0.9);
}, 240_000);

test("what is new has no more room than it makes good use of", () => {
  expect(megabytes(BOUNDED, NEW)).toBeLessThanOrEqual(32);
  expect(megabytes("", NEW)).toBeGreaterThan(32);
}, 240_000);
