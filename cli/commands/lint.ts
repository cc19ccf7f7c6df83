/** `landform lint`: what a manifest or a program may declare, and probably doesn't mean. Nothing is sent. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { codes, reportJson, reportSarif, ruleTexts, validate, type Diagnostic } from "../../manifest/index.ts";
import { seePage } from "../../provider/definition/guide.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { failing, failOnOption, type FailOn } from "../../stack/lint/fail-on.ts";
import { findingsIn } from "../../stack/lint/find.ts";
import { manifestBeside } from "../../stack/lint/beside.ts";
import { engineOption, stackOptions } from "../options.ts";
import type { EngineChoice, StackOptions } from "../../stack/options.ts";
import { print, printJson } from "../../story/print.ts";
import { version } from "../../stack/project/package.ts";
import { MANIFEST } from "../../stack/project/open.ts";
import { diagnosticsText } from "../../story/diagnostics.ts";
import { troubleLines } from "../../story/messages.ts";
import { Output } from "../output/terminal.ts";
import { exiting } from "./action.ts";

interface LintOptions extends StackOptions {
  engine: EngineChoice;
  json?: true;
  sarif?: true;
  failOn: FailOn;
}

export function addLint(program: Command): void {
  engineOption(stackOptions(program.command("lint [file]")))
    .description("look for texts and steps that are probably not meant; nothing is sent")
    .option("--json", "findings as JSON")
    .option("--sarif", "findings as SARIF, for code scanning")
    .addOption(failOnOption("exit with 1 on these").default(["error"], "error"))
    .addHelpText("after", NOTE)
    .action(exiting(run));
}

const NOTE = `
A ${MANIFEST} is only read; a program is run, as by preview, and what it registers is looked at. Rules have levels and options under
lint in ${MANIFEST}, which may stand beside a program; a comment switches one off on its line: # lint-off too-long -- why`;

async function run(given: string | undefined, options: LintOptions): Promise<ExitCode> {
  const { C, failOn } = options;
  const path = given ?? (relative(process.cwd(), join(resolve(C), MANIFEST)) || MANIFEST);
  if (given === undefined && isProgram(resolve(C))) return ofProgram(options);
  if (given === undefined && !existsSync(path))
    throw new UsageError(`there is neither ${MANIFEST} nor Pulumi.yaml in ${resolve(C)}; -C DIR names another folder`);
  const { manifest, diagnostics } = validate(path);
  if (manifest === undefined) {
    show(diagnostics, options, diagnosticsText(diagnostics));
    return exitCodes.invalid;
  }
  const findings = findingsIn(manifest, failOn);
  const failed = failing(findings, failOn);
  show(findings, options, told(path, findings));
  return failed.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** One that registers more than the entries of a landform.yaml. */
function isProgram(root: string): boolean {
  const isOne = ["Pulumi.yaml", "Pulumi.yml"].some((file) => existsSync(join(root, file)));
  return isOne && (manifestBeside(root)?.entries.length ?? 0) === 0;
}

async function ofProgram(options: LintOptions): Promise<ExitCode> {
  // What runs programs is slow to load, and a landform.yaml needs none of it.
  const { lintProgram } = await import("../../stack/lint/of-program.ts");
  const { json, sarif, failOn } = options;
  const output = new Output(json === true || sarif === true ? { json: true } : {});
  return lintProgram(options, failOn, {
    teller: output,
    show: (findings, name) => show(findings, options, told(`what ${name} registers`, findings)),
    showFailed: (report) => {
      for (const line of troubleLines(report, output.canvas)) output.line(line);
    },
  });
}

function show(diagnostics: readonly Diagnostic<string>[], { json, sarif }: LintOptions, text: string): void {
  if (json === true) printJson(reportJson(diagnostics));
  else if (sarif === true) printJson(reportSarif(diagnostics, version, { ...codes, ...ruleTexts }));
  else print(text);
}

function told(path: string, findings: readonly Diagnostic<string>[]): string {
  if (findings.length === 0) return `Nothing was found in ${path}.`;
  return diagnosticsText(findings, { guide: seePage("reference/lint.md") });
}
