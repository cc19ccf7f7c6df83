import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { partialFiles } from "./test/suite/quick.ts";

const everything = process.env["LANDFORM_TESTS"] === "rest" ? filesWithMore() : ["test/**/*.test.ts"];

/** Their files load the SDK or a host, which are of the whole process, or start processes that take most of their time. */
const ALONE =
  "test/{browser,calls,docs,engine,examples,export,faults,package,pulumi,repository,stowaways,suite,types,walk}/**/*.test.ts";

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: "forks",
    runner: "./test/suite/runner.ts",
    reporters: ["default", "./test/suite/closing-line.ts"],
    ...(process.env["LANDFORM_TESTS"] === undefined ? { projects: quickProjects() } : { include: everything }),
  },
});

/**
 * Most of the quick part's time was the start of a process for each file, and the reading of the same modules in it: the files that
 * leave their process as it was share one. In the rest, which starts processes itself, each file has one of its own.
 */
function quickProjects() {
  const replacing = /\bvi\.mock\(/;
  const alone = [ALONE, ...globSync("test/**/*.test.ts").filter((file) => replacing.test(readFileSync(file, "utf8")))];
  return [
    { extends: true as const, test: { name: "shared", isolate: false, include: everything, exclude: alone } },
    { extends: true as const, test: { name: "alone", include: alone } },
  ];
}

/** The files that leave something out of the quick part, by themselves or in what they share. */
function filesWithMore(): string[] {
  const sharing = /suite\/parts\.ts"|\bcompareScenarios\b/;
  return globSync("test/**/*.test.ts").filter(
    (file) => partialFiles.includes(file.replaceAll("\\", "/")) || sharing.test(readFileSync(file, "utf8")),
  );
}
