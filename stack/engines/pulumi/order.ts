/** Writes the order of a run for Pulumi: program, plan and environment. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { type FactsFile, hostEnvironment } from "../children.ts";
import { programFile } from "../../project/files.ts";
import type { StackFolder } from "../../project/open.ts";
import { RUNS_A_PROGRAM, type RunRequest } from "../contract.ts";
import type { PulumiCli } from "./cli.ts";
import type { OperationRequest } from "./operation.ts";

interface Around {
  readonly facts: FactsFile;
  /** The file of a plan to read or to write. */
  readonly plan: string | undefined;
  readonly verbose: boolean;
}

export function orderFor(cli: PulumiCli, folder: StackFolder, run: RunRequest, around: Around): OperationRequest {
  const { kind, dryRun, parallel, targets, refresh, full, continueOnError, reviewed } = run;
  const { facts, plan, verbose } = around;
  const program = run.program ?? folder.program;
  const isInline = RUNS_A_PROGRAM.has(kind) && (run.program !== undefined || servesProgram(cli, folder));
  const inline = isInline ? programFile(folder.root, program) : undefined;
  return {
    pulumi: cli.found,
    workDir: cli.workDir,
    stack: folder.stack,
    env: { ...programEnvironment(cli), ...program.env, ...hostEnvironment({ full, verbose }), ...facts.env },
    inline,
    run: { kind, dryRun, parallel, targets, refresh, continueOnError, reviewed },
    plan,
  };
}

/** Tells if Pulumi does not run the stack's program itself. */
export function servesProgram(cli: PulumiCli, { manifest }: Pick<StackFolder, "manifest">): boolean {
  return !cli.found.languageHost || manifest !== undefined;
}

function programEnvironment(cli: PulumiCli): Record<string, string> {
  const { env, found, scratch } = cli;
  return {
    ...env,
    PATH: [...(found.dynamicPlugin ? [] : [writePlugin(scratch)]), env["PATH"] ?? ""].join(delimiter),
  };
}

/** Writes the plugin of dynamic providers, which Pulumi's installation has beside its Node language host. */
function writePlugin(scratch: string): string {
  const script = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  const file = join(scratch, "plugins", "pulumi-resource-pulumi-nodejs");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  chmodSync(file, 0o755);
  return dirname(file);
}
