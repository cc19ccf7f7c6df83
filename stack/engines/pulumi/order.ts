/** Writes the order of a run for Pulumi: program, plan and environment. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { shellQuoted } from "../../../provider/values/command-line.ts";
import { ownModule } from "../../project/package.ts";
import { type FactsFile, hostEnvironment } from "../children.ts";
import { programFile } from "../../project/files.ts";
import type { StackFolder } from "../../project/open.ts";
import { RUNS_A_PROGRAM, type RunRequest } from "../contract.ts";
import type { PulumiCli } from "./cli.ts";
import { dynamicProviderIn, type WaitingHost } from "./host/waiting.ts";
import type { OperationRequest } from "./operation.ts";

interface Around {
  readonly facts: FactsFile;
  readonly plan: string | undefined;
  readonly verbose: boolean;
  readonly host: WaitingHost | undefined;
}

export function orderFor(cli: PulumiCli, folder: StackFolder, run: RunRequest, around: Around): OperationRequest {
  const { facts, plan, verbose, host } = around;
  const program = run.program ?? folder.program;
  const isInline = RUNS_A_PROGRAM.has(run.kind) && (run.program !== undefined || servesProgram(cli, folder));
  const inline = isInline ? programFile(folder.root, program) : undefined;
  return {
    pulumi: cli.found,
    workDir: cli.workDir,
    stack: folder.stack,
    env: {
      ...{ ...programEnvironment(cli, host), ...program.env },
      ...{ ...hostEnvironment({ full: run.full, verbose }), ...facts.env, ...host?.env },
    },
    inline,
    run,
    plan,
  };
}

/** Tells if Pulumi does not run the stack's program itself. */
export function servesProgram(cli: PulumiCli, { manifest }: Pick<StackFolder, "manifest">): boolean {
  return !cli.found.languageHost || manifest !== undefined;
}

function programEnvironment(cli: PulumiCli, host: WaitingHost | undefined): Record<string, string> {
  const { env, found } = cli;
  const isOurs = host !== undefined || !found.dynamicPlugin;
  return { ...env, PATH: [...(isOurs ? [writePlugin(cli)] : []), env["PATH"] ?? ""].join(delimiter) };
}

/** Writes the plugin of dynamic providers. Pulumi's installation has one beside its Node language host, which knows no host that waits. */
function writePlugin({ scratch, workDir }: PulumiCli): string {
  const command = [process.execPath, ownModule("stack/engines/pulumi/host/plugin"), dynamicProviderIn(workDir)];
  const file = join(scratch, "plugins", "pulumi-resource-pulumi-nodejs");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\nexec ${command.map(shellQuoted).join(" ")} "$@"\n`);
  chmodSync(file, 0o755);
  return dirname(file);
}
