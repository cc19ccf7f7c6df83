/** Where text for people goes, and how wide it may be. With `--json` on standard output, people read standard error. */
import type { Canvas } from "../../story/terminal-fields.ts";
import { print, styles } from "../../story/print.ts";
import type { Progress, ProgressAbout, Teller } from "../../stack/run/teller.ts";
import { startProgress, type ToldProgress } from "./progress.ts";
import { answerTo, forgetTyped } from "./question.ts";

const PLAIN_WIDTH = 120;

export class Output implements Teller {
  readonly stream: NodeJS.WriteStream;
  readonly canvas: Canvas;
  #live: ToldProgress | undefined;

  constructor({ json, full }: { json?: string | true; full?: true } = {}) {
    this.stream = json === true ? process.stderr : process.stdout;
    const width = this.stream.isTTY ? Math.max(this.stream.columns, 40) : PLAIN_WIDTH;
    this.canvas = { styles: styles(this.stream), width, full: full === true };
  }

  get interactive(): boolean {
    return process.stdin.isTTY && this.stream.isTTY;
  }

  readonly line = (text = ""): void => {
    print(text, this.stream);
  };

  readonly note = (text: string): void => this.line(`${this.canvas.styles.faint("note:")} ${text}`);

  readonly aside = (text: string): void => {
    if (this.#live === undefined) process.stderr.write(`${text}\n`);
    else this.#live.tell(text);
  };

  progress(about: ProgressAbout): Progress {
    const progress = startProgress({ ...about, stream: this.stream, styles: this.canvas.styles });
    this.#live = this.stream.isTTY ? progress : undefined;
    return {
      add: (activity) => progress.add(activity),
      heard: () => progress.heard(),
      end: () => {
        this.#live = undefined;
        progress.end();
      },
    };
  }

  /** Ctrl-C and Ctrl-D at a question end the command. */
  ask(question: string, signal?: AbortSignal): Promise<string> {
    return answerTo(question, { input: process.stdin, output: this.stream }, signal);
  }

  /** The same of a question that a yes answers: what was typed before it is shown doesn't. */
  async askApproval(question: string, signal?: AbortSignal): Promise<string> {
    await forgetTyped(process.stdin);
    return this.ask(question, signal);
  }
}
