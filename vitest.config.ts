import { defineConfig } from "vitest/config";
import { isNear, isRepeated, isThorough, leavesOut, replacesModules, testFiles } from "./test/suite/files.ts";

const part = process.env["LANDFORM_TESTS"];

/** Their files load the SDK or a host, which are of the whole process, or start processes that take most of their time. */
const ALONE =
  /^test\/(browser|calls|docs|engine|examples|export|faults|package|pulumi|repository|stowaways|suite|types|walk)\//;

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    pool: "forks",
    tags: [
      { name: "thorough", description: "Left out of the quick part, and run with the rest" },
      { name: "repeated", description: "Run with both, and more often with the rest" },
    ],
    ...(part === "rest" && { tagsFilter: ["thorough or repeated"] }),
    reporters: ["default", "./test/suite/closing-line.ts"],
    ...(part === "quick" ? { projects: quickProjects() } : { include: filesOf(part) }),
  },
});

function filesOf(part: string | undefined): string[] {
  if (part === "rest") return testFiles.filter(leavesOut);
  if (part === "soak") return testFiles.filter(isRepeated);
  return ["test/**/*.test.ts"];
}

/**
 * Most of the quick part's time was the start of a process for each file, and the reading of the same modules in it: the files that
 * leave their process as it was share one. In the rest, which starts processes itself, each file has one of its own.
 */
function quickProjects() {
  const files = testFiles.filter((file) => !isThorough(file));
  const needsItsOwn = (file: string): boolean => ALONE.test(file) || replacesModules(file);
  const isBeside = (file: string): boolean => !needsItsOwn(file) && !isNear(file);
  const isNearby = (file: string): boolean => !needsItsOwn(file) && isNear(file);
  return [
    { extends: true as const, test: { name: "shared", isolate: false, include: files.filter(isBeside) } },
    { extends: true as const, test: { name: "near", isolate: false, include: files.filter(isNearby) } },
    { extends: true as const, test: { name: "alone", include: files.filter(needsItsOwn) } },
  ];
}
