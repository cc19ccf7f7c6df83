/** Tells the progress of an engine: live lines on a terminal, elsewhere one line for each finished step. */
import { nameOf } from "../../engine/index.ts";
import type { Progress, ProgressAbout } from "../../stack/run/teller.ts";
import type { Activity, StepActivity } from "../../stack/report/collect.ts";
import type { Change, Stay } from "../../stack/report/model.ts";
import { shortName } from "../../stack/report/steps.ts";
import { paint, type Styles } from "../../story/print.ts";
import { printable, withoutCommands } from "../../stack/report/printable.ts";
import { cut, nameText, widthOf } from "../../stack/report/text.ts";
import { DOING, markOf } from "../../stack/report/words.ts";
import { seconds } from "../../stack/report/verdict.ts";

export interface ToldProgress extends Progress {
  tell(line: string): void;
}

interface Stream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

interface ProgressOptions extends ProgressAbout {
  stream: Stream;
  styles: Styles;
}

export function startProgress(options: ProgressOptions): ToldProgress {
  return options.stream.isTTY === true && process.env["TERM"] !== "dumb" ? new Live(options) : new Lines(options);
}

interface StepUnderWay {
  title: string;
  op: string;
  startedAt: number;
}

/** Prints a line for each step that has ended. */
class Lines implements ToldProgress {
  protected readonly options: ProgressOptions;
  protected readonly underWay = new Map<string, StepUnderWay>();
  protected done = 0;

  #silence: NodeJS.Timeout | undefined;

  constructor(options: ProgressOptions) {
    this.options = options;
    this.heard();
  }

  tell(line: string): void {
    this.options.stream.write(`${withoutCommands(this.options.redact(line))}\n`);
  }

  end(): void {
    clearTimeout(this.#silence);
    this.underWay.clear();
  }

  /** A program that waits for ever shows only by its silence. */
  heard(): void {
    clearTimeout(this.#silence);
    if (!this.options.program) return;
    this.#silence = setTimeout(() => {
      if (this.underWay.size === 0) this.tell(this.options.styles.faint(SILENT));
    }, SILENCE_MS).unref();
  }

  add(activity: Activity): void {
    if (activity.kind === "begun") this.#begun(activity.step);
    else if (activity.kind === "ended") this.#ended(activity);
    else
      for (const line of activity.line.split("\n"))
        this.tell(this.options.styles.faint(`  │ ${printable(this.options.redact(line))}`));
  }

  #begun(step: StepActivity): void {
    const { op, urn, type } = step;
    if (!DOING.has(op)) return;
    const title = printable(`${shortName(type)} ${nameText(nameOf(urn))}`);
    this.underWay.set(key(step), { title, op, startedAt: Date.now() });
  }

  #ended({ step: ended, ...how }: Extract<Activity, { kind: "ended" }>): void {
    const step = this.underWay.get(key(ended));
    if (step === undefined) return;
    this.underWay.delete(key(ended));
    this.done++;
    const line = this.#lastLine(step, how);
    if (line !== undefined) this.tell(line);
  }

  #lastLine({ title, op, startedAt }: StepUnderWay, { failed, stays, held }: End): string | undefined {
    const { styles } = this.options;
    const took = styles.faint(`(${seconds(Date.now() - startedAt)})`);
    if (failed) return `  ${styles.bad("✗")} ${DOING.get(op) ?? op} ${title} failed ${took}`;
    const done = this.options.quiet ? undefined : ENDS.get(op);
    if (done === undefined) return undefined;
    const mark = markOf({ op: done, ...(stays && { stays }), ...(held && { held }) });
    const words = stays === undefined ? `${mark.done} ${title}` : STAYS[stays](title);
    return `  ${paint(mark.tone, styles)(mark.sign)} ${words} ${took}`;
  }
}

type End = Omit<Extract<Activity, { kind: "ended" }>, "kind" | "step">;

const SILENCE_MS = 20_000;
const SILENT =
  "  the program has registered nothing for 20 s: it may wait for something that never comes, or a timer or a connection keeps it alive. Ctrl-C stops it.";

const STAYS: Record<Stay, (title: string) => string> = {
  "in place": (title) => `left ${title} in the account`,
  retired: (title) => `retired ${title}`,
};

/** The operations whose end gets a line. */
const ENDS: ReadonlyMap<string, Change["op"]> = new Map([
  ["create", "create"],
  ["adopt", "adopt"],
  ["create-replacement", "replace"],
  ["update", "update"],
  ["delete", "delete"],
  ["delete-replaced", "delete"],
]);

function key({ op, urn }: StepActivity): string {
  return `${op} ${urn}`;
}

const FRAME_MS = 120;
const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const MOST_LINES = 12;
/** Fewer steps need no bar. */
const LONG_RUN = 8;
const BAR = 24;

class Live extends Lines {
  readonly #timer = setInterval(() => this.#draw(), FRAME_MS);
  readonly #startedAt = Date.now();
  /** The widths of the drawn lines: a narrower terminal shows a line in several rows. */
  #drawn: number[] = [];
  #frame = 0;

  override tell(line: string): void {
    this.#erase();
    super.tell(line);
    this.#draw();
  }

  override end(): void {
    clearInterval(this.#timer);
    this.#erase();
    super.end();
  }

  #draw(): void {
    this.#erase();
    const lines = this.#lines();
    this.options.stream.write(lines.map((line) => `${line}\n`).join(""));
    this.#drawn = lines.map(widthOf);
  }

  /** A terminal that a program opened may report no width. */
  get #columns(): number {
    return this.options.stream.columns || 80;
  }

  #erase(): void {
    const columns = this.#columns;
    const rows = this.#drawn.reduce((sum, width) => sum + Math.max(Math.ceil(width / columns), 1), 0);
    if (rows > 0) this.options.stream.write(`\r\u001b[${rows}A\u001b[0J`);
    this.#drawn = [];
  }

  #lines(): string[] {
    const { styles, redact } = this.options;
    const spinner = SPINNER[this.#frame++ % SPINNER.length] ?? "";
    const width = this.#columns - 1;
    const steps = [...this.underWay.values()];
    if (steps.length === 0)
      return [`  ${spinner} working ${styles.faint(seconds(Date.now() - this.#startedAt))}`, ...this.#bar()];
    const shown = steps.slice(0, MOST_LINES).map(({ op, title, startedAt }) => {
      const elapsed = seconds(Date.now() - startedAt);
      const text = redact(`  ${spinner} ${DOING.get(op) ?? op} ${title}`);
      return `${cut(text, width - elapsed.length - 1)} ${styles.faint(elapsed)}`;
    });
    const more = steps.length - shown.length;
    return [...shown, ...(more > 0 ? [styles.faint(`    and ${more} more`)] : []), ...this.#bar()];
  }

  #bar(): string[] {
    const { total = 0, styles } = this.options;
    if (total < LONG_RUN) return [];
    const filled = Math.min(Math.round((this.done / total) * BAR), BAR);
    return [`  ${styles.add("━".repeat(filled))}${styles.faint("━".repeat(BAR - filled))} ${this.done} of ${total}`];
  }
}
