import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: process.env["LANDFORM_TESTS"] === "rest" ? filesWithMore() : ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: "forks",
    reporters: ["default", "./test/suite/closing-line.ts"],
  },
});

/** The files that leave something out of the quick part, by themselves or in what they share. */
function filesWithMore(): string[] {
  const sharing = /suite\/parts\.ts"|\bpulumiToo\b|\bcompareScenarios\b/;
  return globSync("test/**/*.test.ts").filter((file) => sharing.test(readFileSync(file, "utf8")));
}
