import type { Command } from "commander";
import { diagnose, type Finding } from "../doctor/diagnose.ts";
import { exitCodes, type ExitCode } from "../../stack/exit/codes.ts";
import { stackOptions } from "../options.ts";
import type { StackOptions } from "../../stack/options.ts";
import { styles, print, printJson } from "../../story/print.ts";
import { advisedFor } from "../../stack/advice/next-command.ts";
import { printable } from "../../stack/report/printable.ts";
import { exiting } from "./action.ts";

interface DoctorOptions extends StackOptions {
  json?: true;
}

export function addDoctor(program: Command): void {
  stackOptions(program.command("doctor"))
    .description("look at Node, the engines, the service, the key and what it may do")
    .option("--json", "as JSON")
    .action(exiting(doctor));
}

async function doctor(options: DoctorOptions): Promise<ExitCode> {
  const advised = advisedFor(options, process.cwd());
  const findings: Finding[] = [];
  for await (const finding of diagnose(options)) {
    findings.push(finding);
    if (options.json !== true) print(advised(line(finding)));
  }
  if (options.json === true) printJson(findings);
  return findings.some(({ level }) => level === "bad") ? exitCodes.failed : exitCodes.done;
}

function line({ level, what, remedy }: Finding): string {
  const { add, bad, warn, faint } = styles(process.stdout);
  const sign = { good: add("✓"), notice: warn("!"), bad: bad("✗") }[level];
  return `${sign} ${printable(what)}${remedy === undefined ? "" : `\n  ${faint(remedy)}`}`;
}
