/** A process whose heap is large collects before garbage has doubled it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const heap = pathToFileURL(join(import.meta.dirname, "../../cli/heap.ts")).href;

/** Holds 240 MB, and makes as much garbage again and again, of which 120 MB at a time are still held. */
const WORK = `
  const some = (count) => Array.from({ length: count }, () => new Array(100).fill(0.5));
  const held = some(300_000);
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let round = 0; round < 12; round++) some(150_000);
  console.log(held.length && process.resourceUsage().maxRSS / 1024);
`;

function megabytes(before: string): number {
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", before + WORK], { encoding: "utf8" }));
}

test("it takes a good part less than one that is left to itself", () => {
  const sooner = megabytes(`import { collectSoonerWhenLarge } from "${heap}"; collectSoonerWhenLarge();`);
  expect(sooner).toBeLessThan(megabytes("") * 0.9);
}, 240_000);
