import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { codes, type Diagnostic } from "../../manifest/source/diagnostics.ts";
import type { Manifest } from "../../manifest/declare/model.ts";
import { reportJson, reportSarif } from "../../manifest/source/report.ts";
import { ruleTexts } from "../../manifest/check/lint.ts";
import { validate } from "../../manifest/check/validate.ts";
import { failing, failOnOption, type FailOn } from "../../stack/lint/fail-on.ts";
import { findingsIn, UNASKED } from "../../stack/lint/find.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { version } from "../../stack/project/package.ts";
import { MANIFEST } from "../../stack/project/project-files.ts";
import { diagnosticsText } from "../../story/diagnostics.ts";
import { print, printJson } from "../../story/print.ts";
import { exiting } from "./action.ts";

interface ValidateOptions {
  C: string;
  json?: true;
  sarif?: true;
  online?: true;
  stack: string;
  failOn?: FailOn;
}

export function addValidate(program: Command): void {
  program
    .command("validate [file]")
    .description(`check a ${MANIFEST}; nothing is sent unless --online`)
    .option("-C <dir>", "folder of the project", ".")
    .option("--json", "problems as JSON")
    .option("--sarif", "problems as SARIF, for code scanning")
    .option("--online", "ask the account too: templates, content keys, nodes, sites, pages, videos; reads alone")
    .addOption(failOnOption("also look with lint, and exit with 1 on these"))
    .option("-s, --stack <name>", "stack whose pages are looked at by --online", "dev")
    .action(exiting(check));
}

async function check(given: string | undefined, options: ValidateOptions): Promise<ExitCode> {
  const { C, json, sarif, online, stack, failOn } = options;
  const path = given ?? (relative(process.cwd(), join(resolve(C), MANIFEST)) || MANIFEST);
  if (given === undefined && !existsSync(path)) {
    throw new UsageError(`there is no ${MANIFEST} in ${resolve(C)}. A program is checked by \`npx landform preview\``);
  }
  const offline = validate(path);
  const further = online && offline.manifest ? await asked(path, stack, offline.manifest) : [];
  const found = offline.manifest
    ? findingsIn(offline.manifest, failOn ?? [], failOn === undefined ? { only: UNASKED } : {})
    : [];
  const diagnostics: Diagnostic<string>[] = [...offline.diagnostics, ...further, ...found];
  const manifest = further.some(({ severity }) => severity === "error") ? undefined : offline.manifest;
  if (json === true) printJson(reportJson(diagnostics));
  else if (sarif === true) printJson(reportSarif(diagnostics, version, { ...codes, ...ruleTexts }));
  else print(told(path, diagnostics, manifest?.entries.length));
  if (manifest === undefined) return exitCodes.invalid;
  return failing(found, failOn ?? []).length > 0 ? exitCodes.failed : exitCodes.done;
}

/** What asks an account is half of all there is to load. */
async function asked(path: string, stack: string, manifest: Manifest): Promise<readonly Diagnostic[]> {
  const { askAccount } = await import("../../stack/project/online.ts");
  return askAccount(path, stack, manifest);
}

function told(path: string, diagnostics: readonly Diagnostic<string>[], resources: number | undefined): string {
  const problems = diagnostics.length === 0 ? "" : diagnosticsText(diagnostics);
  if (resources === undefined) return problems;
  const unverified = diagnostics.filter(({ code }) => code === "unverified").length;
  const count = `${resources} resource${resources === 1 ? "" : "s"}`;
  const open = `${unverified === 1 ? "one thing" : `${unverified} things`} could not be asked`;
  const verdict =
    unverified === 0
      ? `${path} is valid: ${count}.`
      : `No error was found in ${path} (${count}), and ${open}: see above.`;
  return problems === "" ? verdict : `${problems}\n${verdict}`;
}
