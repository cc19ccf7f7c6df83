/** `landform diff`: two manifests or accounts, compared by what they mean. */
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import { compareModels, comparisonText, openCompared } from "../../manifest/export/index.ts";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { folderAt } from "../../stack/project/open.ts";
import { outsideOf } from "../../stack/project/outside.ts";
import { detailedExitcode } from "../options.ts";
import { print, printJson } from "../../story/print.ts";
import { printable } from "../../story/printable.ts";
import { exiting } from "./action.ts";
import { usable } from "./export.ts";

interface DiffOptions {
  C?: string;
  json?: true;
  detailedExitcode?: true;
  stack: string;
}

const SIDES = `
Each side is a manifest, a folder with a landform.yaml (from where you are, not from -C), or an account:
  account:          that of LANDFORM_BASE_URL and LANDFORM_API_KEY
  account:STAGING   that of STAGING_BASE_URL and STAGING_API_KEY
What an account doesn't show, and what a manifest doesn't declare, is no difference.`;

export function addDiff(program: Command): void {
  program
    .command("diff <a> <b>")
    .description("compare two manifests or accounts, field by field and text by text; nothing is changed")
    .option("-C <dir>", "folder of the project that the stack is of (default: that of the first manifest)")
    .option("--json", "the comparison as JSON")
    .option(...detailedExitcode)
    .option("-s, --stack <name>", "stack whose configuration tells what { config: } stands for", "dev")
    .addHelpText("after", SIDES)
    .action(exiting(diff));
}

async function diff(a: string, b: string, { C, json, detailedExitcode, stack }: DiffOptions): Promise<ExitCode> {
  const named = C === undefined ? undefined : folderAt(C);
  const [left, right] = await usable(async () => {
    const manifest = [a, b].find((side) => !side.startsWith("account:"));
    const folder = named ?? (manifest === undefined ? undefined : folderOf(manifest));
    const outside = folder === undefined ? undefined : await outsideOf(folder, stack);
    return openCompared([a, b], process.env, { outside });
  });
  const comparison = compareModels(left, right);
  if (json === true) printJson(comparison);
  else print(printable(comparisonText(comparison)));
  return detailedExitcode === true && !comparison.same ? exitCodes.changes : exitCodes.done;
}

function folderOf(path: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? path : dirname(path);
}
