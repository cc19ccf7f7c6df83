/** `landform watch`: applies each save. Errors are told and don't end it. Ctrl-C ends it. */
import type { Command } from "commander";
import { Spares } from "../../engine/index.ts";
import { stateHome } from "../../stack/engines/place.ts";
import { type ExitCode, exitCodes, UsageError } from "../../stack/exit/codes.ts";
import type { EngineChoice } from "../../stack/options.ts";
import { openStack } from "../../stack/project/open.ts";
import { readableSecrets } from "../../stack/project/secrets.ts";
import { stackSettings } from "../../stack/project/settings.ts";
import { refuseUnmeant } from "../../stack/stacks/stacks.ts";
import { engineOption, exiting, safetyOptions, stackOptions, wrapped } from "../options.ts";
import { isYes } from "../desk.ts";
import { Output } from "../output/terminal.ts";
import { namesOf, OwnFiles, ownFileText, ProjectFiles } from "./files.ts";
import { isServiceThere, type Obstacle, round, type RoundOptions, type RoundOptions as WatchOptions } from "./round.ts";

const NOTE = `
Use this with an emulator, or with a stack that nobody else works on. It has the limits of up. It prints an error and goes on; Ctrl-C
ends it. It ignores hidden files and folders, node_modules, dist and *.log.`;

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
  output.line("Stopped. The changes that were applied stay.");
  return exitCodes.done;
}

/** Asks the person once for the whole watch. */
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
async function engineFor({ C, stack, engine }: WatchOptions): Promise<EngineChoice> {
  if (engine !== "auto") return engine;
  const folder = await openStack(C, stack);
  const { files } = await stateHome(folder);
  return files !== undefined && (await readableSecrets(folder)) !== undefined ? "embedded" : "auto";
}

/** After this many previews in a row that were given up, one runs to its end: the program may write its own code. */
const MOST_GIVEN_UP = 3;
/** Another run that holds the stack will end. Then the saves of the meantime are applied. */
const LOCKED_MS = 3_000;
/** The wait for a service that has failures or can't be reached. It grows with each failed run. */
const SERVICE_MS = 3_000;
const LONGEST_MS = 60_000;

class WatchLoop {
  readonly #options: RoundOptions;
  readonly #output: Output;
  readonly #files: ProjectFiles;
  readonly #own = new OwnFiles();
  readonly #spares = new Spares({ forTwo: true });
  #givenUp = 0;
  #failedForService = 0;
  #isAgain = false;

  constructor(options: RoundOptions, root: string, output: Output) {
    this.#options = options;
    this.#output = output;
    this.#files = new ProjectFiles(root);
  }

  async run(stopped: AbortSignal): Promise<void> {
    try {
      let changed: readonly string[] = [];
      while (!stopped.aborted) changed = await this.#once(changed, stopped);
    } finally {
      this.#spares.close();
    }
  }

  /** Runs a round, and returns the files for the next one. */
  async #once(changed: readonly string[], stopped: AbortSignal): Promise<readonly string[]> {
    const { line, canvas } = this.#output;
    if (!this.#isAgain) line();
    if (changed.length > 0 && !this.#isAgain) line(canvas.styles.strong(namesOf(changed)));
    const ended = await round(this.#options, {
      output: this.#output,
      spares: this.#spares,
      files: this.#files,
      own: this.#own,
      mayGiveUp: this.#givenUp < MOST_GIVEN_UP,
      isAgain: this.#isAgain,
    });
    this.#spares.renew();
    this.#isAgain = false;
    this.#givenUp = ended.isOvertaken ? this.#givenUp + 1 : 0;
    this.#failedForService = ended.obstacle === "service" ? this.#failedForService + 1 : 0;
    if (ended.isOvertaken) line(canvas.styles.faint(GIVEN_UP));
    else this.#tellOwn(ended);
    const during = ended.during.filter((path) => !this.#own.has(path));
    if (during.length > 0 && !stopped.aborted) return during;
    return this.#nextFor(changed, ended.obstacle, stopped);
  }

  #tellOwn({ during, hasApplied }: { during: readonly string[]; hasApplied: boolean }): void {
    const { line, canvas } = this.#output;
    for (const path of this.#own.heard(during, { hasApplied }))
      line(`${canvas.styles.warn("warning:")} ${ownFileText(path)}`);
  }

  async #nextFor(
    changed: readonly string[],
    obstacle: Obstacle | undefined,
    stopped: AbortSignal,
  ): Promise<readonly string[]> {
    if (obstacle === undefined) return (await this.#files.nextChange(stopped)) ?? changed;
    do {
      const next = await this.#files.nextChange(
        AbortSignal.any([AbortSignal.timeout(this.#pauseFor(obstacle)), stopped]),
      );
      if (next !== undefined) return next;
    } while (!stopped.aborted && obstacle === "service" && !(await isServiceThere(this.#options)));
    this.#isAgain = obstacle === "locked";
    return changed;
  }

  #pauseFor(obstacle: Obstacle): number {
    if (obstacle === "locked") return LOCKED_MS;
    return Math.min(SERVICE_MS * 2 ** (this.#failedForService - 1), LONGEST_MS);
  }
}

const GIVEN_UP = "You saved the code while Landform made the plan. Landform sent nothing, and makes the plan again.";
