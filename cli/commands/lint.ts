/** `landform lint`: what a manifest may declare, and probably doesn't mean. Nothing is sent. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import {
  codes,
  renderText,
  reportJson,
  reportSarif,
  ruleTexts,
  validate,
  type Diagnostic,
} from "../../manifest/index.ts";
import { seePage } from "../../provider/guide.ts";
import { exitCodes, UsageError, type ExitCode } from "../exit/codes.ts";
import { failing, failOnOption, type FailOn } from "../lint/fail-on.ts";
import { findingsIn } from "../lint/find.ts";
import { print, printJson } from "../output/print.ts";
import { version } from "../package.ts";
import { MANIFEST } from "../project/open.ts";
import { styles } from "../render/styles.ts";
import { exiting } from "./action.ts";

interface LintOptions {
  C: string;
  json?: true;
  sarif?: true;
  failOn: FailOn;
}

export function addLint(program: Command): void {
  program
    .command("lint [file]")
    .description(`look for texts and steps in a ${MANIFEST} that are probably not meant; nothing is sent`)
    .option("-C <dir>", "folder of the project", ".")
    .option("--json", "findings as JSON")
    .option("--sarif", "findings as SARIF, for code scanning")
    .addOption(failOnOption("exit with 1 on these").default(["error"], "error"))
    .addHelpText("after", NOTE)
    .action(exiting(run));
}

const NOTE = `
Rules have levels and options under lint in ${MANIFEST}; a comment switches one off on its line: # lint-off too-long -- why`;

function run(given: string | undefined, options: LintOptions): ExitCode {
  const { C, failOn } = options;
  const path = given ?? (relative(process.cwd(), join(resolve(C), MANIFEST)) || MANIFEST);
  if (given === undefined && !existsSync(path))
    throw new UsageError(`there is no ${MANIFEST} in ${resolve(C)}, and lint does not look into programs`);
  const { manifest, diagnostics } = validate(path);
  if (manifest === undefined) {
    show(diagnostics, options, renderText(diagnostics, { colour: styles(process.stdout).colour }));
    return exitCodes.invalid;
  }
  const findings = findingsIn(manifest, failOn);
  const failed = failing(findings, failOn);
  show(findings, options, told(path, findings));
  return failed.length > 0 ? exitCodes.failed : exitCodes.done;
}

function show(diagnostics: readonly Diagnostic<string>[], { json, sarif }: LintOptions, text: string): void {
  if (json === true) printJson(reportJson(diagnostics));
  else if (sarif === true) printJson(reportSarif(diagnostics, version, { ...codes, ...ruleTexts }));
  else print(text);
}

function told(path: string, findings: readonly Diagnostic<string>[]): string {
  if (findings.length === 0) return `Nothing was found in ${path}.`;
  return renderText(findings, { colour: styles(process.stdout).colour, guide: seePage("reference/lint.md") });
}
