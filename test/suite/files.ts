/** Which files of tests belong to which part of the suite: each file says it itself. */
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

const root = join(import.meta.dirname, "../..");

export const testFiles: readonly string[] = globSync("test/**/*.test.ts", { cwd: root })
  .map((file) => file.split(sep).join("/"))
  .sort();

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** The first line of a file whose tests all start many processes, or repeat on whole commands what others show closer to its cause. */
const MODULE_TAG = /^\/\/ @module-tag thorough$/m;

export function isThorough(file: string): boolean {
  return MODULE_TAG.test(textOf(file));
}

/** The quick part leaves out something of them: all, a test with the tag, rounds of what is random, or Pulumi's own engine. */
export function leavesOut(file: string): boolean {
  return /\bthorough\b|suite\/parts\.ts"|\bcompareScenarios\b/.test(textOf(file));
}

/** Before a release they repeat what is random or killed more often. */
export function isRepeated(file: string): boolean {
  return /\bsoak\b|\bsampled/.test(textOf(file));
}

/** Another module takes the place of one of ours, for the whole process. */
export function replacesModules(file: string): boolean {
  return /\bvi\.mock\(/.test(textOf(file));
}
