/** `landform check`: loads the folder's declarations, and looks for errors and for likely mistakes. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Command } from "commander";
import { codes, type Diagnostic } from "../../manifest/source/diagnostics.ts";
import { renderText, reportJson, reportSarif, type TextOptions } from "../../manifest/source/report.ts";
import { ruleTexts } from "../../manifest/check/lint.ts";
import { validate } from "../../manifest/check/validate.ts";
import { counted } from "../../provider/values/wording.ts";
import { seePage } from "../../provider/messages/failures.ts";
import { type ExitCode, exitCodes, UsageError } from "../../stack/exit/codes.ts";
import { failing, findingsIn, manifestBeside } from "../../stack/lint/findings.ts";
import type { FailOn, StateOptions } from "../../stack/options.ts";
import { MANIFEST, noProject, programFileIn } from "../../stack/project/files.ts";
import { version } from "../../stack/project/package.ts";
import { printableValue } from "../../stack/report/printable.ts";
import { messageText } from "../../stack/report/text.ts";
import { print, printJson, styles, tellsWhy } from "../../story/print.ts";
import { failOnOption } from "../fail-on.ts";
import { engineOption, exiting, stackOptions, wrapped } from "../options.ts";

interface CheckOptions extends StateOptions {
  json?: true;
  sarif?: true;
  online?: true;
  probe?: true;
  failOn: FailOn;
}

const NOTE = `
It runs a program as preview does, and checks the resources that the program registers. ${MANIFEST} sets levels and options of the
rules under lint, also beside a program. A comment switches a rule off on its line: # lint-off too-long -- why`;

export function addCheck(program: Command): void {
  engineOption(
    stackOptions(
      program.command("check").argument("[file]", `manifest to check (default: ${MANIFEST}, or the program)`),
    ),
  )
    .description("find errors and probable mistakes in the code; sends nothing unless --online")
    .option("--online", "ask the account too: templates, content keys, nodes, sites, pages, videos; only reads")
    .option("--probe", "with --online: make a draft from each template of the code, read its keys, and delete it")
    .option("--json", "print the findings as JSON")
    .option("--sarif", "print the findings as SARIF, for code scanning")
    .addOption(failOnOption("exit with 1 on these").default(["error"], "error"))
    .addHelpText("after", wrapped(NOTE))
    .action(exiting(check));
}

async function check(given: string | undefined, options: CheckOptions): Promise<ExitCode> {
  if (options.probe === true && options.online !== true)
    throw new UsageError("--probe asks the account: it goes with --online");
  const root = resolve(options.C);
  if (given === undefined && isProgram(root)) return checkProgram(options);
  const path = given ?? (relative(process.cwd(), join(root, MANIFEST)) || MANIFEST);
  if (given === undefined && !existsSync(path)) throw noProject(root);
  return checkManifest(path, options);
}

/** Tells if the folder has a program that registers more than the entries of a landform.yaml. */
function isProgram(root: string): boolean {
  return programFileIn(root) !== undefined && (manifestBeside(root)?.entries.length ?? 0) === 0;
}

async function checkManifest(path: string, options: CheckOptions): Promise<ExitCode> {
  const { online, probe: probes = false, stack, failOn } = options;
  const { manifest, diagnostics } = validate(path);
  // The modules that ask an account are half of all modules to load.
  const asked =
    online && manifest
      ? await (await import("../../stack/sources/compared.ts")).askAccount({ path, stack, probes }, manifest)
      : [];
  const told = new Set(asked.flatMap(({ code, path: at }) => (code === "not-in-account" ? [at] : [])));
  // The account's own word about a key stands for that of the file of keys.
  const found = (manifest ? findingsIn(manifest, failOn) : []).filter(
    ({ code, path: at }) => code !== "unknown-key" || !told.has(at),
  );
  const isValid = manifest !== undefined && asked.every(({ severity }) => severity !== "error");
  const failed = failing(found, failOn).length > 0;
  const all = [...diagnostics, ...asked, ...found];
  if (!isValid || failed) tellsWhy();
  show(all, options, toldOf(path, all, isValid && !failed ? manifest.entries.length : undefined));
  if (!isValid) return exitCodes.invalid;
  return failed ? exitCodes.failed : exitCodes.done;
}

function toldOf(path: string, found: readonly Diagnostic<string>[], resources: number | undefined): string {
  const guide = found.some(({ code }) => Object.hasOwn(ruleTexts, code)) ? seePage("reference/lint.md") : undefined;
  const problems = found.length === 0 ? "" : diagnosticsText(found, { guide });
  if (resources === undefined) return problems;
  const unverified = found.filter(({ code }) => code === "unverified").length;
  const count = counted(resources, "resource");
  const open = `${unverified === 1 ? "one thing" : `${unverified} things`} could not be asked`;
  const verdict =
    unverified === 0
      ? `${path} is valid: ${count}.`
      : `No error was found in ${path} (${count}), and ${open}: see above.`;
  return problems === "" ? verdict : `${problems}\n${verdict}`;
}

async function checkProgram(options: CheckOptions): Promise<ExitCode> {
  const { json, sarif, online, failOn } = options;
  if (online === true)
    throw new UsageError(`--online is for a ${MANIFEST}`, {
      advice: [{ command: "preview", arguments: [], reason: "asks about a program." }],
    });
  // The modules that run programs load slowly, and a landform.yaml needs none of them.
  const [{ lintProgram }, { Output }, { storyOf }, { findingLines }] = await Promise.all([
    import("../../stack/lint/of-plan.ts"),
    import("../output/terminal.ts"),
    import("../../story/story.ts"),
    import("../../story/terminal.ts"),
  ]);
  const output = new Output(json === true || sarif === true ? { json: true } : {});
  return lintProgram(options, failOn, {
    teller: output,
    show: (found, name) => {
      const guide = seePage("reference/lint.md");
      const nothing = `No problems found in what ${name} registers.`;
      if (failing(found, failOn).length > 0) tellsWhy();
      show(found, options, found.length === 0 ? nothing : diagnosticsText(found, { guide }));
    },
    showFailed: (report) => {
      tellsWhy();
      for (const line of findingLines(storyOf(report), output.canvas)) output.line(line);
    },
  });
}

function show(found: readonly Diagnostic<string>[], { json, sarif }: CheckOptions, text: string): void {
  if (json === true) printJson(reportJson(found));
  else if (sarif === true) printJson(reportSarif(found, version, { ...codes, ...ruleTexts }));
  else print(text);
}

function diagnosticsText(diagnostics: readonly Diagnostic<string>[], options: Pick<TextOptions, "guide"> = {}): string {
  const shown = printableValue(diagnostics).map((one) => ({ ...one, message: messageText(one.message) }));
  return renderText(shown, { colour: styles(process.stdout).colour, ...options });
}
