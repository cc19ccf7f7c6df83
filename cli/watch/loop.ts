/** Round after round, until it is stopped. */
import { Spares } from "../../engine/index.ts";
import type { Output } from "../output/terminal.ts";
import { namesOf, ProjectFiles } from "./files.ts";
import { isServiceThere, type Obstacle } from "./obstacle.ts";
import { OwnFiles, ownFileText } from "./own-files.ts";
import { round, type RoundOptions } from "./round.ts";

/** After so many previews in a row that were given up, one is let through: the program may write its own code. */
const MOST_GIVEN_UP = 3;
/** Another run that holds the stack ends by itself, and what was saved meanwhile is applied then. */
const LOCKED_MS = 3_000;
/** Of a service that is in trouble, or can't be reached; longer with each run that failed for it. */
const SERVICE_MS = 3_000;
const LONGEST_MS = 60_000;

export class WatchLoop {
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

  /** Gives what the next round is for. */
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

const GIVEN_UP = "The code was saved while it was run for its plan: nothing was sent, and the plan is made anew.";
