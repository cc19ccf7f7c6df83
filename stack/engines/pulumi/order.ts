/** What a run orders of the process that drives Pulumi. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostEnvironment } from "../../children/environment.ts";
import type { FactsFile } from "../../children/facts.ts";
import type { StackFolder } from "../../project/open.ts";
import type { RunRequest } from "../types.ts";
import type { PulumiCli } from "./command.ts";
import type { OperationRequest } from "./operation.ts";
import { programEnvironment, programFile } from "./program.ts";

interface Around {
  /** The stack is. */
  readonly isThere: boolean;
  readonly facts: FactsFile;
  /** Where a plan is read from, or written to. */
  readonly plan: string | undefined;
  readonly verbose: boolean;
}

export function orderFor(cli: PulumiCli, folder: StackFolder, run: RunRequest, around: Around): OperationRequest {
  const { kind, dryRun, parallel, targets, refresh, full, continueOnError, reviewed } = run;
  const { isThere, facts, plan, verbose } = around;
  const program = run.program ?? folder.program;
  const runsItself = cli.found.languageHost && folder.manifest === undefined && run.program === undefined;
  const inline = runsItself ? undefined : programFile(folder.root, program);
  return {
    pulumi: cli.found,
    workDir: cli.workDir,
    stack: folder.stack,
    isThere,
    env: { ...programEnvironment(cli), ...program.env, ...hostEnvironment({ full, verbose }), ...facts.env },
    ...(inline === undefined ? {} : { inline }),
    run: { kind, dryRun, parallel, targets, refresh, continueOnError, ...(reviewed !== undefined && { reviewed }) },
    ...(plan === undefined ? {} : { plan }),
  };
}

/** Of a plan that is expected, or wanted. */
export function planFile(folder: string, { expected, wantsPlan }: RunRequest): string | undefined {
  const file = join(folder, "plan.json");
  rmSync(file, { force: true });
  if (expected !== undefined) writeFileSync(file, JSON.stringify(expected), { mode: 0o600 });
  return expected !== undefined || wantsPlan === true ? file : undefined;
}
