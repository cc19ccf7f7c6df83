/** Decides where text for people goes, and its width. With `--json` on standard output, people read standard error. */
import { createInterface } from "node:readline/promises";
import { setTimeout as delay } from "node:timers/promises";
import { CommandError, exitCodes } from "../../stack/exit/codes.ts";
import type { Progress, ProgressAbout, Teller } from "../../stack/run/teller.ts";
import { print, styles, tellsWhy } from "../../story/print.ts";
import type { Canvas } from "../../story/terminal-fields.ts";
import { startProgress, type ToldProgress } from "./progress.ts";

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

  readonly fault = (text: string): void => {
    tellsWhy();
    this.line(text);
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

  ask(question: string, signal?: AbortSignal): Promise<string> {
    return answerTo(question, { input: process.stdin, output: this.stream }, signal);
  }

  /** Asks for a yes. It ignores text that was typed before the question was shown. */
  async askApproval(question: string, signal?: AbortSignal): Promise<string> {
    await forgetTyped(process.stdin);
    return this.ask(question, signal);
  }
}

// Asks questions one after another on one input. One read may bring several lines. A line that was typed before a question answers it, and
// no line is lost.

interface TypedAhead {
  readonly lines: string[];
  /** The start of a line without an end yet. */
  begun: string;
}

const ahead = new WeakMap<NodeJS.ReadableStream, TypedAhead>();

/** The time in which input that the terminal kept arrives. */
const DRAIN_MS = 30;

/** Drops typed input: a yes from before the question doesn't answer it. */
async function forgetTyped(input: NodeJS.ReadStream): Promise<void> {
  ahead.delete(input);
  if (!input.isTTY || input.readableEnded) return;
  const drop = (): void => undefined;
  input.on("data", drop);
  await delay(DRAIN_MS);
  input.off("data", drop);
  input.pause();
}

/** Asks a question. Ctrl-C, Ctrl-D and the end of the input end the command. */
export async function answerTo(
  question: string,
  { input, output }: { input: NodeJS.ReadStream; output: NodeJS.WriteStream },
  signal?: AbortSignal,
): Promise<string> {
  const typed = ahead.get(input) ?? { lines: [], begun: "" };
  ahead.set(input, typed);
  const early = typed.lines.shift();
  if (early !== undefined) {
    output.write(`${question}${early}\n`);
    return early;
  }
  if (input.readableEnded) {
    output.write(`${question}\n`);
    throw unanswered();
  }
  const reader = createInterface({ input, output });
  reader.on("line", (line) => typed.lines.push(line));
  const left = Promise.withResolvers<never>();
  let isAnswered = false;
  const leave = (): void => {
    if (!isAnswered) output.write("\n");
    left.reject(unanswered());
  };
  // A Ctrl-C right after an answer is meant for the command, too.
  const interruption = new AbortController();
  reader.once("SIGINT", () => {
    interruption.abort();
    reader.close();
  });
  reader.once("close", leave);
  try {
    const asked = reader.question(question, signal ? { signal } : {});
    if (typed.begun !== "") reader.write(typed.begun);
    const answer = await Promise.race([left.promise, asked]);
    isAnswered = true;
    if (interruption.signal.aborted) throw unanswered();
    typed.begun = reader.line;
    return answer;
  } finally {
    left.promise.catch(() => undefined);
    reader.close();
  }
}

function unanswered(): CommandError {
  return new CommandError(exitCodes.failed, "stopped: the question was not answered");
}
