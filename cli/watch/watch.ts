/** `landform watch`: applies each save. Errors are told and don't end it. Ctrl-C ends it. */
import type { Command } from "commander";
import { Spares } from "../../engine/index.ts";
import { stateHome } from "../../stack/engines/place.ts";
import { type ExitCode, exitCodes, UsageError } from "../../stack/exit/codes.ts";
import type { EngineChoice } from "../../stack/options.ts";
import { openStack, type StackFolder } from "../../stack/project/open.ts";
import { readableSecrets } from "../../stack/settings/secrets.ts";
import { stackSettings } from "../../stack/settings/settings.ts";
import { refuseUnmeant } from "../../stack/stacks/stacks.ts";
import { engineOption, exiting, safetyOptions, stackOptions, wrapped } from "../options.ts";
import { isYes } from "../desk.ts";
import { Output } from "../output/terminal.ts";
import { namesOf, ProjectFiles } from "./files.ts";
import { round, type RoundOptions as WatchOptions } from "./round.ts";

const NOTE = `
Use this with an emulator, or with a stack that nobody else works on. It has the limits of up. After an error it goes on; Ctrl-C ends
it. It ignores hidden files and folders, node_modules, dist and *.log.`;

export function addWatch(program: Command): void {
  safetyOptions(engineOption(stackOptions(program.command("watch"))))
    .description("apply the code whenever a file of the project is saved")
    .addHelpText("after", wrapped(NOTE))
    .action(exiting(watch));
}

async function watch(options: WatchOptions): Promise<ExitCode> {
  const output = new Output();
  const folder = await openStack(options.C, options.stack);
  const { root, stack, project } = folder;
  if (options.yes === true) await refuseUnmeant(options.engine, folder);
  await agree(options, output, `${project.name}/${stack}`);
  const chosen = { ...options, engine: await engineFor(options.engine, folder) };
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  try {
    output.line(output.canvas.styles.faint(`Watching ${root}. Ctrl-C ends it.`));
    await applyEachSave(chosen, new ProjectFiles(root), output, stopped.signal);
  } finally {
    process.off("SIGINT", stop).off("SIGTERM", stop);
  }
  output.line("Stopped. The changes that were applied stay.");
  return exitCodes.done;
}

async function agree(options: WatchOptions, output: Output, stack: string): Promise<void> {
  if (options.yes === true) return;
  const { baseUrl } = (await stackSettings(options)).values;
  const address = process.env["LANDFORM_BASE_URL"] || baseUrl;
  const host = typeof address === "string" ? (URL.parse(address)?.hostname ?? "") : "";
  if (host === "localhost" || host === "127.0.0.1" || host === "[::1]") return;
  if (!output.interactive)
    throw new UsageError(
      "this is not a terminal, so Landform can't ask. Add --yes to apply every save without a question",
    );
  const answer = await output.askApproval(`Every save is applied to ${stack} at ${host} without asking. Go on? [y/N] `);
  if (!isYes(answer)) throw new UsageError("not watched, and nothing was sent");
}

/** Pulumi's own engine starts anew for each run. If the state is in a folder, the embedded engine can use it as well. */
async function engineFor(engine: EngineChoice, folder: StackFolder): Promise<EngineChoice> {
  if (engine !== "auto") return engine;
  const { files } = await stateHome(folder);
  return files !== undefined && (await readableSecrets(folder)) !== undefined ? "embedded" : "auto";
}

/** Applies a save that comes during a round by the next round. */
async function applyEachSave(
  options: WatchOptions,
  files: ProjectFiles,
  output: Output,
  stopped: AbortSignal,
): Promise<void> {
  const spares = new Spares({ forTwo: true });
  try {
    for (let changed: readonly string[] | undefined = []; changed !== undefined;) {
      output.line();
      if (changed.length > 0) output.line(output.canvas.styles.strong(namesOf(changed)));
      await round(options, output, spares);
      spares.renew();
      changed = await files.nextChange(stopped);
    }
  } finally {
    spares.close();
  }
}
