/** The parts of the suite that test files belong to. Each file says it itself. */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const root = join(import.meta.dirname, "../..");

export const testFiles: readonly string[] = globSync("test/**/*.test.ts", { cwd: root })
  .map((file) => file.split(sep).join("/"))
  .sort();

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/**
 * The first line of a file whose tests all start many processes, or repeat with whole commands things that other tests show closer to their cause.
 */
const MODULE_TAG = /^\/\/ @module-tag thorough$/m;

export const isThorough = (file: string): boolean => MODULE_TAG.test(textOf(file));

/** Tells if the rest runs some of the file: all, a tagged test, rows of a table, more rounds of random tests, or stories on Pulumi's own engine. */
export const leavesOut = (file: string): boolean =>
  /\bthorough\b|@module-tag repeated|\b(onBothEngines|onBothAtRelease|sampledTable|compareScenarios)\(/.test(
    textOf(file),
  );

/** Tells if a file repeats its random or killed runs more often before a release. */
export const isRepeated = (file: string): boolean =>
  /\bsoak\b|\bsampled|\bleftToSoak\b|\b(onBothEngines|onBothAtRelease|compareScenarios)\(/.test(textOf(file));

/** Tells if a file replaces one of our modules for the whole process. */
export const replacesModules = (file: string): boolean => /\bvi\.mock\(/.test(textOf(file));

/** Tells if a file runs commands in its own process: all such files replace the same doors to other processes. */
export const isNear = (file: string): boolean =>
  /\/(near-desk|mugs|machine|killed|preview-desk)\.ts"|"\.\/desk\.ts"/.test(textOf(file)) && !replacesModules(file);
