/** Where text for people goes, and how wide it may be. With `--json` on standard output, people read standard error. */
import { createInterface } from "node:readline/promises";
import { CommandError, exitCodes } from "../exit/codes.ts";
import type { Canvas } from "../render/canvas.ts";
import { print } from "./print.ts";
import { styles } from "../render/styles.ts";

const PLAIN_WIDTH = 120;

export class Output {
  readonly stream: NodeJS.WriteStream;
  readonly canvas: Canvas;

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

  /** Ctrl-C and Ctrl-D at a question end the command. */
  async ask(question: string, signal?: AbortSignal): Promise<string> {
    const reader = createInterface({ input: process.stdin, output: this.stream });
    let answered = false;
    const closed = new Promise<never>((_, reject) => {
      reader.once("close", () => {
        if (!answered) this.line();
        reject(new CommandError(exitCodes.failed, "stopped: the question was not answered"));
      });
    });
    try {
      const answer = await Promise.race([closed, reader.question(question, signal ? { signal } : {})]);
      answered = true;
      return answer;
    } finally {
      closed.catch(() => undefined);
      reader.close();
    }
  }
}
