import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { renderText, reportJson, reportSarif, validate, type Diagnostic } from "../../manifest/index.ts";
import { exitCodes, UsageError, type ExitCode } from "../exit.ts";
import { version } from "../package.ts";
import { MANIFEST } from "../project.ts";
import { styles } from "../render/style.ts";
import { exiting } from "./action.ts";

interface ValidateOptions {
  C: string;
  json?: true;
  sarif?: true;
}

export function addValidate(program: Command): void {
  program
    .command("validate [file]")
    .description(`check a ${MANIFEST} without sending anything`)
    .option("-C <dir>", "folder of the project", ".")
    .option("--json", "problems as JSON")
    .option("--sarif", "problems as SARIF, for code scanning")
    .action(exiting(check));
}

function check(given: string | undefined, { C, json, sarif }: ValidateOptions): ExitCode {
  const path = given ?? (relative(process.cwd(), join(resolve(C), MANIFEST)) || MANIFEST);
  if (given === undefined && !existsSync(path)) {
    throw new UsageError(`there is no ${MANIFEST} in ${resolve(C)}. A program is checked by \`landform preview\``);
  }
  const { diagnostics, manifest } = validate(path);
  if (json === true) console.log(JSON.stringify(reportJson(diagnostics), undefined, 2));
  else if (sarif === true) console.log(JSON.stringify(reportSarif(diagnostics, version), undefined, 2));
  else console.log(told(path, diagnostics, manifest?.entries.length));
  return manifest === undefined ? exitCodes.invalid : exitCodes.done;
}

function told(path: string, diagnostics: readonly Diagnostic[], resources: number | undefined): string {
  const problems = diagnostics.length === 0 ? "" : renderText(diagnostics, { colour: styles(process.stdout).colour });
  if (resources === undefined) return problems;
  const verdict = `${path} is valid: ${resources} resource${resources === 1 ? "" : "s"}.`;
  return problems === "" ? verdict : `${problems}\n${verdict}`;
}
