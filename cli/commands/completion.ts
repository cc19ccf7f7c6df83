import type { Command } from "commander";
import { Argument } from "commander";
import { completionScript, SHELLS, type Shell } from "../completion/script.ts";

export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("a completion script, for instance: source <(landform completion bash)")
    .addArgument(new Argument("<shell>", "your shell").choices(SHELLS))
    .action((shell: Shell) => void process.stdout.write(`${completionScript(program, shell)}\n`));
}
