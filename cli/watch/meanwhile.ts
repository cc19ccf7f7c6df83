/**
 * What is saved while the program is being run for its plan. Nothing is sent by then: where the code is another one, the plan
 * is given up and made anew. A program in an endless loop could not be mended otherwise.
 */
import { isSource, type OwnFiles } from "./own-files.ts";
import { namesOf, pause, type ProjectFiles } from "./files.ts";

/** Most previews end by themselves sooner than they are made anew. */
const GRACE_MS = 2_000;

interface About {
  readonly own: OwnFiles;
  readonly mayGiveUp: boolean;
  readonly tell: (line: string) => void;
}

export class Meanwhile {
  readonly #files: ProjectFiles;
  readonly #about: About;
  readonly #changed = new Set<string>();
  readonly #stop = new AbortController();
  readonly #overtaken = new AbortController();
  readonly #watching: Promise<void>;

  constructor(files: ProjectFiles, about: About) {
    this.#files = files;
    this.#about = about;
    this.#watching = this.#watch();
  }

  /** Aborted while the preview is under way. */
  get overtaken(): AbortSignal {
    return this.#overtaken.signal;
  }

  /** The preview is over: whether what it was made from is another by now. It is looked no further. */
  async isOvertaken(): Promise<boolean> {
    this.#add(await this.#end());
    if (this.#isOtherCode()) this.#overtaken.abort();
    return this.overtaken.aborted;
  }

  /** All that has changed since the run began. */
  async all(): Promise<string[]> {
    this.#add(await this.#end());
    return [...this.#changed].sort();
  }

  async #end(): Promise<string[]> {
    this.#stop.abort();
    await this.#watching;
    return this.#files.changed();
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    for (let isTold = false; !signal.aborted;) {
      this.#add((await this.#files.nextChange(signal)) ?? []);
      if (await this.#endsWithin(GRACE_MS)) return;
      if (this.#isOtherCode()) {
        this.#overtaken.abort();
        return;
      }
      if (isTold || this.#changed.size === 0) continue;
      this.#about.tell(`${namesOf([...this.#changed])}: applied once the run that is under way has ended.`);
      isTold = true;
    }
  }

  async #endsWithin(milliseconds: number): Promise<boolean> {
    await pause(milliseconds, this.#stop.signal);
    return this.#stop.signal.aborted;
  }

  #add(paths: readonly string[]): void {
    for (const path of paths) if (!this.#about.own.has(path)) this.#changed.add(path);
  }

  #isOtherCode(): boolean {
    return this.#about.mayGiveUp && [...this.#changed].some(isSource);
  }
}
