/** `landform watch`: what is saved is applied. Errors are told, and don't end it; Ctrl-C does. */
import type { Command } from "commander";
import { stateHome } from "../../stack/engines/place.ts";
import { openStack } from "../../stack/project/open.ts";
import { stackSettings } from "../../stack/project/settings.ts";
import { readableSecrets } from "../../stack/project/secrets.ts";
import { exitCodes, UsageError, type ExitCode } from "../../stack/exit/codes.ts";
import { engineOption, safetyOptions, stackOptions } from "../options.ts";
import type { EngineChoice } from "../../stack/options.ts";
import { refuseUnmeant } from "../../stack/stacks/stacks.ts";
import { Output } from "../output/terminal.ts";
import { WatchLoop } from "../watch/loop.ts";
import type { RoundOptions as WatchOptions } from "../watch/round.ts";
import { exiting } from "./action.ts";

const NOTE = `
Meant for an emulator, or a stack that nobody else works on. It refuses what up refuses. Errors are told and don't end it;
Ctrl-C does. Hidden files and folders, node_modules, dist and *.log are not looked at.`;

export function addWatch(program: Command): void {
  safetyOptions(engineOption(stackOptions(program.command("watch"))))
    .description("apply the code whenever a file of the project is saved")
    .addHelpText("after", NOTE)
    .action(exiting(watch));
}

async function watch(options: WatchOptions): Promise<ExitCode> {
  const output = new Output();
  const folder = await openStack(options.C, options.stack);
  const { root, stack, project } = folder;
  if (options.yes === true) await refuseUnmeant(options.engine, folder);
  await agree(options, output, `${project.name}/${stack}`);
  const chosen = { ...options, engine: await engineFor(options) };
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    const loop = new WatchLoop(chosen, root, output);
    output.line(output.canvas.styles.faint(`Watching ${root}. Ctrl-C ends it.`));
    await loop.run(stopped.signal);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
  output.line("Stopped. What was applied stays.");
  return exitCodes.done;
}

/** Whoever watches is asked once: from then on, nobody is. */
async function agree(options: WatchOptions, output: Output, stack: string): Promise<void> {
  if (options.yes === true) return;
  const { baseUrl } = (await stackSettings(options)).values;
  const address = process.env["LANDFORM_BASE_URL"] || baseUrl;
  const host = typeof address === "string" ? (URL.parse(address)?.hostname ?? "") : "";
  if (host === "localhost" || host === "127.0.0.1" || host === "[::1]") return;
  if (!output.interactive)
    throw new UsageError("there is nobody to ask here. Add --yes to apply every save without asking");
  const answer = await output.askApproval(`Every save is applied to ${stack} at ${host} without asking. Go on? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("not watched, and nothing was sent");
}

/** Pulumi's own engine starts anew for each run: where the state is in a folder, the embedded one serves it as well. */
async function engineFor({ C, stack, engine }: WatchOptions): Promise<EngineChoice> {
  if (engine !== "auto") return engine;
  const folder = await openStack(C, stack);
  const { files } = await stateHome(folder);
  return files !== undefined && (await readableSecrets(folder)) !== undefined ? "embedded" : "auto";
}
