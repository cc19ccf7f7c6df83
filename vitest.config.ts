import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { partialFiles } from "./test/suite/quick.ts";

export default defineConfig({
  test: {
    include: process.env["LANDFORM_TESTS"] === "rest" ? filesWithMore() : ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: "forks",
    runner: "./test/suite/runner.ts",
    reporters: ["default", "./test/suite/closing-line.ts"],
  },
});

/** The files that leave something out of the quick part, by themselves or in what they share. */
function filesWithMore(): string[] {
  const sharing = /suite\/parts\.ts"|\bcompareScenarios\b/;
  return globSync("test/**/*.test.ts").filter(
    (file) => partialFiles.includes(file.replaceAll("\\", "/")) || sharing.test(readFileSync(file, "utf8")),
  );
}
